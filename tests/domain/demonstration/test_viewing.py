"""Demonstrations skimmed, then inspected: strides, caps, what is refused, and that every viewing ends."""

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.demonstration.answer import Answer
from backend.domain.demonstration.looks import Range, closer_look
from backend.domain.demonstration.segments import Segment, segments
from backend.domain.demonstration.settings import DemonstrationSettings
from backend.domain.demonstration.viewing import Viewing, answered, view_of

PAPER = DemonstrationSettings()
SECOND = Segment(2, 192, 383, tuple(range(192, 384, 8)))
Switch = Literal["skim_inspect", "stride", "off"]


@pytest.mark.parametrize(
    ("total", "switch", "bounds", "shown"),
    [
        (0, "skim_inspect", [], []),
        (1, "skim_inspect", [(0, 0)], [1]),
        (192, "skim_inspect", [(0, 191)], [24]),
        (193, "skim_inspect", [(0, 191), (192, 192)], [24, 1]),
        (500, "skim_inspect", [(0, 191), (192, 383), (384, 499)], [24, 24, 15]),
        (200, "stride", [(0, 47), (48, 95), (96, 143), (144, 191), (192, 199)], [24, 24, 24, 24, 4]),
        (201, "stride", [(0, 95), (96, 191), (192, 200)], [24, 24, 3]),
        (500, "off", [], []),
    ],
    ids=["no frames", "one", "a full segment", "one frame more", "long", "every 2nd", "every 4th", "off"],
)
def test_segments_have_the_paper_s_strides(
    total: int, switch: Switch, bounds: list[tuple[int, int]], shown: list[int]
) -> None:
    parts = segments(total, switch, PAPER)

    assert [(part.first, part.last) for part in parts] == bounds
    assert [len(part.shown) for part in parts] == shown
    assert [part.number for part in parts] == list(range(1, len(parts) + 1))


@pytest.mark.parametrize(
    ("ranges", "seen", "frames", "told"),
    [
        ([], set(), [], []),
        ([(200, 206)], set(), [200, 202, 204, 206], []),
        ([(201, 204)], set(), [201, 203], []),
        ([(300, 302), (200, 202)], set(), [200, 202, 300, 302], []),
        ([(200, 204), (202, 206)], set(), [200, 202, 204, 206], []),
        ([(0, 100)], set(), [], ["Range 0-100 was refused: it is outside segment 2"]),
        ([(206, 200)], set(), [], ["Range 206-200 was refused: it ends before it begins"]),
        ([(380, 400)], set(), [380, 382], ["Range 380-400 was cut to 380-383"]),
        ([(-5, 193)], set(), [192], ["Range -5-193 was cut to 192-193"]),
        ([(200, 299)], set(), list(range(200, 248, 2)), ["26 of the 50 frames asked for are left out"]),
        ([(300, 339), (200, 299)], set(), [*range(200, 208, 2), *range(300, 340, 2)], ["46 of the 70"]),
        ([(200, 209)], set(range(300, 344, 2)), [200, 202], ["3 of the 5 frames asked for are left out"]),
        ([(200, 202)], {200, 202}, [], ["Every frame asked for was shown already"]),
        ([(0, 9), (200, 201)], set(), [200], ["Range 0-9 was refused"]),
    ],
    ids=[
        "none asked for",
        "every second",
        "from where it was asked",
        "in film order",
        "overlapping ones once",
        "outside",
        "backwards",
        "juts out behind",
        "juts out before",
        "capped",
        "what was asked first is shown first",
        "earlier looks count",
        "shown already",
        "refused beside granted",
    ],
)
def test_a_closer_look_shows_what_it_may_and_says_what_not(
    ranges: list[tuple[int, int]], seen: set[int], frames: list[int], told: list[str]
) -> None:
    look = closer_look([Range(*each) for each in ranges], SECOND, seen, PAPER)

    assert list(look.frames) == frames
    assert len(look.told) == len(told)
    assert all(said.startswith(start) for said, start in zip(look.told, told, strict=True))


def test_a_demonstration_is_skimmed_inspected_and_summed_up() -> None:
    viewing = Viewing(total=200, switch="skim_inspect")
    first = view_of(viewing)
    assert first is not None
    assert (first.kind, first.frames, first.looks_left) == ("skim", tuple(range(0, 192, 8)), 24)

    viewing = answered(viewing, Answer("an arm pushes", (Range(16, 20), Range(500, 600))))
    closer = view_of(viewing)
    assert closer is not None
    assert (closer.kind, closer.frames, closer.looks_left) == ("inspect", (16, 18, 20), 21)
    assert closer.summary == "an arm pushes"
    assert "Range 500-600 was refused" in closer.told[0]

    viewing = answered(viewing, Answer("it carries", ()))
    last = view_of(viewing)
    assert last is not None
    assert (last.kind, last.segment.number, last.frames, last.told) == ("skim", 2, (192,), ())

    viewing = answered(viewing, Answer("it carries, then lets go", (Range(0, 3),)))
    assert view_of(viewing) is None
    assert viewing.summary == "it carries, then lets go"
    assert "Range 0-3 was refused" in viewing.told[0], "for the planner's first context"
    assert (viewing.skimmed, viewing.inspected) == (25, 3)
    with pytest.raises(ValueError, match="seen to its end"):
        answered(viewing, Answer("more", ()))


def test_the_baseline_gives_no_closer_look_and_says_so() -> None:
    viewing = answered(Viewing(total=100, switch="stride"), Answer("a push", (Range(0, 10),)))

    view = view_of(viewing)
    assert view is not None
    assert (view.segment.number, view.looks_left) == (2, 0)
    assert "fixed stride" in view.told[0]


RANGES = st.lists(st.builds(Range, st.integers(-50, 900), st.integers(-50, 900)), max_size=4)


@given(
    st.integers(0, 800), st.sampled_from(["skim_inspect", "stride", "off"]), st.lists(RANGES, max_size=200)
)
def test_every_viewing_ends_and_keeps_to_its_caps(
    total: int, switch: Switch, asked: list[list[Range]]
) -> None:
    viewing = Viewing(total=total, switch=switch)
    inspected: dict[int, int] = {}
    asked = asked[::-1]
    while (view := view_of(viewing)) is not None:
        part = view.segment
        assert all(part.first <= frame <= part.last for frame in view.frames)
        assert view.looks_left >= 0
        if view.kind == "inspect":
            inspected[part.number] = inspected.get(part.number, 0) + len(view.frames)
        viewing = answered(viewing, Answer("seen", tuple(asked.pop() if asked else [])))

    assert all(count <= PAPER.inspect_most for count in inspected.values())
    assert viewing.inspected == sum(inspected.values())
    covered = [frame for part in viewing.segments for frame in range(part.first, part.last + 1)]
    assert covered == ([] if switch == "off" else list(range(total)))


def test_a_setting_below_one_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="skim_every is 0"):
        DemonstrationSettings(skim_every=0)


def test_the_page_s_numbers_are_the_defaults() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "demonstrations.md").read_text("utf-8")
    every = [f"every {number}" for number in (PAPER.skim_every, PAPER.inspect_every, PAPER.stride_long_every)]

    assert [told for told in every if told not in page] == []
    assert f"more than {PAPER.long_above} frames" in page
    assert f"at most {PAPER.inspect_most} frames a segment" in page
    assert f"of {PAPER.segment_frames} frames shown" in page
    assert f"at {PAPER.picture_px} px" in page
