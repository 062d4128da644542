"""MoveCube, InsertPeg, PatternLock, RouteStick: what succeeds, what fails, both sides of each threshold."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import pi
from random import Random

import pytest

from robot_bridge.tabletop.tasks.insert_peg import InsertPeg
from robot_bridge.tabletop.tasks.move_cube import MANNERS, Manner, MoveCube
from robot_bridge.tabletop.tasks.pattern_lock import PatternLock
from robot_bridge.tabletop.tasks.route_stick import RouteStick, Side
from robot_bridge.tabletop.values import Pose
from tests.tabletop.tasks.play import HIGH_M, Play

Script = Callable[[Play], Play]


def move_cube(manner: Manner) -> Play:
    return Play(replace(MoveCube.drawn(Random(12), "easy"), manner=manner))


def carry(play: Play, off_m: float = 0.0) -> Play:
    return play.pick("cube").over("target", HIGH_M, off_m).drop()


def slide(play: Play, grasped: str | None, off_m: float = 0.0) -> Play:
    """The cube goes to the target bit by bit, while that is held or nothing is."""
    begin, end = play.poses["cube"], play.task.layout.thing("target").pose
    play.tick(grasped=grasped, fingers_open=False)
    for share in (0.2, 0.4, 0.6, 0.8, 1.0):
        x_m = begin.x_m + share * (end.x_m + off_m - begin.x_m)
        play.poses["cube"] = Pose(x_m, begin.y_m, 0.02)
        play.tick()
    return play


def push(play: Play, off_m: float = 0.0) -> Play:
    return slide(play, None, off_m).tick(fingers_open=True)


def draw(play: Play, off_m: float = 0.0) -> Play:
    return slide(play.pick("hook"), "hook", off_m).tick(grasped=None, fingers_open=True)


MOVE_CUBE = [
    pytest.param("carried", carry, "done", id="carried as shown"),
    pytest.param("carried", push, "wrong_manner", id="pushed, not carried"),
    pytest.param("carried", draw, "wrong_manner", id="hooked, not carried"),
    pytest.param("carried", lambda p: carry(p, 0.0499), "done", id="dropped 5 cm off"),
    pytest.param("carried", lambda p: carry(p, 0.0501), None, id="dropped beside it"),
    pytest.param("carried", lambda p: carry(push(p, 0.06)), "done", id="pushed beside it, then carried"),
    pytest.param("pushed", push, "done", id="pushed as shown"),
    pytest.param("pushed", draw, "wrong_manner", id="hooked, not pushed"),
    pytest.param("pushed", lambda p: p.hold("cube", 0.051), "wrong_manner", id="picked, not pushed"),
    pytest.param("pushed", lambda p: p.hold("cube", 0.05), None, id="grasped up to 5 cm"),
    pytest.param("pushed", lambda p: push(p, 0.0479), "done", id="pushed to 4.8 cm off"),
    pytest.param("pushed", lambda p: push(p, 0.0481), None, id="pushed beside it"),
    pytest.param("pushed", lambda p: slide(p, None), None, id="there, fingers not yet open"),
    pytest.param("hooked", draw, "done", id="hooked as shown"),
    pytest.param("hooked", push, "wrong_manner", id="pushed, not hooked"),
    pytest.param("hooked", carry, "wrong_manner", id="carried, not hooked"),
    pytest.param("hooked", lambda p: draw(p, 0.0479), "done", id="hooked to 4.8 cm off"),
    pytest.param("hooked", lambda p: draw(p, 0.0481), None, id="hooked beside it"),
    pytest.param("hooked", lambda p: slide(p.pick("hook"), "hook"), None, id="there, hook still held"),
    pytest.param("hooked", lambda p: draw(push(p, 0.06)), "done", id="pushed part of the way, then hooked"),
    pytest.param("hooked", lambda p: push(draw(p, 0.06)), "wrong_manner", id="hooked, the rest pushed"),
]


@pytest.mark.parametrize(("manner", "script", "reason"), MOVE_CUBE)
def test_move_cube(manner: Manner, script: Script, reason: str | None) -> None:
    assert script(move_cube(manner)).reason == reason


def test_every_manner_is_drawn() -> None:
    assert {MoveCube.drawn(Random(seed), "easy").manner for seed in range(30)} == set(MANNERS)


def insert_peg() -> Play:
    """The second peg is meant, by its end towards its own x, to be inserted from the left."""
    task = InsertPeg.drawn(Random(13), "easy")
    return Play(replace(task, peg="peg_2", end=task.layout.thing("peg_2").colour, side="left"))


def take(play: Play, peg: str = "peg_2", along_m: float = 0.035, z_m: float = 0.1) -> Play:
    """Held so far from its middle."""
    at = play.poses[peg]
    play.poses[peg] = at._replace(z_m=z_m)
    return play.tick(grasped=peg, fingers_open=False, tcp=(at.x_m + along_m, at.y_m, z_m))


def insert(
    play: Play, off_m: float = 0.02, peg: str = "peg_2", turned_rad: float = pi / 2, beside_m: float = 0.0
) -> Play:
    """So far to the left of the box's middle."""
    box = play.task.layout.thing("hole").pose
    play.poses[peg] = Pose(box.x_m + beside_m, box.y_m + off_m, box.z_m, turned_rad)
    return play.tick()


