"""Stops in the arena: standstill within a fifth of a second, and nothing lost or dragged along afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from robot_bridge.arena.arm import STOWED, apart_m
from robot_bridge.arena.carrying_out import STOWED_WITHIN_M
from robot_bridge.arena.world import HALT_WITHIN_S, ArenaWorld
from robot_bridge.bridge import Bridge
from robot_bridge.ledger import MemoryLedger
from robot_bridge.world import Step
from tests.arena.support import arena, begin, run, step, through_json, to_station, told
from tests.bridge.support import Runner

STRIDE = 4
"""Steps of the world between two halts."""


def test_a_halt_anywhere_in_a_delivery_stands_still_within_a_fifth_of_a_second() -> None:
    world, twin = arena(3), arena(3)
    late, halts = [], 0
    for skill in ("navigate", "approach", "grasp", "navigate", "deliver"):
        carries = world.rover.held is not None
        begin(world, to_station(world, skill, 0) if carries else step(world, skill, 0))
        steps = 0
        while world.advance() is None:
            steps += 1
            if steps % STRIDE == 0:
                twin.restore(world.save())
                twin.halt("stopped")
                halts += 1
                if twin.met_s - world.met_s > HALT_WITHIN_S + 1e-9 or not twin.is_still():
                    late.append((skill, steps, round(twin.met_s - world.met_s, 1)))

    assert halts > 60
    assert late == []


def halted_in_grasp(seed: int = 1, *, when: str) -> ArenaWorld:
    world = arena(seed)
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    begin(world, step(world, "grasp", 0))
    moments: dict[str, Callable[[], bool]] = {
        "reaching": lambda: world.rover.grip().ahead_m > 0.2,
        "closed": lambda: world.physics.pinched() is not None,
        "lifting": lambda: (
            world.physics.pinched() is not None and world.physics.place(world.ids[0])[2] > 0.08
        ),
    }
    while not moments[when]():
        assert world.advance() is None
    outcome = world.halt("stopped")
    assert outcome is not None
    assert told(outcome) == ("stopped", "stopped")
    return world


@pytest.mark.parametrize("when", ["reaching", "closed", "lifting"])
def test_after_a_halt_with_the_arm_out_it_is_folded_before_the_robot_drives(when: str) -> None:
    world = halted_in_grasp(when=when)
    assert apart_m(world.rover.grip(), STOWED) > STOWED_WITHIN_M

    begin(world, Step("explore", {"cell": [3, 3]}))
    while not any(world.physics.data.ctrl[:2]):
        assert world.advance() is None

    assert apart_m(world.rover.grip(), STOWED) < STOWED_WITHIN_M


@pytest.mark.parametrize("when", ["closed", "lifting"])
def test_what_the_fingers_had_closed_on_stands_there_again_and_is_seen(when: str) -> None:
    world = halted_in_grasp(when=when)
    assert world.floor.on_floor() == [1, 2, 3, 4, 5]
    believed = step(world, "approach", 0)

    outcome = run(world, believed)

    assert told(outcome) == ("succeeded", "lined_up")
    assert outcome.measured.gripper_open
    assert 0 in world.floor.on_floor()
    assert told(run(world, step(world, "grasp", 0))) == ("succeeded", "grasped")


def test_a_halt_over_the_bin_drops_nothing_and_the_delivery_can_be_asked_for_again() -> None:
    world = arena()
    for skill in ("navigate", "approach", "grasp"):
        run(world, step(world, skill, 0))
    run(world, to_station(world, "navigate", 0))
    begin(world, to_station(world, "deliver", 0))
    while world.rover.grip().ahead_m < 0.25:
        assert world.advance() is None
    world.halt("stopped")

    assert world.measure().held == world.ids[0]
    assert told(run(world, to_station(world, "deliver", 0))) == ("succeeded", "delivered")


def test_what_a_cancelled_delivery_had_let_go_over_its_bin_is_delivered() -> None:
    world = arena()
    for skill in ("navigate", "approach", "grasp"):
        run(world, step(world, skill, 0))
    run(world, to_station(world, "navigate", 0))
    begin(world, to_station(world, "deliver", 0))
    while world.rover.held is not None:
        assert world.advance() is None
    outcome = world.halt("cancelled")

    assert outcome is not None
    assert told(outcome) == ("cancelled", "cancelled")
    for _ in range(5):
        world.advance()
    assert world.floor.states[0] == "delivered"
    assert 0 not in world.floor.on_floor()


def test_what_is_dropped_into_another_bin_lies_on_the_floor() -> None:
    world = arena()
    other = "station_metal" if world.floor.classes[0] == "bottle" else "station_plastic"
    stations = {each["id"]: each["pose"] for each in world.describe()["site"]["stations"]}
    world.physics.set_down(world.ids[0], (stations[other]["x_m"], stations[other]["y_m"]))
    world.advance()

    assert world.floor.states[0] == "floor"


def test_a_stop_is_confirmed_where_the_clock_waits() -> None:
    world = arena(3)
    runner = Runner(Bridge(world, MemoryLedger(), lambda: 0.0))
    runner.hello()
    runner.submit("d1", step(world, "navigate", 0))
    for _ in range(34):
        runner.send("advance", epoch=1)

    runner.send("stop", stop_id="s1", actor="operator:ada")

    assert [each["stop_id"] for each in runner.of_kind("stopped")] == ["s1"]


@pytest.mark.parametrize("after_steps", [7, 26, 45, 90])
def test_a_run_that_was_saved_goes_on_to_the_byte(after_steps: int) -> None:
    """The one is stopped and goes on; the other is stopped by a bridge that came back with what was saved."""
    world, restored = arena(3), arena(3)
    begin(world, step(world, "navigate", 1))
    for _ in range(after_steps):
        if world.action is None:
            begin(world, step(world, "approach", 1))
        world.advance()
    restored.restore(through_json(world.save()))

    for each in (world, restored):
        each.halt("stopped")
    assert world.save() == restored.save()
    again = step(world, "navigate", 2)
    assert run(world, again) == run(restored, again)
    assert world.save() == restored.save()
