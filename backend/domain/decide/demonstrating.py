"""Showing a demonstration before the first plan, and taking what the planner makes of it (LogLook, 3.5)."""

from __future__ import annotations

from backend.domain.decide.ending import end_if_budget_spent
from backend.domain.decide.turn import Turn
from backend.domain.demonstration.viewing import answered, view_of
from backend.domain.episode.demonstration_events import (
    DemonstrationAnswered,
    DemonstrationRefused,
    DemonstrationShown,
)
from backend.domain.episode.events import NoteWritten
from backend.domain.episode.state import Request
from backend.domain.plans.findings import Finding
from backend.domain.query.demonstration import demonstration_blocks
from backend.domain.query.query import Reply

REPAIRABLE = ("invalid_json", "invalid_schema")
"""Verdicts on an answer that came whole and has the wrong shape: worth telling the model once."""


def show_demonstration(turn: Turn, render: bool, findings: tuple[Finding, ...] = ()) -> bool:
    """Asks about the next view of it; False where none is left, or nobody would read it but a person."""
    there = turn.state.at_table
    if there is None or there.film is None or there.viewing is None or turn.state.planner == "operator":
        return False
    view = view_of(there.viewing)
    if view is None:
        return False
    blocks = (
        demonstration_blocks(view, there.film.frames, there.table.instruction, findings) if render else ()
    )
    shown = DemonstrationShown(asked=there.views_asked + 1, view=view, blocks=blocks, findings=findings)
    turn.emit("system", shown)
    return True


def take_answer(turn: Turn, request: Request, reply: Reply, render: bool) -> None:
    """The summary goes into the next view; the last one becomes the planner's first note."""
    there = turn.state.at_table
    if reply.answer is None or there is None or there.viewing is None:
        _refuse(turn, request, reply, render)
        return
    after = answered(there.viewing, reply.answer)
    turn.emit("planner", DemonstrationAnswered(asked=request.attempt, answer=reply.answer, viewing=after))
    if view_of(after) is None:
        author = turn.state.planner
        turn.emit("planner", NoteWritten(decision=0, author=author, text=reply.answer.summary))


def _refuse(turn: Turn, request: Request, reply: Reply, render: bool) -> None:
    """An answer of the wrong shape is asked for once more; after that, and without any, a person decides."""
    last = reply.attempts[-1] if reply.attempts else None
    failure = "The planner gave no summary of the demonstration."
    if last is not None and last.detail:
        failure = last.detail
    repair = last is not None and last.verdict in REPAIRABLE and not request.findings
    turn.emit("planner", DemonstrationRefused(asked=request.attempt, failure=failure, will_repair=repair))
    if last is not None and repair and not end_if_budget_spent(turn):
        remedy = "Answer with one JSON object of the shape that the schema gives."
        finding = Finding(step=None, argument=None, rule=last.verdict, message=failure, remedy=remedy)
        show_demonstration(turn, render, (finding,))
