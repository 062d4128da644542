"""The validator's decisions: what is refused, at which step and argument, by which rule, and the remedy."""

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import Status
from backend.domain.plans.catalogue import ArgumentType, Catalogue, Skill
from backend.domain.plans.plan import Step, Watch
from backend.domain.plans.rules import Rule
from backend.domain.plans.validator import MAX_STEPS, recheck, validate
from tests.domain.plans.samples import MOBILE, RECORDS, SITE, collection, ground, record, step, takes

HOME = collection("can_1", "station_metal")
CARRY = step("navigate", to="station_metal"), step("deliver", object="can_1", station="station_metal")
HELD = {"held": "can_1", "records": RECORDS | {"can_1": record("can_1", 2, 2, status=Status.GRASPED)}}


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        pytest.param(HOME, {}, id="one container home"),
        pytest.param(HOME[:3], {}, id="only its pick-up"),
        pytest.param(
            HOME + collection("bottle_1", "station_plastic"), {}, id="one container after the other"
        ),
        pytest.param(CARRY, HELD, id="held already, so the pick-up is left out"),
        pytest.param((*CARRY, *collection("can_2", "station_metal")), HELD, id="the held one, then another"),
        pytest.param(HOME[1:], {"robot": Pose(2, 2)}, id="it stands at the target"),
        pytest.param(CARRY[1:], HELD | {"robot": Pose(0, 0)}, id="it stands at the station with the object"),
        pytest.param(HOME[1:], {"arrived": "can_1"}, id="it has gone to the target and stopped short"),
        pytest.param(HOME, {"exposed": frozenset({"can_1"})}, id="the target was shown"),
        pytest.param(CARRY, HELD | {"exposed": frozenset()}, id="what is held needs no showing"),
        pytest.param((step("verify", target="can_2"), *HOME), {}, id="a look at a place first"),
        pytest.param((step("explore", cell=(2, 3)),), {}, id="a free cell"),
        pytest.param(
            (*HOME, step("explore", cell=(5.0, 6.0))), {}, id="a cell of floats, as a journal gives it back"
        ),
        pytest.param(collection("can_2", "station_metal"), {}, id="one to be reconsidered"),
        pytest.param((step("navigate", to=(2, 2)), *HOME[1:]), {}, id="drive to the target's cell"),
        pytest.param((step("navigate", to=Pose(2.0, 2.0)), *HOME[1:]), {}, id="drive to the target's pose"),
        pytest.param(
            (step("grasp", Watch(((0.0, 511.0),), "front"), target="can_1"),),
            {"arrived": "can_1"},
            id="a watch at the picture's edge",
        ),
        pytest.param(
            (step("grasp", Watch("all"), target="can_1"),),
            {"arrived": "can_1"},
            id="watch all of the only camera",
        ),
        pytest.param((step("explore", cell=(1, 1)),) * (MAX_STEPS + 1), {}, id="a search longer than a plan"),
    ],
)
def test_a_valid_plan_has_no_finding(steps: tuple[Step, ...], state: dict[str, Any]) -> None:
    assert validate(steps, ground(**state)) == ()


