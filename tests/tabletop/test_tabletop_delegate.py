"""The scripted executor: phrases, chunks, and what goes wrong at set rates."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from robot_bridge.tabletop.executor import NO_FAULTS, Faults, Order, is_same, order_of, waypoints_for
from robot_bridge.tabletop.tasks import ways
from robot_bridge.tabletop.tasks.insert_peg import insert_peg
from robot_bridge.tabletop.tasks.move_cube import draw_cube, push_cube
from robot_bridge.tabletop.tasks.route_stick import pass_stick
from robot_bridge.tabletop.values import Pose, Snapshot, Subgoal, Thing, Waypoint
from robot_bridge.tabletop.world import TabletopWorld
from robot_bridge.world import Subgoal as Told
from tests.tabletop.support import LAYOUT, refusal_of, run, table

SNAP = Snapshot(step=0, tcp=(0.0, 0.0, 0.3), objects={each.name: each.pose for each in LAYOUT.things})
RED = (0.0, 0.0, 0.04)


def way_of(
    phrase: str, at_m: tuple[float, float, float], faults: Faults = NO_FAULTS, ideal: Subgoal | None = None
) -> tuple[Waypoint, ...]:
    return waypoints_for(Order(phrase, at_m), LAYOUT, SNAP, ideal, Random(1), faults)


@pytest.mark.parametrize(
    ("phrase", "at_m", "way"),
    [
        pytest.param("pick up the red cube", RED, ways.pick(LAYOUT.thing("red_cube").pose), id="pick"),
        pytest.param(
            "pick up the red cube", (0.03, 0.02, 0.0), ways.pick(LAYOUT.thing("red_cube").pose),
            id="pick what is pointed at nearly",
        ),
        pytest.param(
            "pick up the container", (0.0, 0.2, 0.07), ways.lift_container(LAYOUT.thing("cup").pose),
            id="lift a container",
        ),
        pytest.param(
            "press the button", (0.1, -0.2, 0.04), ways.press(LAYOUT.thing("button")), id="press",
        ),
        pytest.param(
            "place it on the target", (0.1, -0.05, 0.0), ways.place(LAYOUT.thing("target").pose), id="place",
        ),
        pytest.param(
            "place it on the table", (0.15, 0.0, 0.0), ways.place(Pose(0.15, 0.0, 0.0)), id="place anywhere",
        ),
        pytest.param("put it down", RED, ways.place(Pose(0.0, 0.0, 0.0)), id="put down here"),
        pytest.param(
            "pick up the red cube", (0.15, 0.3, 0.0), (Waypoint(0.15, 0.3, ways.CARRY_M),),
            id="nothing is where it points",
        ),
        pytest.param(
            "push the cube", RED, push_cube(LAYOUT.thing("red_cube").pose, LAYOUT.thing("target").pose),
            id="push",
        ),
        pytest.param(
            "hook the cube", RED, (Waypoint(0.0, 0.0, ways.CARRY_M),), id="hook with nothing to hook by",
        ),
        pytest.param(
            "insert the peg from the left", RED, (Waypoint(0.0, 0.0, ways.CARRY_M),), id="insert nothing",
        ),
    ],
)  # fmt: skip
def test_a_phrase_and_a_place_come_to_waypoints(
    phrase: str, at_m: tuple[float, float, float], way: tuple[Waypoint, ...]
) -> None:
    assert way_of(phrase, at_m) == way


@pytest.mark.parametrize(("kept", "end_m"), [(True, 0.1), (False, 0.05)], ids=["sticks", "no sticks"])
def test_a_move_goes_up_over_and_down(kept: bool, end_m: float) -> None:
    things = tuple(each for each in LAYOUT.things if kept or each.kind != "stick")
    order = Order("move to the right target", (0.1, -0.05, 0.0))

    way = waypoints_for(order, replace(LAYOUT, things=things), SNAP, None, Random(1), NO_FAULTS)

    assert [each.z_m for each in way] == [0.3, ways.CARRY_M, end_m]


@pytest.mark.parametrize(
    ("held", "phrase", "at_m", "way"),
    [
        pytest.param(
            "hook", "hook the cube", RED,
            draw_cube(LAYOUT.thing("red_cube").pose, LAYOUT.thing("target").pose), id="by the hook it holds",
        ),
        pytest.param(
            "peg", "insert the peg from the left", (0.1, -0.4, 0.1),
            insert_peg(LAYOUT.thing("hole").pose, 1, 1), id="by the end it holds",
        ),
    ],
)  # fmt: skip
def test_with_something_in_the_fingers_more_can_be_done(
    held: str, phrase: str, at_m: tuple[float, float, float], way: tuple[Waypoint, ...]
) -> None:
    snap = replace(SNAP, grasped=held)

    assert waypoints_for(Order(phrase, at_m), LAYOUT, snap, None, Random(1), NO_FAULTS) == way


def test_round_a_stick_it_goes_to_the_node_behind_it() -> None:
    nodes = [
        Thing(f"node_{n}", "node", "node", Pose(0.1, y_m, 0.001), (0.03, 0.03, 0.002))
        for n, y_m in enumerate((0.17, 0.33))
    ]
    layout = replace(LAYOUT, things=(*LAYOUT.things, *nodes))
    objects = {each.name: each.pose for each in layout.things}
    snap = replace(SNAP, tcp=(0.1, 0.17, 0.1), objects=objects)
    order = Order("go round the stick on the right", (0.1, 0.25, 0.1))

    way = waypoints_for(order, layout, snap, None, Random(1), NO_FAULTS)

    assert way == pass_stick(nodes[0], nodes[1], "right")


def test_what_the_task_holds_right_is_done_its_way_where_that_is_pointed_at() -> None:
    ideal = Subgoal("push the cube", RED, (Waypoint(0.05, 0.0, 0.02),))

    assert way_of("push the cube", RED, ideal=ideal) == ideal.waypoints
    assert way_of("push the cube", (0.1, 0.1, 0.0), ideal=ideal) != ideal.waypoints
    assert way_of("hook the cube", RED, ideal=ideal) != ideal.waypoints


def test_a_press_is_never_timed_for_the_planner() -> None:
    button = LAYOUT.thing("button")
    timed = Subgoal("press the button", button.pose[:3], (Waypoint(0.1, -0.2, 0.03, start_step=200),))

    assert way_of("press the button", button.pose[:3], ideal=timed) == ways.press(button)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param(Order("push the cube", RED, "red_cube"), (0.2, 0.0, 0.0), True, id="it has moved"),
        pytest.param(Order("hook the cube", RED, "red_cube"), (0.0, 0.0, 0.0), False, id="other words"),
        pytest.param(Order("push the cube", RED, "blue_cube"), (0.0, 0.0, 0.0), False, id="another thing"),
        pytest.param(Order("push the cube", RED), (0.03, 0.0, 0.0), True, id="about the same place"),
        pytest.param(Order("push the cube", RED), (0.09, 0.0, 0.0), False, id="another place"),
    ],
)
def test_an_order_is_the_same_by_its_words_and_what_they_mean(
    one: Order, other: tuple[float, float, float], same: bool
) -> None:
    assert is_same(one, Order("push the cube", other, "red_cube" if one.meant else "")) == same


@pytest.mark.parametrize(
    ("phrase", "at_m", "meant"),
    [
        ("push the cube", (0.03, 0.0, 0.0), "red_cube"),
        ("push the cube", (0.15, 0.35, 0.0), ""),
        ("pick up the container", (0.0, 0.2, 0.07), "cup"),
        ("pick up the green cube", (0.0, 0.2, 0.07), "hidden_cube"),
        ("press the button", (0.1, -0.21, 0.04), "button"),
        ("put it down", (0.0, 0.0, 0.0), ""),
    ],
)
def test_what_is_meant_is_the_nearest_thing_that_the_phrase_may_mean(
    phrase: str, at_m: tuple[float, float, float], meant: str
) -> None:
    assert order_of(phrase, at_m, LAYOUT, SNAP).meant == meant


ALWAYS = {
    "empty_grasp": Faults(1.0, 0.0, 0.0),
    "stall": Faults(0.0, 1.0, 0.0),
    "late_press": Faults(0.0, 0.0, 1.0),
}


def test_an_empty_grasp_closes_above_what_it_should_hold() -> None:
    right, wrong = (
        way_of("pick up the red cube", RED),
        way_of("pick up the red cube", RED, ALWAYS["empty_grasp"]),
    )

    assert [each.gripper for each in wrong] == [each.gripper for each in right]
    assert wrong[1].z_m == pytest.approx(right[1].z_m + 0.05)


def test_a_stall_leaves_the_rest_undone() -> None:
    right = way_of("pick up the red cube", RED)

    wrong = way_of("pick up the red cube", RED, ALWAYS["stall"])

    assert wrong == right[: len(wrong)]
    assert len(wrong) < len(right)


def test_a_late_press_waits_over_the_button() -> None:
    wrong = way_of("press the button", LAYOUT.thing("button").pose[:3], ALWAYS["late_press"])

    assert 8 <= wrong[0].wait_steps <= 24
    assert sum(each.wait_steps for each in wrong[1:]) == 0


@pytest.mark.parametrize("fault", ["empty_grasp", "stall", "late_press"])
def test_faults_come_at_their_rate(fault: str) -> None:
    rates = NO_FAULTS._replace(**{fault: 0.3})
    phrase, at_m = (
        ("press the button", (0.1, -0.2, 0.0)) if fault == "late_press" else ("pick up the red cube", RED)
    )
    right = way_of(phrase, at_m)

    wrong = [
        waypoints_for(Order(phrase, at_m), LAYOUT, SNAP, None, Random(seed), rates) != right
        for seed in range(400)
    ]

    assert 0.2 < sum(wrong) / len(wrong) < 0.4


@pytest.fixture
def world() -> TabletopWorld:
    """Its executor makes no mistake, and the next subgoal is told."""
    world = table("bin-fill/easy/delegate", emits_truth=True)
    world.faults = NO_FAULTS
    return world


def delegate(world: TabletopWorld, subgoal: Told | None, chunks: int) -> Any:
    assert subgoal is not None
    return run(world, "delegate", phrase=subgoal.phrase, pixel=list(subgoal.pixel), chunks=chunks)


def test_a_row_is_told_of_each_chunk_and_all_of_them_pass(world: TabletopWorld) -> None:
    outcome = delegate(world, world.subgoal(), 4)

    assert (outcome.result, outcome.reason, outcome.measured.moves) == ("succeeded", "delegated", 64)
    assert [row.step for row in outcome.measured.trace] == [16, 32, 48, 64]
    assert min(row.height_m for row in outcome.measured.trace) == pytest.approx(0.02, abs=0.003)
    assert outcome.measured.trace[-1].opening_m == pytest.approx(0.04, abs=0.003)
    assert world.physics.grasped is not None


def test_the_same_phrase_again_goes_on_with_it(world: TabletopWorld) -> None:
    subgoal = world.subgoal()

    for _ in range(4):
        delegate(world, subgoal, 1)

    assert world.steps == 64
    assert world.physics.grasped is not None


def test_what_was_under_way_is_kept(world: TabletopWorld) -> None:
    subgoal = world.subgoal()
    delegate(world, subgoal, 2)

    saved = world.save()
    first = delegate(world, subgoal, 2)
    world.restore(saved)

    assert delegate(world, subgoal, 2).measured.tool == pytest.approx(first.measured.tool, abs=0.002)


def test_an_oracle_solves_a_task_by_phrases(world: TabletopWorld) -> None:
    for _ in range(12):
        outcome = delegate(world, world.subgoal(), 5)
        if outcome.verdict is not None:
            break

    assert outcome.verdict is not None
    assert outcome.verdict.status == "success"


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        pytest.param({"phrase": "juggle"}, "wrong_phrase", "phrase", id="not in the vocabulary"),
        pytest.param({"pixel": [-1, 4]}, "wrong_pixel", "pixel", id="off the image"),
        pytest.param({"chunks": 9}, "wrong_integer", "chunks", id="a ninth chunk"),
        pytest.param({"chunks": 0}, "wrong_integer", "chunks", id="no chunk"),
    ],
)
def test_an_order_that_can_never_be_right_is_refused(
    world: TabletopWorld, arguments: dict[str, Any], code: str, field: str
) -> None:
    given = {"phrase": "put it down", "pixel": [1, 1], "chunks": 1, **arguments}

    refusal = refusal_of(world, "delegate", **given)

    assert (refusal.code, refusal.field) == (code, f"step.arguments.{field}")


def test_a_pixel_past_the_table_is_not_executed(world: TabletopWorld) -> None:
    outcome = run(world, "delegate", phrase="put it down", pixel=[3, 3], chunks=1)

    assert (outcome.result, outcome.reason, world.steps) == ("not_executed", "no_depth", 0)
