"""VideoUnmask, ButtonUnmask and the two with swaps: which lift succeeds or fails, and what the world does."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from robot_bridge.tabletop.tasks.moving import (
    REVEAL_STEPS,
    RISE_M,
    SWAP_STEPS,
    between,
    risen_m,
    slots_after,
    swapped,
)
from robot_bridge.tabletop.tasks.unmask import (
    REVEAL,
    REVEALED,
    SWAP,
    SWAP_AFTER_STEPS,
    SWAPPED,
    ButtonUnmask,
    ButtonUnmaskSwap,
    Unmask,
    VideoUnmask,
    VideoUnmaskSwap,
)
from robot_bridge.tabletop.values import Cue, Difficulty
from tests.tabletop.tasks.play import Play

Script = Callable[[Play], Play]


def play_of(kind: type[Unmask], difficulty: Difficulty, colours: tuple[str, ...] = ("red", "blue")) -> Play:
    return Play(replace(kind.drawn(Random(5), difficulty), colours=colours))


def hiding(play: Play, colour: str) -> str:
    """The container over that colour; `empty` is one over nothing."""
    assert isinstance(play.task, Unmask)
    over = {cube: name for name, cube in play.task.hides.items()}
    empty = (name for name in play.task.containers if name not in play.task.hides)
    return next(empty) if colour == "empty" else over[f"{colour}_cube"]


def lift(play: Play, *colours: str, z_m: float = 0.2) -> Play:
    """Each is lifted and put down again."""
    for colour in colours:
        play.hold(hiding(play, colour), z_m).drop(z_m=0.035)
    return play


VIDEO = [
    pytest.param(lambda p: lift(p, "red", "blue"), "done", id="both in the order asked for"),
    pytest.param(lambda p: lift(p, "red"), None, id="the first alone"),
    pytest.param(lambda p: lift(p, "blue"), "wrong_container", id="the second first"),
    pytest.param(lambda p: lift(p, "red", "green"), "wrong_container", id="then a colour not asked for"),
    pytest.param(lambda p: lift(p, "red", "red"), "wrong_container", id="the first once more"),
    pytest.param(lambda p: lift(p, "empty"), "wrong_container", id="one over nothing"),
    pytest.param(lambda p: lift(p, "empty", z_m=0.15), None, id="a wrong one raised to 15 cm is not lifted"),
    pytest.param(lambda p: lift(p, "empty", z_m=0.151), "wrong_container", id="above 15 cm it is"),
    pytest.param(lambda p: lift(p, "red", "blue", z_m=0.15), None, id="nor do the right ones count at 15 cm"),
    pytest.param(
        lambda p: lift(lift(p, "red"), "blue", z_m=0.151), "done", id="the right ones count above 15 cm"
    ),
]


@pytest.mark.parametrize(("script", "reason"), VIDEO)
def test_video_unmask(script: Script, reason: str | None) -> None:
    assert script(play_of(VideoUnmask, "hard")).reason == reason


@pytest.mark.parametrize(("script", "reason"), VIDEO[:5])
def test_video_unmask_swap(script: Script, reason: str | None) -> None:
    assert script(play_of(VideoUnmaskSwap, "hard")).reason == reason


BUTTON = [
    pytest.param(lambda p: lift(p.press().wait(64), "red", "blue"), "done", id="pressed, then both"),
    pytest.param(lambda p: lift(p, "red"), None, id="not pressed: the right one does not count"),
    pytest.param(
        lambda p: lift(lift(p, "red").press().wait(64), "blue"), "wrong_container", id="nor later on"
    ),
    pytest.param(lambda p: lift(p, "empty"), "wrong_container", id="not pressed: a wrong one fails"),
    pytest.param(
        lambda p: lift(p.press().wait(64), "blue"), "wrong_container", id="pressed, the second first"
    ),
]


@pytest.mark.parametrize(("script", "reason"), BUTTON)
def test_button_unmask(script: Script, reason: str | None) -> None:
    assert script(play_of(ButtonUnmask, "hard")).reason == reason


def both(play: Play) -> Play:
    return play.press("right_button").press("left_button")


def all_swapped(play: Play) -> Play:
    assert isinstance(play.task, Unmask)
    return both(play).wait(REVEAL_STEPS + SWAP_AFTER_STEPS + len(play.task.swaps) * SWAP_STEPS + 2)


BUTTON_SWAP = [
    pytest.param(lambda p: lift(all_swapped(p), "red", "blue"), "done", id="both pressed, then both lifted"),
    pytest.param(lambda p: lift(all_swapped(p), "blue"), "wrong_container", id="the second first"),
    pytest.param(lambda p: lift(p.press("left_button").wait(65), "red"), None, id="one button is not enough"),
    pytest.param(
        lambda p: lift(p.press("left_button").wait(65).press("left_button"), "red"),
        None,
        id="the same one twice",
    ),
]


@pytest.mark.parametrize(("script", "reason"), BUTTON_SWAP)
def test_button_unmask_swap(script: Script, reason: str | None) -> None:
    assert script(play_of(ButtonUnmaskSwap, "hard")).reason == reason


def test_containers_rise_for_64_steps_after_the_press() -> None:
    play = play_of(ButtonUnmask, "medium").wait(5).press()
    name = hiding(play, "red")
    rest_m = play.task.layout.thing(name).pose.z_m

    pressed = play.progress.first_step(REVEALED)
    assert pressed == 6
    heights = {
        step: {change.name: change.pose for change in play.task.happenings(play.progress, pressed + step)}
        for step in (32, REVEAL_STEPS, REVEAL_STEPS + 1)
    }

    up, down = heights[32][name], heights[REVEAL_STEPS][name]
    assert up is not None
    assert down is not None
    assert up.z_m == pytest.approx(rest_m + RISE_M)
    assert down.z_m == pytest.approx(rest_m)
    assert heights[REVEAL_STEPS + 1] == {}


def test_swaps_begin_once_both_are_pressed_and_all_is_covered_again() -> None:
    play = both(play_of(ButtonUnmaskSwap, "hard"))
    first, second = (each.step for each in play.progress.events if each.what == "pressed")
    assert first < second < first + REVEAL_STEPS

    play.wait(400)

    swaps = [each.step for each in play.progress.events if each.what == SWAPPED]
    begin = first + REVEAL_STEPS + SWAP_AFTER_STEPS
    assert isinstance(play.task, Unmask)
    assert swaps == [begin + i * SWAP_STEPS for i in range(len(play.task.swaps))]


def test_what_is_hidden_rides_along() -> None:
    play = play_of(ButtonUnmaskSwap, "hard")

    all_swapped(play)

    assert isinstance(play.task, Unmask)
    for name, cube in play.task.hides.items():
        assert play.poses[name][:2] == play.poses[cube][:2]
    moved = [name for name in play.task.containers if play.poses[name] != play.task.layout.thing(name).pose]
    assert moved


@pytest.mark.parametrize("kind", [VideoUnmask, VideoUnmaskSwap])
def test_a_demonstration_ends_as_the_episode_begins(kind: type[Unmask]) -> None:
    task = kind.drawn(Random(6), "hard")
    poses = {each.name: each.pose for each in task.layout.things}
    seen_up = set()

    for cue in task.layout.demonstration:
        for step in range(1, cue.steps + 1):
            for change in task.shown(cue, step):
                assert change.pose is not None
                poses[change.name] = change.pose
                if cue.happens == REVEAL and change.pose.z_m > 0.5:
                    seen_up.add(change.name)

    assert seen_up == set(task.containers)
    for each in task.layout.things:
        assert poses[each.name] == pytest.approx(each.pose)


def test_the_first_and_last_steps_of_a_reveal_leave_all_covered() -> None:
    assert [risen_m(step) for step in (-1, 0, REVEAL_STEPS, REVEAL_STEPS + 1)] == [0.0] * 4
    assert max(risen_m(step) for step in range(REVEAL_STEPS)) == RISE_M


@pytest.mark.parametrize(
    ("swaps", "slots"),
    [
        pytest.param([], (0, 1, 2), id="none"),
        pytest.param([(0, 2)], (2, 1, 0), id="one"),
        pytest.param([(0, 1), (1, 2)], (2, 0, 1), id="what moved moves on"),
        pytest.param([(0, 1), (0, 1)], (0, 1, 2), id="there and back"),
    ],
)
def test_where_things_are_after_swaps(swaps: list[tuple[int, int]], slots: tuple[int, ...]) -> None:
    assert slots_after(swaps, 3) == slots


def test_two_that_swap_pass_on_either_side() -> None:
    there, back = between((0.0, 0.0), (0.0, 0.2), 0.5), between((0.0, 0.2), (0.0, 0.0), 0.5)

    assert there == pytest.approx((0.09, 0.1))
    assert back == pytest.approx((-0.09, 0.1))


def test_a_swap_ends_where_the_other_began() -> None:
    spots = [(0.0, 0.0), (0.0, 0.2)]

    changes = swapped(spots, [(0, 1)], SWAP_STEPS, {"a": (0, 0.035), "b": (1, 0.035)})

    assert {each.name: each.pose and each.pose[:2] for each in changes} == {"a": spots[1], "b": spots[0]}


def test_a_pause_shows_nothing_new() -> None:
    task = VideoUnmaskSwap.drawn(Random(7), "easy")

    assert task.shown(Cue(steps=10), 3) == ()
    assert task.shown(Cue(steps=SWAP_STEPS, happens=SWAP), 3) != ()


def test_what_is_grasped_and_not_yet_lifted_goes_on_being_lifted() -> None:
    play = play_of(VideoUnmask, "hard")
    name = hiding(play, "red")

    low, high = play.hold(name, 0.1).next_phrase, play.hold(name, 0.2).next_phrase

    assert (low, high) == ("pick up the container", "put it down")
