"""The filmstrip: verdicts with their predecessors, circles in planners' pixels, one frame in full, the gate
set otherwise."""

import pytest

from backend.domain.execution.frames import Frame, WatchedFrames
from backend.domain.execution.gating import Gated
from backend.domain.plans.plan import Watch
from backend.web.builders.frames import film_strip
from backend.web.builders.gate_form import FIELDS, USUAL, is_asked, read_gate, written
from backend.web.pages.frames import FilmStrip
from tests.web.builders.test_card import SEEN, drilled
from tests.web.moments import Screen, said

SHARES = (None, 0.01, 0.09, 0.02, 0.06)
HERE = Watch(((100.0, 50.0),), "front")
RETURNED = (False, True, True, True, True)


def film(watch: Watch | None = HERE, size_px: tuple[int, int] = (640, 480)) -> WatchedFrames:
    frames = tuple(
        Frame(
            sha256=f"{index:064x}",
            width_px=size_px[0],
            height_px=size_px[1],
            camera="front",
            step=4 * index,
            share=share,
            returned=returned,
        )
        for index, (share, returned) in enumerate(zip(SHARES, RETURNED, strict=True))
    )
    return WatchedFrames(camera="front", watch=watch, frames=frames, withheld=1)


def strip(chosen: str = "", watched: WatchedFrames | None = None, **more: object) -> FilmStrip:
    moment = Screen(drilled(*SEEN)).moment()
    return film_strip(moment, {2: film(), 5: watched or film()}, chosen, **more)  # type: ignore[arg-type]


def test_each_returned_frame_names_the_one_it_was_returned_with() -> None:
    shown = [(frame.number, frame.verdict, frame.pair, frame.pair_chosen) for frame in strip().frames]

    assert shown == [
        ("0", "Before", "", ""),
        ("1", "Returned", "before 2", "5:2"),
        ("2", "Returned", "after 1", "5:1"),
        ("3", "Returned", "before 4", "5:4"),
        ("4", "Returned", "after 3", "5:3"),
    ]


@pytest.mark.parametrize(
    ("size_px", "named_px"),
    [((640, 480), (512, 384)), ((256, 256), (512, 512)), ((480, 1280), (192, 512))],
    ids=["wider", "small", "upright"],
)
def test_a_frame_is_drawn_in_the_pixels_of_its_points(
    size_px: tuple[int, int], named_px: tuple[int, int]
) -> None:
    frame = strip(watched=film(size_px=size_px)).frames[0]

    assert (frame.width_px, frame.height_px) == named_px
    [circle] = frame.circles
    assert (circle.x_px, circle.y_px, circle.radius_px) == (100.0, 50.0, 28.0)


@pytest.mark.parametrize("watch", [None, Watch("all")], ids=["nothing watched", "all"])
def test_without_points_there_are_no_circles_and_nothing_to_try(watch: Watch | None) -> None:
    shown = strip(watched=film(watch))

    assert all(frame.circles == () and frame.pair == "" for frame in shown.frames)
    assert shown.gate is not None
    assert shown.gate.why_not


VIEWS = [("5:2", "2", False), ("5:2d", "2", True), ("2:0d", "0", False), ("5:4", "4", False)]


@pytest.mark.parametrize(("chosen", "number", "overlay"), VIEWS, ids=[row[0] for row in VIEWS])
def test_a_frame_in_full(chosen: str, number: str, overlay: bool) -> None:
    viewer = strip(chosen).viewer

    assert viewer is not None
    assert (viewer.frame.number, viewer.overlay) == (number, overlay)
    assert (viewer.earlier == "") is (number == "0")
    assert (viewer.later == "") is (number == "4")
    assert (viewer.before == "") is (number == "0")


@pytest.mark.parametrize("chosen", ["", "5", "5:9", "5:d", "5:x", "99:1", "5:-1", "x"])
def test_a_frame_that_is_none_shows_the_strip(chosen: str) -> None:
    shown = strip(chosen)

    assert (shown.viewer is None) or shown.action == 5
    assert len(shown.frames) == len(SHARES)


def test_set_otherwise_it_says_what_would_be_and_what_was() -> None:
    tried = read_gate({"share_percent": "8"})
    gated = Gated((None, 0.01, 0.09, 0.02, 0.06), (False, True, True, False, False))
    shown = strip(tried=type(tried)(typed=tried.typed, settings=tried.settings, gated=gated))

    assert [frame.instead for frame in shown.frames] == ["", "", "", "in fact returned", "in fact returned"]
    assert said(shown.gate.result).startswith("So set, 2 of 5 would be returned; it was 4.")
    assert said(shown.summary).startswith("4 of 5 returned, 1 withheld."), "what happened stays said"
    assert shown.query == {"radius_px": "28", "level": "30", "share_percent": "8"}


WRONG = [
    ("radius_px", "0", "from 1 to 512"),
    ("radius_px", "513", "from 1 to 512"),
    ("radius_px", "nan", "from 1 to 512"),
    ("radius_px", "inf", "from 1 to 512"),
    ("radius_px", "wide", "from 1 to 512"),
    ("level", "256", "whole number from 0 to 255"),
    ("level", "1.5", "whole number from 0 to 255"),
    ("level", "-1", "whole number from 0 to 255"),
    ("share_percent", "101", "from 0 to 100"),
    ("share_percent", "-0.1", "from 0 to 100"),
]


@pytest.mark.parametrize(
    ("field", "typed", "remedy"), WRONG, ids=[f"{name}={typed}" for name, typed, _ in WRONG]
)
def test_what_cannot_be_is_said_beside_its_field_and_kept(field: str, typed: str, remedy: str) -> None:
    tried = read_gate({field: typed})

    assert [error.field for error in tried.errors] == [field]
    assert remedy in tried.errors[0].remedy
    assert tried.typed[field] == typed


def test_fields_that_are_not_given_are_as_usual() -> None:
    assert read_gate({"level": "12"}).typed == {**written(USUAL), "level": "12"}
    assert read_gate({}).settings == USUAL
    assert not is_asked({"tab": "frames", "level": " "})
    assert all(is_asked({name: "1"}) for name in FIELDS)
