"""What stands where: apart, within reach and in view, in the counts that the benchmark has."""

from collections.abc import Callable, Mapping
from itertools import combinations
from math import hypot
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robot_bridge.tabletop.colours import RGB
from robot_bridge.tabletop.tasks import SUITES, TASK_NAMES, task_named
from robot_bridge.tabletop.tasks.bin_fill import BinFill
from robot_bridge.tabletop.tasks.pattern_lock import PatternLock
from robot_bridge.tabletop.tasks.pick_highlight import PickHighlight
from robot_bridge.tabletop.tasks.pick_xtimes import PickXtimes
from robot_bridge.tabletop.tasks.placing import FARTHEST_M, NEAREST_M
from robot_bridge.tabletop.tasks.route_stick import RouteStick
from robot_bridge.tabletop.tasks.stop_cube import StopCube
from robot_bridge.tabletop.tasks.swing_xtimes import SwingXtimes
from robot_bridge.tabletop.tasks.unmask import Unmask
from robot_bridge.tabletop.tasks.video_place import VideoPlace
from robot_bridge.tabletop.tasks.video_repick import VideoRepick
from robot_bridge.tabletop.values import Difficulty, Task, Thing

DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
SEED = st.integers(0, 2**31 - 1)
TABLE_M = 0.5
BASE_X_M = -0.5
CLEAR_M = 0.004
"""At least so far apart are any two that stand on the table, from face to face."""


def drawn(name: str, seed: int, difficulty: Difficulty) -> Task:
    return task_named(name, Random(seed), difficulty)


def is_within(inner: Thing, outer: Thing) -> bool:
    """Such as a cube beneath a container."""
    return outer.kind == "container" and inner.kind == "cube" and inner.pose[:2] == outer.pose[:2]


def gap_m(a: Thing, b: Thing) -> float:
    """Between two boxes that lie along the axes, as all layouts have them."""
    apart = [abs(a.pose[i] - b.pose[i]) - (a.size[i] + b.size[i]) / 2 for i in (0, 1)]
    return hypot(*(max(each, 0.0) for each in apart)) if max(apart) > 0 else max(apart)


@pytest.mark.parametrize("name", TASK_NAMES)
@settings(max_examples=15)
@given(seed=SEED, difficulty=st.sampled_from(DIFFICULTIES))
def test_nothing_overlaps_and_all_is_reached(name: str, seed: int, difficulty: Difficulty) -> None:
    things = drawn(name, seed, difficulty).layout.things

    for a, b in combinations(things, 2):
        if not is_within(a, b) and not is_within(b, a):
            assert gap_m(a, b) >= CLEAR_M, f"{a} and {b}"
    for each in things:
        assert max(abs(each.pose.x_m) + each.size[0] / 2, abs(each.pose.y_m) + each.size[1] / 2) < TABLE_M
        moves_by_itself = name == "stop-cube" and each.kind == "cube"
        if not moves_by_itself:
            away_m = hypot(each.pose.x_m - BASE_X_M, each.pose.y_m)
            assert NEAREST_M - 0.02 <= away_m <= FARTHEST_M + 0.01, each
        assert {each.colour, each.second_colour or each.colour} <= set(RGB)
        assert each.pose.z_m == pytest.approx(each.size[2] / 2)
    assert len({each.name for each in things}) == len(things)


def binned(task: Task) -> int:
    assert isinstance(task, BinFill)
    return sum(task.wanted.values())


def times(task: Task) -> int:
    assert isinstance(task, PickXtimes | SwingXtimes | VideoRepick)
    return task.count


def passes(task: Task) -> int:
    assert isinstance(task, StopCube)
    return task.due


def pass_steps(task: Task) -> int:
    assert isinstance(task, StopCube)
    return task.pass_steps


def colours(task: Task) -> int:
    assert isinstance(task, Unmask)
    return len(task.colours)


def swaps(task: Task) -> int:
    assert isinstance(task, Unmask | VideoRepick | VideoPlace)
    return len(task.swaps)


def lit(task: Task) -> int:
    assert isinstance(task, PickHighlight)
    return len(task.wanted)


def path(task: Task) -> int:
    assert isinstance(task, PatternLock)
    return len(task.path)


def legs(task: Task) -> int:
    assert isinstance(task, RouteStick)
    assert len(task.route) == len(task.sides) + 1
    return len(task.sides)


def how_many(kind: str) -> Callable[[Task], int]:
    return lambda task: sum(each.kind == kind for each in task.layout.things)


Range = range | tuple[int, ...]