FOUND = [
    # id, plan, state, step, argument, rule, remedy
    ("no step", (), {}, None, None, Rule.PLAN_LENGTH, "at least one"),
    ("too many steps", HOME[:1] * (MAX_STEPS + 1), {}, None, None, Rule.PLAN_LENGTH, "at most 40"),
    ("an endless search", (step("explore", cell=(1, 1)),) * 401, {}, None, None, Rule.PLAN_LENGTH, "at most"),
    ("no such skill", (step("fly", to="can_1"),), {}, 0, "skill", Rule.SKILL_NAME, "deliver, explore, grasp"),
    (
        "argument missing",
        (step("navigate"),),
        {},
        0,
        "to",
        Rule.ARGUMENT_PRESENCE,
        "an entity or a station or a cell",
    ),
    (
        "argument unknown",
        (step("navigate", to="can_1", speed=2),),
        {},
        0,
        "speed",
        Rule.ARGUMENT_PRESENCE,
        "Leave it out; navigate takes: to.",
    ),
    ("a number for an entity", (step("verify", target=7),), {}, 0, "target", Rule.ARGUMENT_TYPE, "an entity"),
    ("a text for a cell", (step("explore", cell="(1, 1)"),), {}, 0, "cell", Rule.ARGUMENT_TYPE, "two whole"),
    ("half a cell", (step("explore", cell=(1.5, 1.0)),), {}, 0, "cell", Rule.ARGUMENT_TYPE, "two whole"),
    ("three coordinates", (step("explore", cell=(1, 1, 1)),), {}, 0, "cell", Rule.ARGUMENT_TYPE, "two whole"),
    ("no number", (step("explore", cell=(float("nan"), 1)),), {}, 0, "cell", Rule.ARGUMENT_TYPE, "two whole"),
    (
        "an entity nobody knows",
        (step("navigate", to="can_99"),),
        {},
        0,
        "to",
        Rule.ENTITY_REFERENCE,
        "Choose bottle_1, can_1, can_2, can_kitchen, jar_1, station_metal or station_plastic.",
    ),
    (
        "an entity that was not shown",
        (step("navigate", to="can_2"),),
        {"exposed": frozenset({"can_1"})},
        0,
        "to",
        Rule.ENTITY_REFERENCE,
        "Choose can_1.",
    ),
    (
        "nothing was shown",
        (step("verify", target="can_2"),),
        {"exposed": frozenset()},
        0,
        "target",
        Rule.ENTITY_REFERENCE,
        "Explore",
    ),
    (
        "a station nobody knows",
        (step("navigate", to="station_metal"), step("deliver", object="can_1", station="station_glass")),
        HELD,
        1,
        "station",
        Rule.STATION_REFERENCE,
        "Choose station_metal or station_plastic.",
    ),
    (
        "outside the map",
        (step("explore", cell=(8, 0)),),
        {},
        0,
        "cell",
        Rule.CELL,
        "x from 0 to 7 and y from 0 to 7",
    ),
    (
        "below the map",
        (step("explore", cell=(0, -1)),),
        {},
        0,
        "cell",
        Rule.CELL,
        "x from 0 to 7 and y from 0 to 7",
    ),
    ("drive outside the map", (step("navigate", to=(0, 8)),), {}, 0, "to", Rule.CELL, "y from 0 to 7"),
    ("drive to a blocked cell", (step("navigate", to=(3, 3)),), {}, 0, "to", Rule.CELL, "a free cell"),
    (
        "drive to a blocked pose",
        (step("navigate", to=Pose(2.7, 3.2)),),
        {},
        0,
        "to",
        Rule.CELL,
        "a free cell",
    ),
    (
        "drive to a forbidden pose",
        (step("navigate", to=Pose(6, 0.5)),),
        {},
        0,
        "to",
        Rule.RESTRICTED_REGION,
        "outside",
    ),
    ("a blocked cell", (step("explore", cell=(3.0, 3.0)),), {}, 0, "cell", Rule.CELL, "a free cell"),
    (
        "a forbidden cell",
        (step("explore", cell=(5, 0)),),
        {},
        0,
        "cell",
        Rule.RESTRICTED_REGION,
        "outside it",
    ),
    (
        "an entity in a forbidden place",
        collection("can_kitchen", "station_metal"),
        {},
        0,
        "to",
        Rule.RESTRICTED_REGION,
        "outside it",
    ),
    ("grasp before going there", HOME[2:], {}, 0, "target", Rule.PRECONDITION, "Navigate to can_1 before"),
    ("approach before going there", HOME[1:], {}, 0, "target", Rule.PRECONDITION, "Navigate to can_1 before"),
    (
        "deliver before going there",
        HOME[:3] + HOME[4:],
        {},
        3,
        "station",
        Rule.PRECONDITION,
        "Navigate to station",
    ),
    (
        "deliver with nothing held",
        CARRY,
        {},
        1,
        "object",
        Rule.PRECONDITION,
        "Navigate to, approach and grasp can_1",
    ),
    (
        "deliver what is not held",
        (step("navigate", to="station_metal"), step("deliver", object="can_2", station="station_metal")),
        HELD,
        1,
        "object",
        Rule.PRECONDITION,
        "Deliver can_1.",
    ),
    (
        "the other station",
        collection("can_1", "station_plastic"),
        {},
        4,
        "station",
        Rule.COMPATIBILITY,
        "Choose station_metal.",
    ),
    (
        "a class without a station",
        collection("jar_1", "station_metal"),
        {},
        4,
        "station",
        Rule.COMPATIBILITY,
        "have a station assigned",
    ),
    (
        "a second object",
        (*HOME[:3], *collection("bottle_1", "station_plastic")[:3]),
        {},
        5,
        "target",
        Rule.CARRYING_CAPACITY,
        "Deliver can_1 first.",
    ),
    (
        "held at the start",
        collection("can_2", "station_metal")[:3],
        HELD,
        2,
        "target",
        Rule.CARRYING_CAPACITY,
        "can_1",
    ),
    ("already in the gripper", HOME[:1], HELD, 0, "to", Rule.TARGET_STATUS, "Leave the pick-up out"),
    (
        "delivered long ago",
        (step("navigate", to="can_done"),),
        {},
        0,
        "to",
        Rule.TARGET_STATUS,
        "Choose bottle_1",
    ),
    (
        "lost",
        (step("verify", target="can_lost"),),
        {},
        0,
        "target",
        Rule.TARGET_STATUS,
        "Choose bottle_1, can_1",
    ),
    (
        "face what is lost",
        (step("approach", target="can_lost"),),
        {"arrived": "can_lost"},
        0,
        "target",
        Rule.TARGET_STATUS,
        "Choose bottle_1",
    ),
    (
        "grasp what is delivered",
        (step("grasp", target="can_done"),),
        {"arrived": "can_done"},
        0,
        "target",
        Rule.TARGET_STATUS,
        "Choose bottle_1",
    ),
    (
        "delivered earlier in the plan",
        (*HOME, HOME[0]),
        {},
        5,
        "to",
        Rule.TARGET_STATUS,
        "Choose bottle_1, can_2",
    ),
    (
        "a watch where nothing is recorded",
        (step("navigate", Watch("all", "front"), to="can_1"),),
        {},
        0,
        "watch",
        Rule.WATCH,
        "Leave it out.",
    ),
    (
        "a camera that is not there",
        (*HOME[:2], step("grasp", Watch("all", "wrist"), target="can_1")),
        {},
        2,
        "watch",
        Rule.WATCH,
        "Choose front.",
    ),
    (
        "nine points",
        (*HOME[:2], step("grasp", Watch(((1.0, 1.0),) * 9, "front"), target="can_1")),
        {},
        2,
        "watch",
        Rule.WATCH,
        "1 to 8 points",
    ),
    (
        "no point",
        (*HOME[:2], step("grasp", Watch((), "front"), target="can_1")),
        {},
        2,
        "watch",
        Rule.WATCH,
        "1 to 8 points",
    ),
    (
        "a point outside the picture",
        (*HOME[:2], step("grasp", Watch(((512.0, 1.0),), "front"), target="can_1")),
        {},
        2,
        "watch",
        Rule.WATCH,
        "from 0 to 511",
    ),
]


