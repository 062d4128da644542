"""Correcting memory in a scripted episode as a page does it: look, rehearse, confirm what was shown."""

from __future__ import annotations

from backend.domain.command.intents import Correct
from backend.domain.decide.blast import Blast
from backend.domain.decide.correcting import rehearse
from backend.domain.memory.corrections import Correction, Move, named
from backend.domain.refusal import Refusal
from tests.domain.scripted import OPERATOR, Scripted


def confirmed(
    script: Scripted, correction: Correction, actor: str = OPERATOR, reason: str = "Seen."
) -> Correct:
    """What a page posts that showed the records and the blast as they are now."""
    blast = rehearse(script.state, correction, actor, script.met_s)
    records = script.state.memory.records
    return Correct(
        correction=correction,
        seen={entity: records[entity].revision for entity in named(correction) if entity in records},
        blast=blast.digest if isinstance(blast, Blast) else "",
        reason=reason,
    )


def fix(script: Scripted, correction: Correction, actor: str = OPERATOR) -> str:
    """ "applied", or the code of the refusal."""
    settled = script.click(confirmed(script, correction, actor), actor)
    return settled.code


def shown(script: Scripted, correction: Correction) -> Blast:
    blast = rehearse(script.state, correction, OPERATOR, script.met_s)
    assert not isinstance(blast, Refusal), str(blast)
    return blast


def moved(entity: str = "can_1", x_m: float = 4.0, y_m: float = 4.0, *, lock: bool = False) -> Move:
    return Move(entity=entity, x_m=x_m, y_m=y_m, lock=lock)
