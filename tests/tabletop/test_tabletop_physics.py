"""What is held, pressed, moved by the task, and kept: in the physics alone."""

from collections.abc import Iterator

import pytest

from robot_bridge.tabletop.physics import OPENING_M
from robot_bridge.tabletop.values import Change, Pose
from tests.tabletop.support import Rig


@pytest.fixture(scope="module")
def compiled() -> tuple[Rig, dict]:
    rig = Rig()
    return rig, rig.physics.save()


@pytest.fixture
def rig(compiled: tuple[Rig, dict]) -> Iterator[Rig]:
    """One scene for all, as it was at first."""
    rig, first = compiled
    rig.physics.restore(first)
    yield rig
    rig.physics.change(())


def test_a_cube_between_closed_fingers_is_held_until_they_open(rig: Rig) -> None:
    rig.go(0.0, 0.0, 0.02)
    opening_m = rig.grip(0.0)
    assert rig.physics.grasped == "red_cube"
    assert rig.physics.grasp.contacts() == ("left finger on something", "right finger on something")
    assert opening_m == pytest.approx(0.04, abs=0.003)

    rig.go(0.1, 0.0, 0.15)
    held = rig.physics.poses()["red_cube"]
    assert held[:3] == pytest.approx((0.1, 0.0, 0.15), abs=0.003)

    assert rig.grip(OPENING_M) == pytest.approx(OPENING_M, abs=0.001)
    rig.pass_steps(10)
    assert rig.physics.grasped is None
    assert rig.physics.poses()["red_cube"].z_m == pytest.approx(0.02, abs=0.001)


def test_fingers_that_close_on_nothing_hold_nothing(rig: Rig) -> None:
    rig.go(0.0, 0.0, 0.1)

    assert rig.grip(0.0) == pytest.approx(0.0, abs=0.002)

    assert rig.physics.grasped is None


def test_closed_fingers_push_what_they_do_not_hold(rig: Rig) -> None:
    rig.go(0.06, 0.0, 0.1)
    rig.grip(0.0)
    rig.go(0.06, 0.0, 0.02)

    rig.go(-0.02, 0.0, 0.02)

    cube = rig.physics.poses()["red_cube"]
    assert cube.x_m == pytest.approx(-0.05, abs=0.012)
    assert cube.z_m == pytest.approx(0.02, abs=0.002)
    assert rig.physics.grasped is None


def test_closed_fingers_on_top_of_a_cube_do_not_hold_it(rig: Rig) -> None:
    rig.go(0.0, 0.0, 0.1)
    rig.grip(0.0)

    rig.go(0.0, 0.0, 0.045)

    assert rig.physics.grasped is None


def test_a_container_is_lifted_off_what_it_hides(rig: Rig) -> None:
    rig.go(0.0, 0.2, 0.16)
    rig.go(0.0, 0.2, 0.05)
    assert rig.grip(0.0) == pytest.approx(0.06, abs=0.004)

    rig.go(0.0, 0.2, 0.2)

    poses = rig.physics.poses()
    assert poses["cup"].z_m > 0.15
    assert poses["hidden_cube"] == pytest.approx((0.0, 0.2, 0.02, 0.0), abs=0.006)


def test_a_peg_is_held_across_and_turns_with_the_hand(rig: Rig) -> None:
    rig.go(-0.02, 0.33, 0.1)
    rig.go(-0.02, 0.33, 0.015)
    rig.grip(0.0)
    assert rig.physics.grasped == "peg"

    rig.go(-0.02, 0.2, 0.2, yaw_rad=0.8)

    peg = rig.physics.poses()["peg"]
    assert peg.yaw_rad == pytest.approx(0.8, abs=0.02)


def test_a_button_yields_and_comes_back(rig: Rig) -> None:
    rig.go(0.1, -0.2, 0.1)
    rig.grip(0.0)
    assert rig.physics.snapshot(0).buttons["button"] == pytest.approx(0.0, abs=1e-4)

    rig.go(0.1, -0.2, 0.039)
    assert rig.physics.snapshot(0).buttons["button"] > 0.008

    rig.go(0.1, -0.2, 0.1)
    assert rig.physics.snapshot(0).buttons["button"] == pytest.approx(0.0, abs=1e-3)


def test_a_cube_falls_into_the_bin(rig: Rig) -> None:
    rig.go(0.0, 0.0, 0.02)
    rig.grip(0.0)
    rig.go(0.0, 0.0, 0.2)
    rig.go(-0.05, -0.25, 0.12)

    rig.grip(OPENING_M)
    rig.pass_steps(15)

    cube = rig.physics.poses()["red_cube"]
    assert cube[:2] == pytest.approx((-0.05, -0.25), abs=0.04)
    assert cube.z_m < 0.03


def test_what_the_task_moves_stands_exactly_there_and_moves_nothing(rig: Rig) -> None:
    there = Pose(0.1, 0.1, 0.02, 0.5)
    rig.physics.change((Change("red_cube", there), Change("target", Pose(0.0, 0.0, 0.001))))

    rig.pass_steps(5)

    poses = rig.physics.poses()
    assert poses["red_cube"] == pytest.approx(there, abs=1e-6)
    assert poses["blue_cube"] == pytest.approx((0.1, 0.1, 0.02, 0.0), abs=1e-3)
    assert poses["target"][:2] == pytest.approx((0.0, 0.0))


def test_what_is_gone_is_not_felt_and_comes_back_where_it_was(rig: Rig) -> None:
    rig.physics.change((Change("red_cube", gone=True),))
    rig.go(0.0, 0.0, 0.02)
    assert rig.grip(0.0) == pytest.approx(0.0, abs=0.002)
    rig.grip(OPENING_M)

    rig.physics.change(())
    rig.pass_steps(5)

    assert rig.physics.poses()["red_cube"] == pytest.approx((0.0, 0.0, 0.02, 0.0), abs=1e-3)


def test_what_the_task_takes_out_of_the_fingers_is_not_held_any_more(rig: Rig) -> None:
    rig.go(0.0, 0.0, 0.02)
    rig.grip(0.0)
    assert rig.physics.grasped == "red_cube"

    rig.physics.change((Change("red_cube", Pose(0.1, -0.1, 0.02)),))
    rig.pass_steps(2)

    assert rig.physics.grasped is None


def test_a_state_that_was_put_back_goes_on_as_the_one_that_was_not(rig: Rig) -> None:
    rig.go(0.0, 0.0, 0.02)
    rig.grip(0.0)
    rig.physics.change((Change("blue_cube", Pose(0.05, 0.1, 0.02), "highlight"),))
    saved = rig.physics.save()

    def goes_on() -> list:
        rig.go(0.1, 0.0, 0.15)
        return [rig.physics.poses(), rig.physics.grasped, rig.physics.look().rgba.tolist()]

    first = goes_on()
    rig.go(0.0, -0.1, 0.3)
    rig.grip(OPENING_M)
    rig.physics.restore(saved)

    assert rig.physics.save() == saved
    assert goes_on() == first