@pytest.mark.parametrize(
    ("steps", "state", "at", "argument", "rule", "remedy"),
    [pytest.param(*row[1:], id=row[0]) for row in FOUND],
)
def test_a_finding_names_step_argument_rule_and_remedy(
    steps: tuple[Step, ...],
    state: dict[str, Any],
    at: int | None,
    argument: str | None,
    rule: Rule,
    remedy: str,
) -> None:
    findings = validate(steps, ground(**state))

    assert [(found.step, found.argument, found.rule) for found in findings] == [(at, argument, rule.value)]
    assert remedy in findings[0].remedy
    assert findings[0].message.endswith(".")


def test_a_flaw_is_found_once_and_not_in_all_that_follows_from_it() -> None:
    findings = validate((*HOME[1:], *collection("bottle_1", "station_metal")), ground())

    assert [(found.step, found.rule) for found in findings] == [
        (0, Rule.PRECONDITION),
        (8, Rule.COMPATIBILITY),
    ]


def test_away_from_grids_standing_near_is_standing_there() -> None:
    """A robot stops short of its target, and within a characteristic length the approach does the rest."""
    elsewhere = {"site": SITE_IN_METRES, "robot": Pose(2.3, 2.3)}

    assert validate(HOME[1:], ground(**elsewhere)) == ()
    assert validate(HOME[1:], ground(**elsewhere | {"robot": Pose(3.3, 2.3)})) != ()


SITE_IN_METRES = type(SITE)(
    name="yard", map=SITE.map, metric=Metric("euclidean", 1.0, 0.05), stations=SITE.stations
)

ARM = Catalogue(
    skills=(
        Skill(
            name="move",
            description="",
            arguments=(
                takes("goal", ArgumentType.POSE),
                takes("check", ArgumentType.CHECK, required=False),
                takes("steps", ArgumentType.INTEGER, required=False),
                takes("seconds", ArgumentType.NUMBER, required=False),
            ),
        ),
        Skill(name="locate", description="", arguments=(takes("at", ArgumentType.PIXEL),)),
        Skill(name="say", description="", arguments=(takes("phrase", ArgumentType.PHRASE),)),
        Skill(name="look", description="", arguments=(takes("watch", ArgumentType.WATCH),)),
    ),
    cameras=("front",),
)


