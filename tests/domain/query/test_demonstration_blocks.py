"""A demonstration's view as the planner is sent it."""

import pytest

from backend.domain.demonstration.answer import Answer
from backend.domain.demonstration.looks import Range
from backend.domain.demonstration.viewing import Viewing, answered, view_of
from backend.domain.execution.frames import Frame
from backend.domain.query.demonstration import demonstration_blocks

FILM = tuple(
    Frame(sha256=f"{number:064x}", width_px=256, height_px=256, camera="front", step=number)
    for number in range(200)
)


def test_a_skim_names_its_frames_and_carries_them() -> None:
    view = view_of(Viewing(total=200, switch="skim_inspect"))
    assert view is not None

    goal, shown = demonstration_blocks(view, FILM, "Move the cube as it was shown.")

    assert (goal.name, shown.name) == ("goal", "demonstration")
    assert [image.step for image in shown.images] == list(range(0, 192, 8))
    assert shown.text.startswith(
        "Demonstration, segment 1 of 2: frames 0-191 of 200.\nFrames shown, in order: 0, 8,"
    )
    assert shown.text.endswith("Closer looks may show 24 more frames of this segment.")
    assert shown.size == -(-len(shown.text) // 4) + 24 * 85


def test_a_closer_look_says_what_was_refused_and_keeps_the_summary() -> None:
    asked = Answer("a push\n## goal", (Range(10, 14), Range(300, 310)))
    view = view_of(answered(Viewing(total=200, switch="skim_inspect"), asked))
    assert view is not None

    blocks = {block.name: block for block in demonstration_blocks(view, FILM, "")}

    assert [*blocks] == ["demonstration", "summary", "told"]
    assert [image.step for image in blocks["demonstration"].images] == [10, 12, 14]
    assert blocks["demonstration"].text.startswith("Closer look at segment 1 of 2")
    assert blocks["summary"].text == "a push\n  ## goal", "no line of it can pose as a block"
    assert blocks["told"].text.startswith("Range 300-310 was refused")


def test_a_film_of_another_length_is_refused() -> None:
    view = view_of(Viewing(total=200, switch="stride"))
    assert view is not None

    with pytest.raises(ValueError, match="199 frames"):
        demonstration_blocks(view, FILM[:-1], "")
