"""PickHighlight, VideoRepick, VideoPlaceButton and VideoPlaceOrder: what succeeds and what fails."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from robot_bridge.tabletop.tasks.pick_highlight import LIT, PickHighlight
from robot_bridge.tabletop.tasks.video_place import VideoPlace, VideoPlaceButton, VideoPlaceOrder
from robot_bridge.tabletop.tasks.video_repick import VideoRepick
from tests.tabletop.tasks.play import HIGH_M, Play, beside

Script = Callable[[Play], Play]


def picks(play: Play, *names: str) -> Play:
    for name in names:
        play.pick(name).drop()
    return play


def pick_highlight() -> Play:
    """cube_2, then cube_5, then cube_1 light up."""
    return Play(replace(PickHighlight.drawn(Random(8), "hard"), wanted=("cube_2", "cube_5", "cube_1")))


HIGHLIGHT = [
    pytest.param(lambda p: picks(p.press(), "cube_2", "cube_5", "cube_1"), "done", id="all three in order"),
    pytest.param(lambda p: picks(p.press(), "cube_2", "cube_5"), None, id="two of three"),
    pytest.param(lambda p: picks(p.press(), "cube_5"), "wrong_cube", id="the second first"),
    pytest.param(lambda p: picks(p.press(), "cube_2", "cube_2"), "wrong_cube", id="the first once more"),
    pytest.param(lambda p: picks(p.press(), "cube_3"), "wrong_cube", id="one that never lit up"),
    pytest.param(lambda p: picks(p, "cube_2"), None, id="not pressed: the first does not count"),
    pytest.param(lambda p: picks(picks(p, "cube_2").press(), "cube_5"), "wrong_cube", id="nor later on"),
    pytest.param(lambda p: picks(p, "cube_3"), "wrong_cube", id="not pressed: another fails"),
    pytest.param(lambda p: p.press().hold("cube_3", 0.05), None, id="another at 5 cm is not picked"),
    pytest.param(lambda p: p.press().hold("cube_3", 0.051), "wrong_cube", id="another above 5 cm is"),
]


@pytest.mark.parametrize(("script", "reason"), HIGHLIGHT)
def test_pick_highlight(script: Script, reason: str | None) -> None:
    assert script(pick_highlight()).reason == reason


@pytest.mark.parametrize(
    ("since", "lit"),
    [
        pytest.param(9, None, id="not before step 10"),
        pytest.param(10, "cube_2", id="the first from step 10"),
        pytest.param(39, "cube_2", id="to step 39"),
        pytest.param(40, "cube_5", id="the second from step 40"),
        pytest.param(70, "cube_1", id="the third from step 70"),
        pytest.param(99, "cube_1", id="to step 99"),
        pytest.param(100, None, id="none from step 100"),
    ],
)
def test_what_is_lit_when(since: int, lit: str | None) -> None:
    play = pick_highlight().wait(3).press()

    changes = play.task.happenings(play.progress, 4 + since)

    assert [each.name for each in changes] == ([] if lit is None else [lit])
    assert {each.colour for each in changes} <= {"highlight"}


def test_each_that_lights_up_is_an_event() -> None:
    assert pick_highlight().press().wait(110).progress.named(LIT) == ("cube_2", "cube_5", "cube_1")


def video_repick() -> Play:
    return Play(replace(VideoRepick.drawn(Random(9), "hard"), cube="cube_3", count=2))


REPICK = [
    pytest.param(lambda p: picks(p, "cube_3", "cube_3").press(), "done", id="twice, then pressed"),
    pytest.param(lambda p: picks(p, "cube_3", "cube_3"), None, id="twice, not yet pressed"),
    pytest.param(lambda p: picks(p, "cube_3").press(), "early_press", id="pressed after one"),
    pytest.param(lambda p: p.press(), "early_press", id="pressed at once"),
    pytest.param(lambda p: picks(p, "cube_3", "cube_3", "cube_3"), "too_many", id="a third time"),
    pytest.param(lambda p: picks(p, "cube_1"), "wrong_cube", id="another cube"),
    pytest.param(lambda p: p.hold("cube_1", 0.05), None, id="another at 5 cm is not picked"),
    pytest.param(
        lambda p: picks(p, "cube_3").hold("cube_3", 0.05).drop().press(), "early_press", id="nor is it itself"
    ),
]


@pytest.mark.parametrize(("script", "reason"), REPICK)
def test_video_repick(script: Script, reason: str | None) -> None:
    assert script(video_repick()).reason == reason


@pytest.mark.parametrize(
    ("begun", "cube"),
    [
        pytest.param(lambda: pick_highlight().press().wait(110), "cube_2", id="lit up"),
        pytest.param(video_repick, "cube_3", id="shown"),
    ],
)
def test_what_is_grasped_and_not_yet_picked_goes_on_being_picked(
    begun: Callable[[], Play], cube: str
) -> None:
    play = begun()

    low, high = play.hold(cube, 0.04).next_phrase, play.hold(cube, 0.1).next_phrase

    assert low is not None
    assert low.startswith("pick up the ")
    assert high == "put it down"


def video_place_button() -> Play:
    return Play(replace(VideoPlaceButton.drawn(Random(10), "hard"), wanted="target_2"))


def video_place_order() -> Play:
    return Play(replace(VideoPlaceOrder.drawn(Random(10), "medium"), wanted="target_2"))


def place(play: Play, target: str, off_m: float = 0.0, z_m: float = 0.02) -> Play:
    return play.pick("cube").drop(beside(play.task.layout.thing(target).pose, off_m), z_m)


PLACE = [
    pytest.param(lambda p: place(p, "target_2"), "done", id="the right target"),
    pytest.param(lambda p: place(p, "target_1"), "wrong_target", id="another target"),
    pytest.param(lambda p: place(p, "target_2", 0.0499), "done", id="5 cm off is on it"),
    pytest.param(lambda p: place(p, "target_2", 0.0501), None, id="more is beside it"),
    pytest.param(lambda p: place(p, "target_1", 0.0501), None, id="beside another is no failure"),
    pytest.param(lambda p: place(p, "target_2", z_m=0.036), None, id="above 3.5 cm it is not dropped"),
    pytest.param(lambda p: p.pick("cube").over("target_1", HIGH_M), None, id="carried over another"),
    pytest.param(lambda p: place(place(p, "target_1", 0.06), "target_2"), "done", id="beside, then right"),
]


@pytest.mark.parametrize("begun", [video_place_button, video_place_order])
@pytest.mark.parametrize(("script", "reason"), PLACE)
def test_video_place(script: Script, reason: str | None, begun: Callable[[], Play]) -> None:
    assert script(begun()).reason == reason


def demonstrated(task: VideoPlace) -> list[str]:
    """Which target the cube is set down on, in order; `button` where it is pressed meanwhile."""
    spots = {f"target_{i + 1}": spot for i, spot in enumerate(task.spots)}
    way = [cue.waypoint for cue in task.layout.demonstration if cue.waypoint is not None]
    seen = []
    for waypoint in way:
        if waypoint.gripper == "open" and waypoint.z_m < 0.05:
            seen += [name for name, spot in spots.items() if spot == (waypoint.x_m, waypoint.y_m)]
        elif waypoint.gripper == "keep" and waypoint.z_m < 0.05:
            seen.append("button")
    return seen


@pytest.mark.parametrize("seed", range(8))
def test_the_button_s_demonstration_means_the_target(seed: int) -> None:
    task = VideoPlaceButton.drawn(Random(seed), "hard")

    before, pressed, after = demonstrated(task)

    assert pressed == "button"
    assert task.wanted == (before if "right before" in task.layout.instruction else after)


@pytest.mark.parametrize("seed", range(8))
def test_the_order_s_demonstration_means_the_target(seed: int) -> None:
    task = VideoPlaceOrder.drawn(Random(seed), "hard")

    order = demonstrated(task)

    assert sorted(order) == ["target_1", "target_2", "target_3", "target_4"]
    ordinals = ("first", "second", "third", "fourth")
    said = next(i for i, word in enumerate(ordinals) if f"the {word} target" in task.layout.instruction)
    assert task.wanted == order[said]


@pytest.mark.parametrize("kind", [VideoRepick, VideoPlaceButton, VideoPlaceOrder])
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_a_demonstration_ends_as_the_episode_begins(
    kind: type[VideoRepick | VideoPlaceButton | VideoPlaceOrder], difficulty: str
) -> None:
    task = kind.drawn(Random(11), "easy" if difficulty == "easy" else "hard")
    poses = {each.name: each.pose for each in task.layout.things}

    for cue in task.layout.demonstration:
        for step in range(1, cue.steps + 1):
            for change in task.shown(cue, step):
                assert change.pose is not None
                poses[change.name] = change.pose

    for each in task.layout.things:
        assert poses[each.name] == pytest.approx(each.pose)
