"""The execution log, as it was measured, beside the notes, as they were written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution import log as execution
from backend.domain.execution import notes as note_history
from backend.domain.execution.notes import Note
from backend.domain.execution.outcome import Measured, Result
from backend.domain.geometry import Metric, Pose
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.chosen import read_chosen
from backend.web.builders.difference import word_runs
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.log import LogChoice, LogLine, LogPanel, NoteLine, SentLine
from backend.web.pages.parts import Empty, Icon, Tone

PAGE = 200
"""Lines, and notes, that are shown at once."""
KINDS = ("step.dispatched", "step.ended")
"""What the asked places are read from."""

_RESULTS: dict[Result, tuple[str, Icon, Tone]] = {
    Result.SUCCEEDED: ("Done", "ok", "quiet"),
    Result.FAILED: ("Failed", "warn", "caution"),
    Result.CANCELLED: ("Cancelled", "reject", "quiet"),
    Result.STOPPED: ("Stopped", "held", "caution"),
    Result.NOT_EXECUTED: ("NOT EXECUTED", "reject", "caution"),
}


def log_panel(moment: Moment, entries: Sequence[Entry], chosen: str) -> LogPanel:
    """`entries` of `KINDS` that the shown lines come from. `chosen`: "120:plannerwords", the line before
    which lines are shown, and how log and notes are read."""
    state, asked = moment.state, read_chosen(chosen)
    reading: Literal["table", "planner"] = "planner" if "planner" in asked.view else "table"
    by_words = "words" in asked.view
    first, last = window(state, chosen)
    lines = state.log[first:last]
    goals = goals_of(entries)
    notes = state.notes[-PAGE:]
    return LogPanel(
        episode=state.episode,
        at=moment.at,
        reading=reading,
        readings=_choices(asked.part, reading, by_words, _LOG_READINGS, reading),
        lines=tuple(_line(line, goals.get(line.seq), state.site.metric) for line in lines)
        if reading == "table"
        else (),
        sent=_sent(state, lines) if reading == "planner" else (),
        shown=_shown(len(execution.shown(state.log, state.mission.memory.log)), len(state.log), "line"),
        notes=_notes(state, notes, by_words),
        note_readings=_choices(
            asked.part, reading, by_words, _NOTE_READINGS, "words" if by_words else "written"
        ),
        notes_shown=_shown(
            len(note_history.shown(state.notes, state.mission.memory.notes)), len(state.notes), "note"
        ),
        earlier=f"{first + 1}:{_view(reading, by_words)}" if first else "",
        later="" if last == len(state.log) else f"{last + PAGE + 1}:{_view(reading, by_words)}",
        no_lines=None
        if state.log
        else Empty(title="Nothing executed yet", text="A line is written when an action has ended."),
        no_notes=None if state.notes else Empty(title="No notes", text="The planner has written none."),
    )


def window(state: State, chosen: str) -> tuple[int, int]:
    """The lines shown: those before the one chosen, else the newest."""
    before = read_chosen(chosen).part
    last = len(state.log) if before is None else max(0, min(len(state.log), before - 1))
    return max(0, last - PAGE), last


def goals_of(entries: Sequence[Entry]) -> dict[int, Pose]:
    """Seq of a log line -> the place that its step was sent to."""
    asked: dict[str, Pose] = {}
    goals: dict[int, Pose] = {}
    for entry in entries:
        event = entry.recorded.event
        if isinstance(event, e.StepDispatched) and event.goal is not None:
            asked[event.dispatch_id] = event.goal
        if isinstance(event, e.StepEnded) and event.outcome.dispatch_id in asked:
            goals[entry.recorded.seq] = asked[event.outcome.dispatch_id]
    return goals


_LOG_READINGS = (("table", "Table"), ("planner", "As the planner sees it"))
_NOTE_READINGS = (("written", "As written"), ("words", "Differences"))


def _choices(
    part: int | None, reading: str, by_words: bool, names: Sequence[tuple[str, str]], opened: str
) -> tuple[LogChoice, ...]:
    """Each changes one of the two readings and leaves the other."""
    chosen = {
        "table": _view("table", by_words),
        "planner": _view("planner", by_words),
        "written": _view(reading, False),
        "words": _view(reading, True),
    }
    return tuple(
        LogChoice(
            name=name,
            label=label,
            chosen=f"{part if part is not None else ''}:{chosen[name]}",
            is_open=name == opened,
        )
        for name, label in names
    )


def _view(reading: str, by_words: bool) -> str:
    return f"{reading}words" if by_words else reading


def _shown(shown: int, of: int, one: str) -> str:
    if shown == of:
        return f"The planner is shown all {words.counted(of, one)}" if of else ""
    if not shown:
        return f"The planner is shown no {one}: its memory leaves them out"
    return f"The planner is shown the last {shown} of {words.counted(of, one)}"


def _sent(state: State, lines: Sequence[execution.LogLine]) -> tuple[SentLine, ...]:
    shown = {line.index for line in execution.shown(state.log, state.mission.memory.log)}
    return tuple(
        SentLine(seq=line.seq, text=execution.sentence(line), is_shown=line.index in shown) for line in lines
    )


def _notes(state: State, notes: Sequence[Note], by_words: bool) -> tuple[NoteLine, ...]:
    shown = {note.seq for note in note_history.shown(state.notes, state.mission.memory.notes)}
    start = len(state.notes) - len(notes)
    befores = (state.notes[start - 1].text if start else "", *(note.text for note in notes))
    return tuple(
        NoteLine(
            number=str(note.decision),
            seq=note.seq,
            author=note.author,
            met=figures.met(note.met_s),
            text=note.text,
            runs=word_runs(before, note.text) if by_words and before else (),
            is_shown=note.seq in shown,
        )
        for note, before in zip(notes, befores, strict=False)
    )


def _line(line: execution.LogLine, goal: Pose | None, metric: Metric) -> LogLine:
    result, icon, tone = _RESULTS[line.result]
    reason = line.reason.replace("_", " ")
    measured, pose = _measured(line.measured), line.measured.pose
    if line.result is Result.NOT_EXECUTED:
        measured, pose = reason, None
    elif line.result is not Result.SUCCEEDED and reason:
        measured = f"{reason}: {measured}"
    off_m = 0.0 if goal is None or pose is None else metric.distance_m(goal, pose)
    return LogLine(
        index=str(line.index),
        seq=line.seq,
        met=figures.met(line.met_s),
        command=line.command,
        asked=f"at {words.place(goal)}" if goal is not None else "",
        result=result,
        icon=icon,
        measured=measured,
        off=f"{off_m:.2f} m off" if off_m >= 0.005 else "",
        stands_off=line.result is Result.SUCCEEDED and off_m < metric.length_m,
        tone=tone,
    )


def _measured(measured: Measured) -> str:
    at = [] if measured.pose is None else [f"at {words.place(measured.pose)}"]
    return ", ".join([*at, *execution.hand(measured)])