INSERT_PEG = [
    pytest.param(lambda p: insert(take(p)), "done", id="the peg, the end and the side shown"),
    pytest.param(lambda p: take(p, "peg_1"), "wrong_peg", id="another peg"),
    pytest.param(lambda p: take(p, "peg_1", z_m=0.05), None, id="another peg at 5 cm is not picked"),
    pytest.param(lambda p: take(p, along_m=-0.035), "wrong_end", id="the other end"),
    pytest.param(
        lambda p: take(p, along_m=-0.035, z_m=0.05), None, id="by the other end at 5 cm is not picked"
    ),
    pytest.param(lambda p: insert(take(p), -0.02), "wrong_side", id="from the other side"),
    pytest.param(lambda p: insert(take(p), 0.0499), "done", id="5 cm from the middle"),
    pytest.param(lambda p: insert(take(p), 0.0501), None, id="more than 5 cm from the middle"),
    pytest.param(lambda p: insert(take(p), turned_rad=-pi / 2), "done", id="either end first"),
    pytest.param(lambda p: insert(take(p), turned_rad=0.0), None, id="across the hole"),
    pytest.param(lambda p: insert(take(p), turned_rad=pi / 2 - 0.2), "done", id="a little out of line"),
    pytest.param(lambda p: insert(take(p), turned_rad=pi / 2 - 0.3), None, id="too far out of line"),
    pytest.param(lambda p: insert(take(p), beside_m=0.0149), "done", id="within the opening"),
    pytest.param(lambda p: insert(take(p), beside_m=0.0151), None, id="beside the opening"),
    pytest.param(lambda p: insert(p, peg="peg_3"), "wrong_peg", id="another inserted without being picked"),
]


@pytest.mark.parametrize(("script", "reason"), INSERT_PEG)
def test_insert_peg(script: Script, reason: str | None) -> None:
    assert script(insert_peg()).reason == reason


PATTERN = ("node_1_1", "node_2_2", "node_2_3")


def pattern_lock() -> Play:
    return Play(replace(PatternLock.drawn(Random(14), "easy"), path=PATTERN))


def touch(play: Play, *nodes: str, z_m: float = 0.04, off_m: float = 0.0) -> Play:
    for node in nodes:
        play.over(node, z_m, off_m)
    return play


PATTERN_LOCK = [
    pytest.param(lambda p: touch(p, *PATTERN), "done", id="all in order"),
    pytest.param(lambda p: touch(p, *PATTERN[:2]), None, id="not all yet"),
    pytest.param(lambda p: touch(p, *reversed(PATTERN)), "wrong_node", id="the wrong way round"),
    pytest.param(lambda p: touch(p, PATTERN[0], "node_1_2"), "wrong_node", id="another node"),
    pytest.param(
        lambda p: touch(p, PATTERN[0], PATTERN[0], *PATTERN[1:]), "done", id="staying on one is one"
    ),
    pytest.param(lambda p: touch(p, *PATTERN[:2], PATTERN[0]), "wrong_node", id="back to one before"),
    pytest.param(lambda p: touch(p, *PATTERN, off_m=0.0099), "done", id="1 cm off touches"),
    pytest.param(lambda p: touch(p, *PATTERN, off_m=0.0101), None, id="more does not"),
    pytest.param(lambda p: touch(p, *PATTERN, z_m=0.0999), "done", id="below 10 cm touches"),
    pytest.param(lambda p: touch(p, *PATTERN, z_m=0.10), None, id="at 10 cm does not"),
    pytest.param(
        lambda p: touch(touch(touch(p, PATTERN[0]), "node_1_2", z_m=0.1), *PATTERN[1:]),
        "done",
        id="high over one",
    ),
]


