"""The arena's skills by contact: what counts as taken, and what goes wrong ends as a measured outcome."""

from __future__ import annotations

import math
from itertools import product

import pytest

from robot_bridge.arena.paths import FROM_WALL_M
from robot_bridge.arena.scene import RADII_M
from robot_bridge.world import Pose, Step
from tests.arena.support import arena, begin, holding, run, step, to_station, told


def test_a_container_is_taken_and_delivered_by_contact_alone() -> None:
    world = arena()
    taken = holding(world)

    assert told(taken) == ("succeeded", "grasped")
    assert (taken.measured.held, taken.measured.gripper_open) == (world.ids[0], False)
    assert taken.measured.opening_m == pytest.approx(2 * RADII_M[world.floor.classes[0]], abs=0.004)
    assert taken.measured.touches == (f"left finger on {world.ids[0]}", f"right finger on {world.ids[0]}")
    assert world.physics.pinched() == world.ids[0]
    assert told(run(world, to_station(world, "navigate", 0))) == ("succeeded", "arrived")
    assert told(run(world, to_station(world, "deliver", 0))) == ("succeeded", "delivered")
    assert world.measure().held is None
    assert world.floor.states[0] == "delivered"
    assert math.dist(world.floor.spot(0), to_station(world, "deliver", 0).goal[:2]) < 0.17


def test_an_approach_ends_facing_it_at_arms_length() -> None:
    world = arena()
    run(world, step(world, "navigate", 0))
    outcome = run(world, step(world, "approach", 0))

    assert told(outcome) == ("succeeded", "lined_up")
    spot = world.floor.spot(0)
    assert math.dist(outcome.measured.pose[:2], spot) == pytest.approx(0.35, abs=0.025)
    assert abs(world.rover.bearing_rad(spot)) < 0.08


def test_what_is_not_where_it_is_believed_is_a_stale_visit() -> None:
    world = arena()
    believed = Pose(*world.floor.spot(0))
    world.physics.set_down(world.ids[0], world.tape.destinations[0][0])
    run(world, Step("navigate", {"to": world.ids[0]}, believed))

    outcome = run(world, Step("approach", {"target": world.ids[0]}, believed))

    assert told(outcome) == ("failed", "absent")


def test_fingers_that_close_on_nothing_took_nothing() -> None:
    world = arena()
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    begin(world, step(world, "grasp", 0))
    while world.rover.grip().height_m > 0.12:
        assert world.advance() is None
    x_m, y_m = world.floor.spot(0)
    world.physics.set_down(world.ids[0], (x_m + 0.2, y_m + 0.2))
    while (outcome := world.advance()) is None:
        pass

    assert told(outcome) == ("failed", "empty_grasp")
    assert outcome.measured.held is None
    assert outcome.measured.gripper_open


def test_whether_the_gripper_is_open_is_measured_whatever_it_holds() -> None:
    world = arena()
    assert world.measure().gripper_open
    world.physics.set_fingers(0.0)
    for _ in range(10):
        world.advance()

    measured = world.measure()

    assert (measured.held, measured.gripper_open) == (None, False)
    assert measured.opening_m == pytest.approx(0.0, abs=0.003)
    assert world.telemetry()[0]["gripper"] == {"open": False, "held": None}


@pytest.mark.parametrize("carries", [False, True])
def test_the_folded_arm_stays_off_the_walls_that_the_base_is_kept_from(carries: bool) -> None:
    world = arena()
    if carries:
        holding(world)
    physics, here = world.physics, world.rover.spot()
    hand = [physics.model.geom(name) for name in ("finger_left", "finger_right", "palm")]
    corners = [
        physics.data.geom_xpos[each.id] + physics.data.geom_xmat[each.id].reshape(3, 3) @ (side * each.size)
        for each in hand
        for side in product((-1, 1), repeat=3)
    ]
    reach_m = max(math.dist(corner[:2], here) for corner in corners)
    if carries:
        reach_m = max(reach_m, math.dist(world.floor.spot(0), here) + RADII_M[world.floor.classes[0]])

    assert reach_m < FROM_WALL_M - 0.02


def test_a_reflection_is_seen_by_a_skill_as_it_is_told_as_evidence() -> None:
    world = arena()
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    second = round(world.met_s)
    world.tape.looks_detected[second][0], world.tape.looks_false[second][0] = True, True
    made_out = world.floor.seen(second, 0, world.rover.pose())

    assert made_out is not None
    spot, confidence = made_out
    assert math.dist(spot, world.rover.spot()) == pytest.approx(0.70, abs=0.05)
    assert confidence <= 0.60
    assert world.floor.seen(second, 0, world.rover.pose()) == made_out


def test_contact_of_one_finger_is_no_grasp() -> None:
    world = arena()
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    begin(world, step(world, "grasp", 0))
    finger = world.physics.model.geom("finger_left")
    finger.contype, finger.conaffinity = 0, 0
    while (outcome := world.advance()) is None:
        pass

    assert outcome.result == "failed"
    assert outcome.measured.held is None


def test_out_of_the_arms_reach_is_told_and_the_arm_folded_again() -> None:
    world = arena()
    run(world, step(world, "navigate", 0))
    outcome = run(world, step(world, "grasp", 0))

    assert told(outcome) == ("failed", "out_of_reach")
    assert run(world, step(world, "approach", 0)).result == "succeeded"


@pytest.mark.parametrize(("skill", "reason"), [("deliver", "not_holding"), ("grasp", "hands_full")])
def test_what_the_hand_forbids(skill: str, reason: str) -> None:
    world = arena()
    if skill == "grasp":
        holding(world, 0)
        outcome = run(world, step(world, "grasp", 1))
    else:
        outcome = run(world, to_station(world, "deliver", 1))

    assert told(outcome) == ("failed", reason)


def test_a_cell_under_an_obstacle_is_out_of_reach() -> None:
    world = arena()
    x, y = world.tape.obstacles[0]

    assert told(run(world, Step("explore", {"cell": [x, y]}))) == ("failed", "unreachable")
    assert told(run(world, Step("explore", {"cell": [0, 6]})))[0] == "succeeded"


def test_verify_says_what_it_saw() -> None:
    world = arena()
    run(world, step(world, "navigate", 0))

    assert "seen at" in run(world, step(world, "verify", 0)).message
    believed = step(world, "verify", 0)
    world.physics.set_down(world.ids[0], world.tape.destinations[0][0])
    assert "not seen" in run(world, believed).message
