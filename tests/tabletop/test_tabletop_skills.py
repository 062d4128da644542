"""The skills at the table: what each does, and how it ends."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_bridge import contract, wire
from robot_bridge.tabletop import checking
from robot_bridge.tabletop.world import REST, TabletopWorld
from robot_bridge.world import Outcome, Step
from tests.tabletop.support import move, refusal_of, run, table


@pytest.fixture
def world() -> TabletopWorld:
    return table("bin-fill/easy/refuse")


def test_move_ends_at_its_waypoint_and_tells_what_was_measured(world: TabletopWorld) -> None:
    outcome = run(world, "move", x_m=0.0, y_m=0.1, z_m=0.2, gripper="close")

    assert (outcome.result, outcome.reason) == ("succeeded", "arrived")
    measured = outcome.measured
    assert measured.tool is not None
    assert measured.tool[:3] == pytest.approx((0.0, 0.1, 0.2), abs=0.002)
    assert (measured.height_m, measured.held, measured.touches) == (measured.tool.z_m, None, ())
    assert measured.opening_m == pytest.approx(0.0, abs=0.002)
    assert measured.gripper_open is False
    assert 10 <= measured.moves <= 40
    assert outcome.ended_s == pytest.approx(measured.moves * 0.05)


def test_move_waits_for_its_start_and_takes_its_time(world: TabletopWorld) -> None:
    outcome = run(world, "move", x_m=0.0, y_m=0.1, z_m=0.2, start_step=10, arrive_step=70)

    assert world.steps == pytest.approx(70, abs=3)
    assert outcome.message == "At x 0.000, y 0.100, z 0.200 m."


def test_a_move_that_cannot_be_in_time_says_how_late_it_is(world: TabletopWorld) -> None:
    outcome = run(world, "move", x_m=0.0, y_m=0.1, z_m=0.2, arrive_step=3)

    assert outcome.result == "succeeded"
    assert "steps late" in outcome.message


def test_a_waypoint_that_is_not_reached_is_refused_and_nothing_moves(world: TabletopWorld) -> None:
    before = world.save()

    outcome = run(world, "move", x_m=0.5, y_m=0.0, z_m=0.2)

    assert (outcome.result, outcome.reason) == ("not_executed", "unreachable")
    assert outcome.message.startswith("x 0.500, y 0.000, z 0.200 m was not reached for: no posture")
    assert world.save() == before
    assert outcome.verdict is None


def test_wait_lets_so_many_steps_pass(world: TabletopWorld) -> None:
    outcome = run(world, "wait", steps=7)

    assert (outcome.reason, outcome.measured.moves, world.steps) == ("waited", 7, 7)
    assert outcome.measured.tool == pytest.approx(REST, abs=0.001)


SHUT = {"quantity": "gripper_opening_m", "relation": ">=", "bound_m": 0.01}
LOW = {"quantity": "height_m", "relation": "<=", "bound_m": 0.15}
WAIT = {"skill": "wait", "arguments": {"steps": 2}, "check": None}


@pytest.mark.parametrize(
    ("moves", "result", "reason", "told"),
    [
        pytest.param(
            [move(0.0, 0.0, 0.2), WAIT], "succeeded", "done", [("move", "", None), ("wait", "", None)],
            id="all parts",
        ),
        pytest.param(
            [move(0.0, 0.0, 0.14, LOW), WAIT], "succeeded", "done",
            [("move", "height_m <= 0.15", True), ("wait", "", None)], id="a check that holds",
        ),
        pytest.param(
            [move(0.0, 0.0, 0.2, gripper="close", check=SHUT), WAIT], "failed", "check_failed",
            [("move", "gripper_opening_m >= 0.01", False)], id="a check that fails: the grasp is empty",
        ),
        pytest.param(
            [move(0.0, 0.0, 0.2), move(0.9, 0.0, 0.2)], "not_executed", "unreachable", [],
            id="a later part that is not reached",
        ),
    ],
)  # fmt: skip
def test_a_sequence_stops_at_the_first_part_that_fails(
    world: TabletopWorld, moves: list[Any], result: str, reason: str, told: list[tuple[Any, ...]]
) -> None:
    outcome = run(world, "sequence", moves=moves)

    assert (outcome.result, outcome.reason) == (result, reason)
    assert [(row.what, row.check, row.passed) for row in outcome.measured.trace] == told
    steps = [row.step for row in outcome.measured.trace]
    assert steps == sorted(steps)
    assert outcome.measured.moves == (steps[-1] if steps else 0)


def test_a_sequence_picks_a_cube_and_checks_that_it_has_it(world: TabletopWorld) -> None:
    cube = next(thing for thing in world.task.layout.things if thing.kind == "cube")
    x_m, y_m = cube.pose[:2]
    high = {"quantity": "height_m", "relation": ">=", "bound_m": 0.15}

    outcome = run(
        world,
        "sequence",
        moves=[
            move(x_m, y_m, 0.12, gripper="open"),
            move(x_m, y_m, 0.02, SHUT, gripper="close"),
            move(x_m, y_m, 0.16, high),
        ],
    )

    assert outcome.reason == "done"
    assert world.physics.grasped == cube.name
    assert [event.what for event in world.progress.events] == ["picked"]


@pytest.mark.parametrize("camera", ["front", "wrist"])
def test_locate_finds_the_point_that_a_pixel_shows(world: TabletopWorld, camera: str) -> None:
    outcome = run(world, "locate", camera=camera, pixel=[250.0, 300.0], pixel_2=[280, 310])

    assert (outcome.result, outcome.reason, outcome.measured.moves) == ("succeeded", "located", 0)
    first, second = outcome.measured.points_m
    assert first is not None
    assert second is not None
    assert first != second
    assert -0.01 < first[2] < 0.1
    again = run(world, "locate", camera=camera, pixel=[250.0, 300.0], height_m=first[2])
    assert again.measured.points_m[0] == pytest.approx(first, abs=0.003)
    assert world.steps == 0


@pytest.mark.parametrize(
    ("arguments", "result", "reason", "found", "said"),
    [
        pytest.param(
            {"pixel": [3, 3]}, "not_executed", "no_depth", [False], "Pixel 3, 3 shows no point: nothing is",
            id="nothing is there",
        ),
        pytest.param(
            {"pixel": [3, 3], "pixel_2": [256, 300]}, "succeeded", "located", [False, True],
            "1 of 2 points located. Pixel 3, 3", id="one of two",
        ),
        pytest.param(
            {"pixel": [256, 3], "height_m": 5.0}, "not_executed", "no_point", [False],
            "Pixel 256, 3 shows no point: its ray is never 5 m over the table", id="over the camera",
        ),
    ],
)  # fmt: skip
def test_a_pixel_that_shows_no_point_is_told(
    world: TabletopWorld, arguments: dict[str, Any], result: str, reason: str, found: list[bool], said: str
) -> None:
    outcome = run(world, "locate", camera="front", **arguments)

    assert (outcome.result, outcome.reason) == (result, reason)
    assert [point is not None for point in outcome.measured.points_m] == found
    assert outcome.message.startswith(said)


FULL = [WAIT] * 7


@pytest.mark.parametrize(
    ("skill", "arguments", "code", "field"),
    [
        pytest.param("fly", {}, "unknown_skill", "step.skill", id="unknown skill"),
        pytest.param("delegate", {}, "unknown_skill", "step.skill", id="another executor's skill"),
        pytest.param("move", {"x_m": 0.0, "y_m": 0.0}, "wrong_arguments", "step.arguments", id="no height"),
        pytest.param("wait", {"steps": 3, "for": 1}, "wrong_arguments", "step.arguments", id="too much"),
        pytest.param("wait", {"steps": 0}, "wrong_integer", "step.arguments.steps", id="no step"),
        pytest.param("wait", {"steps": 2.5}, "wrong_integer", "step.arguments.steps", id="half a step"),
        pytest.param(
            "move", {"x_m": 0.0, "y_m": float("nan"), "z_m": 0.1}, "wrong_number", "step.arguments.y_m",
            id="no number",
        ),
        pytest.param(
            "move", {"x_m": 0.0, "y_m": 0.0, "z_m": 0.1, "gripper": "squeeze"}, "wrong_phrase",
            "step.arguments.gripper", id="no such command",
        ),
        pytest.param(
            "locate", {"camera": "front", "pixel": [512, 0]}, "wrong_pixel", "step.arguments.pixel",
            id="a pixel off the image",
        ),
        pytest.param(
            "locate", {"camera": "rear", "pixel": [1, 1]}, "wrong_phrase", "step.arguments.camera",
            id="no such camera",
        ),
        pytest.param("sequence", {"moves": FULL}, "wrong_moves", "step.arguments.moves", id="a seventh move"),
        pytest.param("sequence", {"moves": []}, "wrong_moves", "step.arguments.moves", id="no move"),
        pytest.param(
            "sequence", {"moves": [WAIT, {**WAIT, "skill": "locate"}]}, "wrong_moves",
            "step.arguments.moves[1].skill", id="a skill that is no part",
        ),
        pytest.param(
            "sequence", {"moves": [{**WAIT, "arguments": {"steps": "two"}}]}, "wrong_integer",
            "step.arguments.moves[0].arguments.steps", id="a wrong value within",
        ),
        pytest.param(
            "sequence", {"moves": [{**WAIT, "check": {**SHUT, "quantity": "yaw_rad"}}]}, "wrong_moves",
            "step.arguments.moves[0].check.quantity", id="a check of what is not measured",
        ),
    ],
)  # fmt: skip
def test_what_can_never_be_right_is_refused_by_its_field(
    world: TabletopWorld, skill: str, arguments: dict[str, Any], code: str, field: str
) -> None:
    refusal = refusal_of(world, skill, **arguments)

    assert (refusal.code, refusal.field) == (code, field)
    assert refusal.remedy.endswith(".")


def told_of(outcome: Outcome) -> dict[str, Any]:
    message = wire.outcome("d1", outcome)
    contract.OUTCOME(message, "outcome")
    return message


def test_an_outcome_tells_both_views_with_depth_and_the_watched_frames(world: TabletopWorld) -> None:
    outcome = run(world, "move", cameras=("front",), x_m=0.0, y_m=0.1, z_m=0.2)

    told = told_of(outcome)
    assert [view["camera"] for view in told["views"]] == ["front", "wrist"]
    assert all({"depth_png_base64", "calibration"} <= view.keys() for view in told["views"])
    assert {view["step"] for view in told["views"]} == {world.steps}
    steps = [frame["step"] for frame in told["frames"]]
    assert steps == [*range(0, world.steps, 4), world.steps]
    assert "verdict" not in told
    assert "subgoal" not in told


def test_views_are_drawn_once_between_two_steps(world: TabletopWorld) -> None:
    first = run(world, "locate", camera="front", pixel=[256, 300]).views

    assert run(world, "locate", camera="wrist", pixel=[256, 300]).views is first
    moved = run(world, "move", x_m=0.0, y_m=0.1, z_m=0.2).views
    assert moved != first
    assert [view.step for view in moved] == [world.steps] * 2


def test_a_long_action_leaves_sixteen_frames_and_the_view_before(world: TabletopWorld) -> None:
    outcome = run(world, "wait", cameras=("front",), steps=100)

    assert len(outcome.frames) == 17
    assert (outcome.frames[0].step, outcome.frames[-1].step) == (0, 100)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(["locate", "move", "wait", "sequence"]),
    st.dictionaries(
        st.sampled_from(["x_m", "y_m", "z_m", "steps", "pixel", "camera", "moves", "gripper"]), anything
    ),
)
@settings(max_examples=150, deadline=None)
def test_no_arguments_do_worse_than_being_refused(skill: str, arguments: dict[str, Any]) -> None:
    refusal = checking.refuse(Step(skill, arguments), "direct")

    assert refusal is None or (refusal.field.startswith("step.arguments") and refusal.remedy)


def test_what_stands_in_the_way_stops_the_arm_and_is_told(world: TabletopWorld) -> None:
    cube = next(thing for thing in world.task.layout.things if thing.kind == "cube")
    x_m, y_m = cube.pose[:2]
    run(world, "move", x_m=x_m, y_m=y_m, z_m=0.12, gripper="close")

    outcome = run(world, "move", x_m=x_m, y_m=y_m, z_m=0.02)

    assert (outcome.result, outcome.reason) == ("failed", "blocked")
    assert outcome.message.endswith("cm short.")
    assert world.physics.poses()[cube.name].z_m == pytest.approx(0.02, abs=0.006)


def test_where_nothing_can_be_drawn_each_step_is_refused_with_the_remedy(
    world: TabletopWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.cameras, "problem", lambda: "cannot be seen, no renderer opens")

    refusal = refusal_of(world, "wait", steps=1)

    assert (refusal.code, refusal.problem) == (
        "no_renderer", "needs the cameras, and the table cannot be seen, no renderer opens"
    )  # fmt: skip
    assert "apt-get install" in refusal.remedy
    assert world.views() == ()
