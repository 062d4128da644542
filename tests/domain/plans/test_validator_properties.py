"""Plans that are valid by construction have no finding, and whatever is then broken in them is found."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backend.domain.memory.record import Status
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Step, Watch
from backend.domain.plans.validator import recheck, validate
from tests.domain.plans.samples import collection, ground, record, step

PLACES = [(x, y) for x in range(1, 7) for y in range(2, 6) if (x, y) != (3, 3)]
ROBOT_AT = (7, 0)
STATION = {"metal": "station_metal", "plastic": "station_plastic"}


@st.composite
def plans(draw: Any) -> tuple[tuple[Step, ...], Ground]:
    """A valid plan: perhaps the held object first, then containers one by one, looks and searches between."""
    places = draw(st.lists(st.sampled_from(PLACES), unique=True, min_size=2, max_size=6))
    active = st.sampled_from([Status.OBSERVED, Status.RECONSIDER])
    records = {
        f"z{number}": record(f"z{number}", *place, draw(st.sampled_from(list(STATION))), draw(active))
        for number, place in enumerate(places)
    }
    records |= {"gone": record("gone", 1, 1, status=draw(st.sampled_from([Status.DELIVERED, Status.LOST])))}
    order = list(draw(st.permutations([name for name in records if name != "gone"])))
    held = order.pop() if draw(st.booleans()) else None
    if held is not None:
        kept = records[held]
        records[held] = record(held, kept.pose.x_m, kept.pose.y_m, kept.cls, Status.GRASPED)
    count = draw(st.integers(0 if held else 1, len(order)))
    steps: list[Step] = list(collection(held, STATION[records[held].cls])[3:]) if held else []
    for entity in order[:count]:
        if draw(st.booleans()):
            steps.append(step("explore", cell=draw(st.sampled_from(PLACES))))
        if draw(st.booleans()):
            steps.append(step("verify", target=entity))
        steps += collection(entity, STATION[records[entity].cls])
    shown = frozenset(records) if draw(st.booleans()) else None
    return tuple(steps), ground(records=records, held=held, exposed=shown)


@given(plans())
def test_a_plan_valid_by_construction_has_no_finding(made: tuple[tuple[Step, ...], Ground]) -> None:
    steps, known = made

    assert validate(steps, known) == ()
    assert recheck(steps[0], known) == ()


@given(plans(), st.data())
def test_any_single_mutation_is_found(made: tuple[tuple[Step, ...], Ground], data: st.DataObject) -> None:
    steps, known = made
    mutations = mutations_of(steps, known)
    name = data.draw(st.sampled_from(sorted(mutations)))
    broken = data.draw(st.sampled_from(mutations[name]))

    findings = validate(broken, known)

    assert findings, name
    assert all(found.remedy and found.message for found in findings)


def place_before(steps: tuple[Step, ...], known: Ground) -> tuple[float, float]:
    """Where the robot stands after `steps`."""
    place = (known.robot.x_m, known.robot.y_m)
    for made in steps:
        if made.skill == "navigate":
            place = place_of(made.arguments["to"], known)
        elif made.skill == "explore":
            place = tuple(made.arguments["cell"])
    return place


def place_of(name: Any, known: Ground) -> tuple[float, float]:
    record = known.records.get(name)
    pose = record.pose if record is not None else known.site.station(name).pose
    return pose.x_m, pose.y_m


def mutations_of(steps: tuple[Step, ...], known: Ground) -> dict[str, list[tuple[Step, ...]]]:
    """Each way to break a plan, at each place where it applies."""
    found: dict[str, list[tuple[Step, ...]]] = {"no step at all": [()]}

    def at(name: str, index: int, *instead: Step) -> None:
        found.setdefault(name, []).append((*steps[:index], *instead, *steps[index + 1 :]))

    for index, made in enumerate(steps):
        arguments = dict(made.arguments)
        at("an unknown skill", index, Step("fly", arguments))
        at("a watch that does not fit", index, Step(made.skill, arguments, Watch("all", "nowhere")))
        at("an argument too many", index, Step(made.skill, arguments | {"extra": 1}))
        for name in arguments:
            at(
                "a missing argument",
                index,
                Step(made.skill, {k: v for k, v in arguments.items() if k != name}),
            )
            at("a wrong type", index, Step(made.skill, arguments | {name: 0.5}))
            if name != "cell":
                at("an unknown reference", index, Step(made.skill, arguments | {name: "nobody"}))
        match made.skill:
            case "explore":
                for cell in ((-1, 0), (8, 8), (3, 3), (6, 0)):
                    at("a cell that cannot be entered", index, step("explore", cell=cell))
            case "navigate":
                if place_before(steps[:index], known) != place_of(made.arguments["to"], known):
                    at("not gone there", index)
                at("gone to what is not active", index, step("navigate", to="gone"))
            case "grasp":
                at("not grasped", index)
                at("grasped twice", index, made, made)
                at("grasped what is not active", index, step("grasp", target="gone"))
            case "deliver":
                others = [name for name in known.records if name != arguments["object"]]
                at(
                    "delivered something else",
                    index,
                    step("deliver", object=others[0], station=arguments["station"]),
                )
                other = set(STATION.values()) - {str(arguments["station"])}
                at(
                    "delivered elsewhere",
                    index,
                    step("deliver", object=arguments["object"], station=other.pop()),
                )
                at("delivered twice", index, made, made)
                if index + 1 < len(steps) and any(later.skill == "grasp" for later in steps[index:]):
                    at("never delivered", index)
    return found
