"""BinFill, PickXtimes, SwingXtimes, StopCube: what succeeds, what fails, both sides of each threshold."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from robot_bridge.tabletop.tasks.bin_fill import BinFill
from robot_bridge.tabletop.tasks.pick_xtimes import PickXtimes
from robot_bridge.tabletop.tasks.stop_cube import StopCube
from robot_bridge.tabletop.tasks.swing_xtimes import LEFT, RIGHT, VISITED, SwingXtimes
from robot_bridge.tabletop.values import Layout, Pose
from tests.tabletop.tasks.play import HIGH_M, Play, beside

Script = Callable[[Play], Play]


def hard_bin_fill(seed: int) -> BinFill:
    return BinFill.drawn(Random(seed), "hard")


def bin_fill() -> Play:
    """One red and two blue are asked for; there are more of both, and a green one."""
    task = next(each for each in map(hard_bin_fill, range(99)) if sum(each.wanted.values()) == 4)
    cubes = [each for each in task.layout.things if each.kind == "cube"]
    colours = ("red", "red", "blue", "blue", "blue", "green")
    named = [
        cube._replace(name=f"{colour}_{number}", colour=colour)
        for number, (cube, colour) in enumerate(zip(cubes, colours, strict=True), start=1)
    ]
    others = tuple(each for each in task.layout.things if each.kind != "cube")
    layout = Layout(things=(*others, *named), instruction="")
    return Play(replace(task, layout=layout, wanted={"red": 1, "blue": 2}))


def into_bin(play: Play, *names: str) -> Play:
    at = play.task.layout.thing("bin").pose
    for name in names:
        play.pick(name).at(at.x_m, at.y_m, HIGH_M).drop(at).tick()
    return play


def beside_bin(play: Play, off_m: float, z_m: float) -> Play:
    """One more blue cube, let go of so far from the bin's middle."""
    at = play.task.layout.thing("bin").pose
    return play.pick("blue_4").drop(beside(at, off_m), z_m).press()


BIN_FILL = [
    pytest.param(
        lambda p: into_bin(p, "red_1", "blue_3", "blue_4").press(), "done", id="all in, then pressed"
    ),
    pytest.param(lambda p: into_bin(p, "blue_3", "red_2", "blue_4").press(), "done", id="in any order"),
    pytest.param(lambda p: into_bin(p, "red_1", "blue_3", "blue_4"), None, id="all in, not yet pressed"),
    pytest.param(
        lambda p: into_bin(p, "red_1", "blue_3").press(), "early_press", id="pressed with one missing"
    ),
    pytest.param(lambda p: p.press(), "early_press", id="pressed with none in"),
    pytest.param(lambda p: into_bin(p, "red_1", "red_2"), "too_many", id="one red too many"),
    pytest.param(lambda p: into_bin(p, "green_6"), "too_many", id="a colour that was not named"),
    pytest.param(
        lambda p: beside_bin(into_bin(p, "red_1", "blue_3"), 0.07, 0.06), "done", id="within walls and rim"
    ),
    pytest.param(
        lambda p: beside_bin(into_bin(p, "red_1", "blue_3"), 0.071, 0.02), "early_press", id="beside the bin"
    ),
    pytest.param(
        lambda p: beside_bin(into_bin(p, "red_1", "blue_3"), 0.0, 0.061),
        "early_press",
        id="on top of the rim",
    ),
    pytest.param(
        lambda p: into_bin(p, "red_1", "blue_3").hold("blue_4", 0.05).over("bin", 0.04).press(),
        "early_press",
        id="in the bin but still held",
    ),
]


@pytest.mark.parametrize(("script", "reason"), BIN_FILL)
def test_bin_fill(script: Script, reason: str | None) -> None:
    assert script(bin_fill()).reason == reason


def test_a_cube_vanishes_once_it_is_dropped_in() -> None:
    play = into_bin(bin_fill(), "red_1")

    assert [(each.name, each.gone) for each in play.task.happenings(play.progress, play.step + 1)] == [
        ("red_1", True)
    ]


def pick_xtimes() -> Play:
    task = replace(PickXtimes.drawn(Random(2), "hard"), count=2)
    return Play(task)


def the_cube(play: Play) -> str:
    assert isinstance(play.task, PickXtimes | SwingXtimes)
    return play.task.cube


def another(play: Play) -> str:
    return next(e.name for e in play.task.layout.things if e.kind == "cube" and e.name != the_cube(play))


def times(play: Play, count: int, off_m: float = 0.0) -> Play:
    at = beside(play.task.layout.thing("target").pose, off_m)
    for _ in range(count):
        play.pick(the_cube(play)).drop(at)
    return play


PICK_XTIMES = [
    pytest.param(lambda p: times(p, 2).press(), "done", id="twice, then pressed"),
    pytest.param(lambda p: times(p, 2), None, id="twice, not yet pressed"),
    pytest.param(lambda p: times(p, 1).press(), "early_press", id="pressed after one"),
    pytest.param(lambda p: times(p, 3), "too_many", id="a third time"),
    pytest.param(lambda p: p.pick(another(p)), "wrong_cube", id="another cube picked"),
    pytest.param(lambda p: p.hold(another(p), 0.05), None, id="another cube touched"),
    pytest.param(lambda p: times(times(p, 1), 1, 0.05).press(), "done", id="5 cm off is on it"),
    pytest.param(lambda p: times(times(p, 1), 1, 0.051).press(), "early_press", id="5.1 cm off is not"),
    pytest.param(
        lambda p: times(p, 1).pick(the_cube(p)).over("target", 0.1).press(), "early_press", id="carried there"
    ),
]


