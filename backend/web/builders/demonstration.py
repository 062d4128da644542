"""The demonstration as the planner watched it: by segment, what it asked to see closer, what it got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.demonstration.film import Film
from backend.domain.demonstration.viewing import Viewing
from backend.domain.episode import events as e
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.chosen import read_chosen
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.parts import Empty, Phrase, plain, strong
from backend.web.pages.table import DemonstrationPanel, SeenFrame, ViewRow

KINDS = ("demonstration.shown", "demonstration.answered", "demonstration.refused")
Answer = e.DemonstrationAnswered | e.DemonstrationRefused


def demonstration_panel(moment: Moment, recorded: Sequence[Entry], chosen: str) -> DemonstrationPanel:
    """`recorded`: events of `KINDS` up to the cursor. `chosen`: the number of a view, else the newest."""
    there = moment.state.at_table
    if there is None or there.film is None or there.viewing is None:
        empty = Empty(title="Nothing is demonstrated", text="This task begins without a demonstration.")
        return DemonstrationPanel(episode=moment.episode, at=moment.at, empty=empty)
    events = [entry.recorded.event for entry in recorded]
    shown = [event for event in events if isinstance(event, e.DemonstrationShown)]
    answers = {
        event.asked: event
        for event in events
        if isinstance(event, e.DemonstrationAnswered | e.DemonstrationRefused)
    }
    number = read_chosen(chosen).part
    open_view = next((each for each in shown if each.asked == number), shown[-1] if shown else None)
    return DemonstrationPanel(
        episode=moment.episode,
        at=moment.at,
        told=_told(there.film, there.viewing),
        segments=_segments(there.viewing),
        rows=tuple(_row(each, answers.get(each.asked), each is open_view) for each in shown),
        frames=_frames(there.film, open_view),
        frames_title="" if open_view is None else f"View {open_view.asked}: {_what(open_view)}",
        summary=there.viewing.summary,
    )


def _told(film: Film, viewing: Viewing) -> Phrase:
    shown = viewing.skimmed + viewing.inspected
    return (
        strong(f"{shown} of {words.counted(len(film), 'frame')} shown"),
        plain(f": {viewing.skimmed} skimmed, {viewing.inspected} in closer looks."),
    )


def _segments(viewing: Viewing) -> tuple[Mapping[str, str], ...]:
    """Each with how far it was watched."""
    return tuple(
        {
            "name": f"Segment {segment.number}",
            "frames": f"{segment.first} to {segment.last}",
            "state": "seen" if index < viewing.at else "now" if index == viewing.at else "to come",
        }
        for index, segment in enumerate(viewing.segments)
    )


def _what(shown: e.DemonstrationShown) -> str:
    return "skim" if shown.view.kind == "skim" else "closer look"


def _row(shown: e.DemonstrationShown, answer: Answer | None, is_open: bool) -> ViewRow:
    """What was refused of what an answer asked for is in the viewing that it made."""
    asked, refused, summary = "waits for the planner", "", ""
    if isinstance(answer, e.DemonstrationAnswered):
        asked = ", ".join(map(str, answer.answer.looks)) or "no closer look"
        refused, summary = " ".join(answer.viewing.told), answer.answer.summary
    elif answer is not None:
        asked, refused = "no answer", answer.failure
    view = shown.view
    return ViewRow(
        number=shown.asked,
        kind=_what(shown).capitalize(),
        segment=f"{view.segment.number} of {view.of_segments}",
        shown=figures.count(len(view.frames)),
        asked=asked,
        refused=refused,
        summary=summary,
        is_open=is_open,
        chosen=str(shown.asked),
    )


def _frames(film: Film, shown: e.DemonstrationShown | None) -> tuple[SeenFrame, ...]:
    if shown is None:
        return ()
    return tuple(
        SeenFrame(
            number=number,
            sha256=film.sha256s[number],
            width_px=film.width_px,
            height_px=film.height_px,
            alt=f"Demonstration, frame {number}",
        )
        for number in shown.view.frames
        if number < len(film)
    )
