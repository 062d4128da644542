"""A correction tried: what it would set off, read from the events that it would give. Nothing is done."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.domain.decide.blast import Blast, told
from backend.domain.decide.correcting import rehearse
from backend.domain.memory.corrections import Correction, named
from backend.domain.refusal import Refusal
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.console import Console
from backend.web.errors import TooLate


class Tried(Struct, frozen=True, kw_only=True):
    """The `correction` as the command `correct` takes it."""

    correction: Correction


class Rehearsal(Struct, frozen=True, kw_only=True):
    """What the correction would do to the state after event `seq`. The command `correct` takes `seen` and
    `blast` as they stand here, and is refused where it would do anything else by then.

    `says`: the consequences in sentences; `consequences`: the same as values.
    """

    episode: str
    seq: int
    seen: Mapping[str, int]
    blast: str
    says: str
    consequences: Blast


def operations(console: Console) -> list[Operation]:
    def run(call: Call) -> Reply:
        episode, correction = call.path["episode"], call.body.correction
        state = console.chronicles.of(episode).newest().state
        if state.ending is not None:
            raise TooLate("The episode has ended", remedy="Nothing of it can be changed.", code="ended")
        found = rehearse(state, correction, call.user.name, state.met_s)
        if isinstance(found, Refusal):
            raise TooLate(found.message, remedy=found.remedy, code=found.code)
        records = state.memory.records
        return Reply(
            value=Rehearsal(
                episode=episode,
                seq=state.seq,
                seen={entity: records[entity].revision for entity in named(correction) if entity in records},
                blast=found.digest,
                says=told(found),
                consequences=found,
            )
        )

    return [
        Operation(
            id="rehearse_correction",
            method="POST",
            path=f"{ROOT}/episodes/{{episode}}/corrections/rehearsal",
            scope="read",
            tag="Episodes",
            summary="What a correction would do",
            text=(Rehearsal.__doc__ or "").strip(),
            run=run,
            body=Tried,
            answer=Rehearsal,
            takes_key=False,
        )
    ]
