"""A record as it should have been: the rules of a person's correction, on a state that nobody keeps."""

from __future__ import annotations

from backend.domain.decide.correcting import write_down
from backend.domain.decide.revising import revise
from backend.domain.decide.rewriting import Author
from backend.domain.decide.turn import Inputs, Turn
from backend.domain.episode.state import State
from backend.domain.memory.corrections import Correction
from backend.domain.refusal import Refusal

AUTHOR = "what-if"


def edited(state: State, correction: Correction, met_s: float) -> State | Refusal:
    """The state with that record; the plan and what is under way stay as they are."""
    author = Author(by=AUTHOR, met_s=met_s, seq=state.seq + 1, reason="")
    revision = revise(state, correction, author)
    if isinstance(revision, Refusal):
        return revision
    turn = Turn(state, Inputs(met_s=met_s))
    write_down(turn, correction, revision, AUTHOR, "")
    return turn.state