def span(least: int, most: int) -> range:
    return range(least, most + 1)


COUNTS: Mapping[str, tuple[str, Callable[[Task], int], Range, Range, Range]] = {
    "cubes into the bin": ("bin-fill", binned, span(1, 3), span(2, 4), span(3, 5)),
    "times placed": ("pick-xtimes", times, span(1, 3), span(1, 3), span(4, 5)),
    "times swung": ("swing-xtimes", times, span(1, 3), span(1, 2), span(3, 3)),
    "which pass": ("stop-cube", passes, span(2, 5), span(2, 5), span(2, 5)),
    "steps of a pass": ("stop-cube", pass_steps, (60,), (80,), (120,)),
    "containers shown in a video": ("video-unmask", how_many("container"), (3,), (5,), (15,)),
    "colours after a video": ("video-unmask", colours, (1,), (1,), (2,)),
    "containers shown by a press": ("button-unmask", how_many("container"), (3,), (5,), (15,)),
    "colours after a press": ("button-unmask", colours, (1,), (1,), (2,)),
    "one button": ("button-unmask", how_many("button"), (1,), (1,), (1,)),
    "containers swapped in a video": ("video-unmask-swap", how_many("container"), (3,), (4,), (4,)),
    "swaps in a video": ("video-unmask-swap", swaps, span(1, 2), span(1, 2), span(2, 3)),
    "colours after a video of swaps": ("video-unmask-swap", colours, span(1, 2), (1,), (2,)),
    "containers swapped meanwhile": ("button-unmask-swap", how_many("container"), (3,), (4,), (4,)),
    "swaps meanwhile": ("button-unmask-swap", swaps, span(1, 2), span(1, 2), span(2, 3)),
    "colours after swaps meanwhile": ("button-unmask-swap", colours, span(1, 2), (1,), (2,)),
    "two buttons": ("button-unmask-swap", how_many("button"), (2,), (2,), (2,)),
    "cubes of which some light up": ("pick-highlight", how_many("cube"), (3,), (4,), (6,)),
    "cubes that light up": ("pick-highlight", lit, (1,), (2,), (3,)),
    "times picked again": ("video-repick", times, span(1, 3), span(1, 3), span(1, 3)),
    "swaps of cubes": ("video-repick", swaps, span(1, 2), span(2, 3), (0,)),
    "targets round a press": ("video-place-button", how_many("target"), (3,), (4,), (4,)),
    "swaps of targets": ("video-place-button", swaps, (0,), (0,), (1,)),
    "targets in order": ("video-place-order", how_many("target"), (4,), (4,), (4,)),
    "swaps of targets in order": ("video-place-order", swaps, (0,), (0,), (1,)),
    "pegs": ("insert-peg", how_many("peg"), (3,), (3,), (3,)),
    "nodes of a grid": ("pattern-lock", how_many("node"), (9,), (16,), (25,)),
    "length of a pattern": ("pattern-lock", path, span(2, 4), span(3, 5), span(4, 8)),
    "legs of a route": ("route-stick", legs, span(2, 3), span(4, 5), span(4, 7)),
}


@pytest.mark.parametrize("what", COUNTS)
def test_counts_are_the_benchmark_s(what: str) -> None:
    name, count, *allowed = COUNTS[what]

    found = [{count(drawn(name, seed, difficulty)) for seed in range(80)} for difficulty in DIFFICULTIES]

    assert found == [set(each) for each in allowed]


@pytest.mark.parametrize("name", TASK_NAMES)
def test_an_episode_is_the_same_for_its_seed_and_another_for_another(name: str) -> None:
    assert drawn(name, 3, "hard") == drawn(name, 3, "hard")
    assert drawn(name, 3, "hard") != drawn(name, 4, "hard")


def test_nine_tasks_begin_with_a_demonstration() -> None:
    shown = {name for name in TASK_NAMES if drawn(name, 1, "easy").layout.demonstration}

    assert shown == {name for name in TASK_NAMES if name.startswith("video")} | set(SUITES["imitation"])
    assert len(shown) == 9


def test_each_suite_has_four_tasks() -> None:
    assert [task for tasks in SUITES.values() for task in tasks] == list(TASK_NAMES)
    assert {len(tasks) for tasks in SUITES.values()} == {4}


def test_an_unknown_task_is_told_with_those_that_are_known() -> None:
    with pytest.raises(ValueError, match=r"^task bin_fill is unknown\. Choose one of bin-fill, pick-xtimes,"):
        task_named("bin_fill", Random(1), "easy")
