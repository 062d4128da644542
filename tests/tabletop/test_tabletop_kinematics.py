"""Where the arm reaches, and the ways there."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_bridge.tabletop.kinematics import HOME, Kinematics, rotation_of, tool_of
from robot_bridge.tabletop.planning import STEP_M, NoWay, Way, plan
from robot_bridge.tabletop.scene import compile_scene
from robot_bridge.world import Tool
from tests.tabletop.support import LAYOUT

KINEMATICS = Kinematics(compile_scene(LAYOUT))
START = np.array(HOME)


@given(st.floats(0.32, 0.72), st.floats(-0.6, 0.6), st.floats(0.01, 0.3), st.floats(-1.2, 1.2))
@settings(max_examples=40, deadline=None)
def test_whatever_lies_around_the_base_is_reached(
    away_m: float, azimuth_rad: float, z_m: float, yaw_rad: float
) -> None:
    goal = Tool(away_m * math.cos(azimuth_rad) - 0.5, away_m * math.sin(azimuth_rad), z_m, yaw_rad=yaw_rad)

    joints = KINEMATICS.joints_for(goal, START)

    assert joints is not None
    reached = KINEMATICS.tool(joints)
    assert math.dist(reached[:3], goal[:3]) < 0.001
    assert rotation_of(reached) == pytest.approx(rotation_of(goal), abs=0.006)


@pytest.mark.parametrize(
    "tool",
    [Tool(0.0, 0.0, 0.0), Tool(0.1, 0.2, 0.3, 0.1, -0.2, 1.5), Tool(0.0, 0.0, 0.0, -1.0, 0.5, -3.0)],
    ids=["straight down", "tilted", "turned far"],
)
def test_a_tool_s_angles_are_those_of_its_rotation(tool: Tool) -> None:
    assert tool_of(tool[:3], rotation_of(tool)) == pytest.approx(tool)


def test_at_rest_the_fingers_point_straight_down_and_close_along_y() -> None:
    assert rotation_of(Tool(0.0, 0.0, 0.0)).tolist() == [[1, 0, 0], [0, -1, 0], [0, 0, -1]]


def way_to(goal: Tool, least_steps: int = 1) -> Way | NoWay:
    return plan(KINEMATICS, START, goal, least_steps)


def test_a_way_is_straight_and_no_faster_than_it_may_be() -> None:
    way = way_to(Tool(0.0, 0.2, 0.05))

    assert isinstance(way, Way)
    start = KINEMATICS.tool(START)
    tools = [start, *map(KINEMATICS.tool, way.postures)]
    line = np.array(Tool(0.0, 0.2, 0.05)[:3]) - start[:3]
    line /= np.linalg.norm(line)
    off = [np.linalg.norm(np.cross(np.subtract(each[:3], start[:3]), line)) for each in tools]
    assert max(off) < 0.001
    steps_m = [math.dist(a[:3], b[:3]) for a, b in pairwise(tools)]
    assert max(steps_m) < 1.6 * STEP_M
    assert 10 <= len(way.postures) <= 40


def test_a_way_may_take_longer_than_it_needs() -> None:
    way = way_to(Tool(0.0, 0.2, 0.05), least_steps=90)

    assert isinstance(way, Way)
    assert len(way.postures) == 90


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        pytest.param(
            Tool(0.4, 0.0, 0.1), "no posture of the arm reaches it, 0.90 m from its base", id="too far"
        ),
        pytest.param(Tool(-0.45, 0.0, 0.1), "no posture of the arm reaches it", id="too near"),
        pytest.param(Tool(0.0, 0.0, 1.2), "no posture of the arm reaches it", id="too high"),
        pytest.param(Tool(0.0, 0.0, -0.02), "the fingertips would be 2.9 cm in the table", id="below"),
        pytest.param(Tool(0.0, 0.0, 0.007), "the fingertips would be 0.2 cm in the table", id="a bit below"),
    ],
)
def test_a_waypoint_that_is_not_reached_is_told_why(goal: Tool, why: str) -> None:
    way = way_to(goal)

    assert isinstance(way, NoWay)
    assert way.reason.startswith(why)


def test_the_gripper_is_the_same_turned_by_half_a_turn() -> None:
    way = way_to(Tool(0.1, 0.0, 0.1, yaw_rad=-2.6))

    assert isinstance(way, Way)
    assert KINEMATICS.tool(way.postures[-1]).yaw_rad == pytest.approx(math.pi - 2.6, abs=0.01)


def test_a_tilted_tool_is_reached_too() -> None:
    goal = Tool(0.05, 0.0, 0.15, 0.0, 0.4, 0.0)

    way = way_to(goal)

    assert isinstance(way, Way)
    assert KINEMATICS.tool(way.postures[-1]) == pytest.approx(goal, abs=0.006)
