"""A person's correction of memory: rehearsed, shown, confirmed, then evidence like any other.

`rehearse` decides it on a copy and says what it would set off; `correct` does the same for good. There is one
function that applies a correction, so that what was shown is what happens.
"""

from __future__ import annotations

from backend.domain.command.intents import Correct, Intent
from backend.domain.decide.blast import Blast, blast_of
from backend.domain.decide.ending import end
from backend.domain.decide.guards import refuse_without_conn
from backend.domain.decide.memory_guards import refuse_rest_of_plan, refuse_stale_record, refuse_unseen_blast
from backend.domain.decide.revising import revise
from backend.domain.decide.rewriting import Author, Revision
from backend.domain.decide.settling import take_free_conn
from backend.domain.decide.turn import Inputs, Turn
from backend.domain.decide.validity import check_validity, drop_plan
from backend.domain.episode.events import RecordCorrected, StationAssigned
from backend.domain.episode.state import State
from backend.domain.memory.corrections import Correction
from backend.domain.memory.record import FIELD_NAME, Field, Source
from backend.domain.mission.assignment import assign_at_reveal
from backend.domain.mission.completion import is_complete
from backend.domain.plans.validity import Cause
from backend.domain.refusal import Refusal

LONGEST_REASON = 2000


def rehearse(state: State, correction: Correction, by: str, met_s: float) -> Blast | Refusal:
    """What the correction would do now, without doing it; or why it may not be made."""
    turn = Turn(state, Inputs(met_s=met_s))
    revision = revise(state, correction, _author(turn, by, ""))
    if isinstance(revision, Refusal):
        return revision
    _apply(turn, correction, revision, by, "")
    return blast_of(state, turn.events)


def correct(turn: Turn, intent: Intent, action: Correct) -> Refusal | None:
    """By the holder of the conn, of the records as shown, with the consequences as shown."""
    state, met_s = turn.state, turn.inputs.met_s
    refusal = refuse_without_conn(state, intent, turn.inputs.now_s) or refuse_stale_record(
        state.memory.records, action.correction, action.seen
    )
    if refusal is None and len(action.reason) > LONGEST_REASON:
        refusal = Refusal(
            "reason", "The reason is too long.", f"Write at most {LONGEST_REASON:,} characters."
        )
    if refusal is not None:
        return refusal
    blast = rehearse(state, action.correction, intent.actor, met_s)
    if isinstance(blast, Refusal):
        return blast
    refusal = refuse_unseen_blast(blast, action.blast)
    if refusal is not None:
        return refusal
    take_free_conn(turn, intent)
    reason = action.reason.strip()
    revision = revise(turn.state, action.correction, _author(turn, intent.actor, reason))
    if isinstance(revision, Refusal):
        return revision
    _apply(turn, action.correction, revision, intent.actor, reason)
    return None


def _author(turn: Turn, by: str, reason: str) -> Author:
    return Author(by=by, met_s=turn.inputs.met_s, seq=turn.state.seq + 1, reason=reason)


def _apply(turn: Turn, correction: Correction, revision: Revision, by: str, reason: str) -> None:
    write_down(turn, correction, revision, by, reason)
    check_validity(turn)
    _drop_what_is_impossible(turn, revision, by)
    _end_if_complete(turn)


def write_down(turn: Turn, correction: Correction, revision: Revision, by: str, reason: str) -> None:
    """The records as a person has them, and the stations of what is revealed by that. Judges no plan."""
    turn.emit(
        f"operator:{by}",
        RecordCorrected(
            by=by,
            correction=correction,
            reason=reason,
            judged=revision.reason,
            records=revision.records,
            changes=revision.changes,
            evidence=revision.evidence,
            station=revision.station,
            origin=revision.origin,
            undoes=revision.undoes,
        ),
    )
    _assign(turn, revision)


def _assign(turn: Turn, revision: Revision) -> None:
    """A class that a person is the first to name is revealed by it."""
    for record in revision.records:
        site, assignments = turn.state.site, turn.state.assignments
        station = assign_at_reveal(site, assignments, record.cls, record.pose)
        if station is not None and revision.evidence is not None:
            reason = f"nearest free station when a person named {record.id}"
            turn.emit(
                "system", StationAssigned(cls=record.cls, station=station, entity=record.id, reason=reason)
            )


def _drop_what_is_impossible(turn: Turn, revision: Revision, by: str) -> None:
    refusal = refuse_rest_of_plan(turn.state)
    if refusal is None:
        return
    change = next((each for each in revision.changes if each.field is not Field.TIME), None)
    if change is None:
        return
    message = (
        f"{FIELD_NAME[change.field]} of {change.entity} was corrected by {by}. {refusal.message.rstrip('.')}"
    )
    cause = Cause(
        kind="changed",
        message=message,
        entity=change.entity,
        field=change.field,
        old=change.old,
        new=change.new,
        source=Source.OPERATOR,
    )
    drop_plan(turn, cause)


def _end_if_complete(turn: Turn) -> None:
    """What a person carried to its station may have been the last."""
    state = turn.state
    total, held = state.mission.total, state.robot.held
    if state.dispatch is None and is_complete(
        total, held, state.delivered, state.memory.records, state.assignments
    ):
        end(turn, "completed", f"All {total} delivered to their stations")