@pytest.mark.parametrize(("script", "reason"), PATTERN_LOCK)
def test_pattern_lock(script: Script, reason: str | None) -> None:
    assert script(pattern_lock()).reason == reason


def route_stick() -> Play:
    """From the second node to the third past its left, and back past its right."""
    task = RouteStick.drawn(Random(15), "easy")
    return Play(replace(task, route=(1, 2, 1), sides=("left", "right")))


def visit(play: Play, number: int, z_m: float = 0.1, off_m: float = 0.0) -> Play:
    return play.over(f"node_{number}", z_m, off_m)


def past(play: Play, stick: int, side: Side, towards: int, z_m: float = 0.1) -> Play:
    """In two steps, before and behind it, going that way along y. The left of +y is the side of smaller x."""
    at = play.task.layout.thing(f"stick_{stick}").pose
    dx_m = 0.09 * (-towards if side == "left" else towards)
    for dy_m in (-0.01, 0.01):
        play.at(at.x_m + dx_m, at.y_m + towards * dy_m, z_m)
    return play


def leg(
    play: Play, to: int, stick: int, side: Side, towards: int, z_m: float = 0.1, off_m: float = 0.0
) -> Play:
    return visit(past(play, stick, side, towards, z_m), to, z_m, off_m)


ROUTE_STICK = [
    pytest.param(lambda p: leg(leg(visit(p, 2), 3, 2, "left", 1), 2, 2, "right", -1), "done", id="both legs"),
    pytest.param(lambda p: leg(visit(p, 2), 3, 2, "left", 1), None, id="the first leg alone"),
    pytest.param(lambda p: leg(visit(p, 2), 3, 2, "right", 1), "wrong_side", id="past the other side"),
    pytest.param(
        lambda p: leg(leg(visit(p, 2), 3, 2, "left", 1), 2, 2, "left", -1),
        "wrong_side",
        id="back past the other",
    ),
    pytest.param(lambda p: visit(p, 3), "wrong_node", id="begun at another node"),
    pytest.param(lambda p: leg(visit(p, 2), 1, 1, "left", -1), "wrong_node", id="to another node"),
    pytest.param(
        lambda p: past(past(past(visit(p, 2), 2, "right", 1), 2, "right", -1), 2, "left", 1).over(
            "node_3", 0.1
        ),
        None,
        id="the last passing counts",
    ),
    pytest.param(
        lambda p: visit(past(visit(p, 2), 2, "left", 1, z_m=0.15), 3), "wrong_side", id="over it at 15 cm"
    ),
    pytest.param(lambda p: leg(visit(p, 2), 3, 2, "left", 1, z_m=0.149), None, id="past it below 15 cm"),
    pytest.param(lambda p: visit(p, 3, z_m=0.15), None, id="at 15 cm no node is visited"),
    pytest.param(lambda p: visit(p, 3, z_m=0.149), "wrong_node", id="below 15 cm it is"),
    pytest.param(lambda p: visit(p, 3, off_m=0.0299), "wrong_node", id="within 3 cm it is"),
    pytest.param(lambda p: visit(p, 3, off_m=0.0301), None, id="beyond 3 cm it is not"),
]


@pytest.mark.parametrize(("script", "reason"), ROUTE_STICK)
def test_route_stick(script: Script, reason: str | None) -> None:
    assert script(route_stick()).reason == reason


@pytest.mark.parametrize("seed", range(8))
def test_hard_routes_lead_back(seed: int) -> None:
    route = RouteStick.drawn(Random(seed), "hard").route

    assert any(a == c for a, c in zip(route, route[2:], strict=False))
    assert all(abs(a - b) == 1 for a, b in pairwise(route))


@pytest.mark.parametrize("seed", range(8))
def test_a_pattern_leads_from_neighbour_to_neighbour_and_never_back(seed: int) -> None:
    path = [tuple(map(int, name.split("_")[1:])) for name in PatternLock.drawn(Random(seed), "hard").path]

    assert len(set(path)) == len(path)
    assert all(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in pairwise(path))
