"""The execution log, as it was measured, beside the notes, as they were written."""

from __future__ import annotations

from backend.domain.episode.state import State
from backend.domain.execution import log as execution
from backend.domain.execution.outcome import Measured, Result
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.log import LogLine, LogPanel, NoteLine
from backend.web.pages.parts import Empty, Icon, Tone

_RESULTS: dict[Result, tuple[str, Icon, Tone]] = {
    Result.SUCCEEDED: ("Done", "ok", "quiet"),
    Result.FAILED: ("Failed", "warn", "caution"),
    Result.CANCELLED: ("Cancelled", "reject", "quiet"),
    Result.STOPPED: ("Stopped", "held", "caution"),
    Result.NOT_EXECUTED: ("NOT EXECUTED", "reject", "caution"),
}


def log_panel(state: State) -> LogPanel:
    return LogPanel(
        episode=state.episode,
        lines=tuple(_line(line) for line in state.log),
        notes=tuple(
            NoteLine(
                number=str(note.decision), author=note.author, met=figures.met(note.met_s), text=note.text
            )
            for note in state.notes
        ),
        no_lines=None
        if state.log
        else Empty(title="Nothing executed yet", text="A line is written when an action has ended."),
        no_notes=None if state.notes else Empty(title="No notes", text="The planner has written none."),
    )


def _line(line: execution.LogLine) -> LogLine:
    result, icon, tone = _RESULTS[line.result]
    reason = line.reason.replace("_", " ")
    measured = _measured(line.measured)
    if line.result is Result.NOT_EXECUTED:
        measured = reason
    elif line.result is not Result.SUCCEEDED and reason:
        measured = f"{reason}: {measured}"
    return LogLine(
        index=str(line.index),
        seq=line.seq,
        met=figures.met(line.met_s),
        command=line.command,
        result=result,
        icon=icon,
        measured=measured,
        tone=tone,
    )


def _measured(measured: Measured) -> str:
    parts = [f"at {words.place(measured.pose)}"] if measured.pose is not None else []
    if measured.gripper_open is not None:
        parts.append("gripper open" if measured.gripper_open else "gripper closed")
    parts.append(f"holding {measured.held or 'nothing'}")
    return ", ".join(parts)