@pytest.mark.parametrize(
    ("made", "argument"),
    [
        pytest.param(
            step("move", goal=Pose(0.1, 0.2), check="height_m >= 0.05", steps=3, seconds=0.5), None, id="fits"
        ),
        pytest.param(
            step("move", goal=Pose(0.1, 0.2, frame_id="wrist")), "goal", id="a pose in another frame"
        ),
        pytest.param(step("move", goal=Pose(float("inf"), 0.2)), "goal", id="a pose without bounds"),
        pytest.param(step("move", goal=(1.0, 2.0)), "goal", id="a pair for a pose"),
        pytest.param(
            step("move", goal=Pose(0, 0), check="height > 5"), "check", id="a check nobody can make"
        ),
        pytest.param(step("move", goal=Pose(0, 0), steps=1.5), "steps", id="a fraction for an integer"),
        pytest.param(step("move", goal=Pose(0, 0), steps=True), "steps", id="a truth value for an integer"),
        pytest.param(step("move", goal=Pose(0, 0), seconds="1"), "seconds", id="a text for a number"),
        pytest.param(step("locate", at=(10.0, 20.0)), None, id="a pixel"),
        pytest.param(step("locate", at=(-1.0, 20.0)), "at", id="a negative pixel"),
        pytest.param(step("say", phrase="pick the red cube"), None, id="a phrase"),
        pytest.param(step("say", phrase=""), "phrase", id="an empty phrase"),
        pytest.param(step("look", Watch("all", "front")), None, id="a watch that is needed"),
        pytest.param(step("look"), "watch", id="a needed watch is missing"),
    ],
)
def test_a_skill_without_known_meaning_is_judged_by_its_signature(made: Step, argument: str | None) -> None:
    findings = validate((made,), ground(catalogue=ARM))

    assert [found.argument for found in findings] == ([argument] if argument else [])


@pytest.mark.parametrize(
    ("made", "state", "rule"),
    [
        pytest.param(HOME[0], {}, None, id="go to an active target"),
        pytest.param(HOME[2], {"arrived": "can_1", "robot": Pose(2.4, 2.2)}, None, id="it has gone there"),
        pytest.param(HOME[2], {"robot": Pose(2, 2)}, None, id="it stands there"),
        pytest.param(HOME[2], {"robot": Pose(2, 3)}, Rule.PRECONDITION, id="it stands elsewhere by now"),
        pytest.param(
            HOME[0],
            {"records": RECORDS | {"can_1": record("can_1", 2, 2, status=Status.LOST)}},
            Rule.TARGET_STATUS,
            id="the target is lost by now",
        ),
        pytest.param(HOME[0], {"records": {}}, Rule.ENTITY_REFERENCE, id="the target is unknown by now"),
        pytest.param(CARRY[1], HELD | {"robot": Pose(0, 0)}, None, id="deliver what is held"),
        pytest.param(
            CARRY[1], {"robot": Pose(0, 0)}, Rule.PRECONDITION, id="deliver what is not held any more"
        ),
        pytest.param(
            CARRY[1],
            HELD | {"robot": Pose(0, 0), "assignments": {"metal": "station_plastic"}},
            Rule.COMPATIBILITY,
            id="the class goes elsewhere by now",
        ),
    ],
)
def test_the_next_step_is_checked_from_the_real_state(
    made: Step, state: dict[str, Any], rule: Rule | None
) -> None:
    findings = recheck(made, ground(**state), index=3)

    assert [(found.step, found.rule) for found in findings] == ([(3, rule.value)] if rule else [])


def test_every_mobile_skill_of_the_sample_is_tried() -> None:
    tried = {each.skill for row in FOUND for each in row[1]}

    assert {skill.name for skill in MOBILE.skills} <= tried


@pytest.mark.parametrize(("cell", "remedy"), [((-4, -4), ""), ((3, 3), ""), ((4, 0), "x from -4 to 3")])
def test_a_map_may_reach_below_the_origin(cell: tuple[int, int], remedy: str) -> None:
    site = replace(SITE, map=replace(SITE.map, first=(-4, -4), occupied=()), regions=())
    findings = validate((step("explore", cell=cell),), ground(site=site))

    assert bool(findings) is bool(remedy)
    assert remedy in "".join(each.remedy for each in findings)
