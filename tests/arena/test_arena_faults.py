"""What physics does to a skill: each fault is measured, told as the skill's outcome, and logged."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from robot_bridge.arena.world import ArenaWorld
from robot_bridge.world import Outcome, Pose, Step
from tests.arena.support import arena, begin, holding, played, run, step, to_station, told


def jam(world: ArenaWorld, joint: str) -> None:
    world.physics.model.joint(joint).damping[:] = 1e4


def move_robot(world: ArenaWorld, x_m: float, y_m: float) -> None:
    world.physics.data.qpos[world.physics._qpos["rover"] :][:2] = x_m, y_m
    world.physics._keeper.refresh()


def logged(caplog: pytest.LogCaptureFixture, outcome: Outcome) -> bool:
    return any(outcome.reason in each.message and outcome.message in each.message for each in caplog.records)


@pytest.fixture(autouse=True)
def _log_level(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "robot_bridge.arena")


@pytest.mark.parametrize("wheel", ["left", "right"])
def test_a_wheel_that_does_not_turn_is_named(wheel: str, caplog: pytest.LogCaptureFixture) -> None:
    world = arena()
    jam(world, f"wheel_{wheel}")

    outcome = run(world, step(world, "navigate", 0), most_s=60.0)

    assert told(outcome) == ("failed", "stuck")
    assert f"The {wheel} wheel does not turn" in outcome.message
    assert logged(caplog, outcome)
    world.halt("stopped")
    assert world.is_still()


def test_a_stuck_wheel_too_near_to_something_ends_the_drive_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = arena()
    x, y = world.tape.obstacles[0]
    move_robot(world, x * 0.5 - 0.25 - 0.15, y * 0.5)
    assert not world.rover.costmap().is_free(world.rover.spot())
    jam(world, "wheel_left")

    outcome = run(world, step(world, "navigate", 0), most_s=60.0)

    assert told(outcome) == ("failed", "stuck")
    assert logged(caplog, outcome)


def test_ways_that_close_again_and_again_end_as_blocked(caplog: pytest.LogCaptureFixture) -> None:
    """Somebody sets a container down before the robot whenever it has planned round it."""
    world = arena()
    begin(world, Step("explore", {"cell": [0, 6]}))
    x_m, y_m, yaw_rad, _ = world.rover.pose()
    while (outcome := world.advance()) is None and world.met_s < 120.0:
        x_m, y_m, yaw_rad, _ = world.rover.pose()
        ahead = x_m + 0.3 * np.cos(yaw_rad), y_m + 0.3 * np.sin(yaw_rad)
        world.physics.set_down(world.ids[0], ahead)

    assert outcome is not None
    assert told(outcome) == ("failed", "blocked")
    assert logged(caplog, outcome)


def test_what_falls_on_the_way_ends_the_drive_and_is_no_longer_held(caplog: pytest.LogCaptureFixture) -> None:
    world = arena()
    holding(world)
    begin(world, to_station(world, "navigate", 0))
    for _ in range(20):
        assert world.advance() is None
    x_m, y_m = world.rover.spot()
    world.physics.set_down(world.ids[0], (x_m - 0.3, y_m))
    outcome = played(world)

    assert told(outcome) == ("failed", "dropped")
    assert outcome.measured.held is None
    assert world.floor.states[0] == "floor"
    assert logged(caplog, outcome)


def test_a_joint_at_its_limit_is_told_as_that(caplog: pytest.LogCaptureFixture) -> None:
    world = arena()
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    world.physics.model.joint("elbow").range[:] = 1.85, 2.8

    outcome = run(world, step(world, "grasp", 0))

    assert told(outcome) == ("failed", "joint_limit")
    assert "The elbow stands at its limit" in outcome.message
    assert logged(caplog, outcome)


def test_an_arm_that_is_kept_from_its_way_is_told_as_that_and_does_not_drive_off(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = arena()
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    begin(world, step(world, "grasp", 0))
    while world.rover.grip().ahead_m < 0.25:
        assert world.advance() is None
    world.halt("stopped")
    jam(world, "elbow")
    before = world.rover.spot()

    outcome = run(world, to_station(world, "navigate", 0))

    assert told(outcome) == ("failed", "arm_blocked")
    assert logged(caplog, outcome)
    assert world.rover.spot() == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("name", ["qpos", "qvel", "ctrl"])
def test_numbers_that_no_body_can_have_end_the_skill_where_it_was(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    world = arena()
    begin(world, step(world, "navigate", 0))
    for _ in range(20):
        assert world.advance() is None
    before = world.rover.spot()
    getattr(world.physics.data, name)[7] = np.nan

    outcome = world.advance()

    assert outcome is not None
    assert told(outcome) == ("failed", "unstable")
    assert logged(caplog, outcome)
    assert world.rover.spot() == pytest.approx(before, abs=0.05)
    assert np.isfinite(world.physics.data.qpos).all()
    assert run(world, step(world, "navigate", 0)).result == "succeeded"


def test_a_breakdown_while_nothing_runs_or_in_a_halt_raises_nothing() -> None:
    world = arena()
    before = world.rover.spot()
    world.physics.data.qvel[0] = np.nan
    assert world.advance() is None
    world.physics.data.qvel[0] = 1e12

    assert world.halt("stopped") is None
    assert world.is_still()
    assert world.rover.spot() == pytest.approx(before, abs=0.01)


def test_an_unreachable_cell_and_a_place_right_here_are_no_faults_of_the_wheels() -> None:
    world = arena()
    x_m, y_m = world.rover.spot()

    x, y = world.tape.obstacles[0]
    assert told(run(world, Step("explore", {"cell": [x, y]}))) == ("failed", "unreachable")
    here = Step("verify", {"target": world.ids[0]}, Pose(x_m, y_m))
    assert told(run(world, here)) == ("succeeded", "looked")