@pytest.mark.parametrize(("script", "reason"), PICK_XTIMES)
def test_pick_xtimes(script: Script, reason: str | None) -> None:
    assert script(pick_xtimes()).reason == reason


def swing_xtimes() -> Play:
    return Play(replace(SwingXtimes.drawn(Random(3), "hard"), count=2))


def swings(play: Play, *targets: str, z_m: float = 0.119, dx_m: float = 0.0) -> Play:
    """The cube is picked, and carried low over each; high in between."""
    if play.grasped is None:
        play.pick(the_cube(play))
    for target in targets:
        play.over(target, HIGH_M).over(target, z_m, dx_m).over(target, HIGH_M, 0.041)
    return play


ALL = (RIGHT, LEFT, RIGHT, LEFT)

SWING_XTIMES = [
    pytest.param(lambda p: swings(p, *ALL).drop().press(), "done", id="twice, put down, pressed"),
    pytest.param(lambda p: swings(p, *ALL).press(), "early_press", id="pressed before it is put down"),
    pytest.param(lambda p: swings(p, *ALL[:3]).drop().press(), "early_press", id="one visit missing"),
    pytest.param(lambda p: swings(p, *ALL, RIGHT), "too_many", id="a visit too many to the other side"),
    pytest.param(lambda p: swings(p, *ALL, LEFT), "too_many", id="a visit too many to the same side"),
    pytest.param(lambda p: swings(p, LEFT, *ALL).drop().press(), "done", id="left first does not count"),
    pytest.param(lambda p: swings(p, *ALL[:3]).drop(), None, id="put down early is no failure yet"),
    pytest.param(
        lambda p: swings(swings(p, *ALL[:3]).drop(), LEFT).drop().press(),
        "done",
        id="picked up again and done",
    ),
    pytest.param(
        lambda p: swings(p, *ALL, z_m=0.12).drop().press(), "early_press", id="at 12 cm none counts"
    ),
    pytest.param(lambda p: swings(p, *ALL, dx_m=0.0299).drop().press(), "done", id="3 cm off counts"),
    pytest.param(
        lambda p: swings(p, *ALL, dx_m=0.031).drop().press(), "early_press", id="3.1 cm off does not"
    ),
]


@pytest.mark.parametrize(("script", "reason"), SWING_XTIMES)
def test_swing_xtimes(script: Script, reason: str | None) -> None:
    assert script(swing_xtimes()).reason == reason


def low_over(play: Play, *offs_m: float) -> Play:
    for off_m in offs_m:
        play.over(LEFT, 0.08, off_m)
    return play


@pytest.mark.parametrize(
    ("script", "visits"),
    [
        pytest.param(lambda p: low_over(p, 0.0, 0.04, 0.0), 4, id="4 cm away and back is the same visit"),
        pytest.param(lambda p: low_over(p, 0.0, 0.041, 0.0), 5, id="more than 4 cm away and back is another"),
        pytest.param(
            lambda p: low_over(p, 0.0).over(LEFT, 0.30).over(LEFT, 0.08), 4, id="raised to 30 cm is none"
        ),
        pytest.param(
            lambda p: low_over(p, 0.0).over(LEFT, 0.301).over(LEFT, 0.08),
            5,
            id="raised above 30 cm is another",
        ),
    ],
)
def test_when_the_same_target_counts_again(script: Script, visits: int) -> None:
    play = swings(swing_xtimes(), *ALL[:3])

    assert len(script(play).progress.named(VISITED)) == visits


def test_only_a_picked_cube_visits() -> None:
    play = swing_xtimes()
    cube, target = the_cube(play), play.task.layout.thing(RIGHT).pose
    play.poses[cube] = Pose(target.x_m, target.y_m, 0.02)

    assert play.tick().progress.named(VISITED) == ()


def stop_cube() -> Play:
    """A pass takes 80 steps; the third is due: steps 161 to 240, over the target at 200."""
    return Play(replace(StopCube.drawn(Random(4), "medium"), due=3))


def press_at(step: int) -> Script:
    return lambda play: play.wait(step - 1).press()


STOP_CUBE = [
    pytest.param(press_at(200), "done", id="right over the target on the third pass"),
    pytest.param(press_at(189), "done", id="5.5 cm before"),
    pytest.param(press_at(187), "off_target", id="6.5 cm before"),
    pytest.param(press_at(211), "done", id="5.5 cm after"),
    pytest.param(press_at(213), "off_target", id="6.5 cm after"),
    pytest.param(press_at(120), "early_press", id="on the second pass"),
    pytest.param(press_at(160), "early_press", id="in the last step of the second pass"),
    pytest.param(press_at(161), "off_target", id="in the first step of the third"),
    pytest.param(press_at(240), "off_target", id="in the last step of the third"),
    pytest.param(lambda p: p.wait(240), None, id="nothing pressed by the end of it"),
    pytest.param(lambda p: p.wait(241), "missed", id="nothing pressed past its end"),
]


@pytest.mark.parametrize(("script", "reason"), STOP_CUBE)
def test_stop_cube(script: Script, reason: str | None) -> None:
    assert script(stop_cube()).reason == reason


def test_the_cube_stands_where_it_was_stopped() -> None:
    play = stop_cube().wait(199).press()
    stopped = play.poses["cube"]

    assert play.task.happenings(play.progress, 300)[0].pose == stopped
