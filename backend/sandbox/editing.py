"""A record as it should have been: the rules of a person's correction, on a state that nobody keeps."""

from __future__ import annotations

from backend.domain.decide.revising import revise
from backend.domain.decide.rewriting import Author
from backend.domain.decide.turn import Inputs, Turn
from backend.domain.episode.events import RecordCorrected, StationAssigned
from backend.domain.episode.state import State
from backend.domain.memory.corrections import Correction
from backend.domain.mission.assignment import assign_at_reveal
from backend.domain.refusal import Refusal

AUTHOR = "what-if"


def edited(state: State, correction: Correction, met_s: float) -> State | Refusal:
    """The state with that record; the plan and what is under way stay as they are."""
    author = Author(by=AUTHOR, met_s=met_s, seq=state.seq + 1, reason="")
    revision = revise(state, correction, author)
    if isinstance(revision, Refusal):
        return revision
    turn = Turn(state, Inputs(met_s=met_s))
    turn.emit(
        f"operator:{AUTHOR}",
        RecordCorrected(
            by=AUTHOR,
            correction=correction,
            reason="",
            judged=revision.reason,
            records=revision.records,
            changes=revision.changes,
            evidence=revision.evidence,
            station=revision.station,
            origin=revision.origin,
            undoes=revision.undoes,
        ),
    )
    for record in revision.records if revision.evidence is not None else ():
        site, assignments = turn.state.site, turn.state.assignments
        station = assign_at_reveal(site, assignments, record.cls, record.pose)
        if station is not None:
            reason = f"nearest free station to {record.id}"
            turn.emit(
                "system", StationAssigned(cls=record.cls, station=station, entity=record.id, reason=reason)
            )
    return turn.state
