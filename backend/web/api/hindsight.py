"""What the API tells of two times: what was believed at a moment, what is known now, and what that cost."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.hindsight.difference import Compared, Difference, compare
from backend.domain.hindsight.known import Known
from backend.domain.hindsight.reliance import Misled
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.api.reads import Cursor
from backend.web.console import Console
from backend.web.errors import NotThere
from backend.web.looking_back import LookingBack


class Beside(Struct, frozen=True, kw_only=True):
    """One entity. `believed`, `status`: what its record said, None without one. `known` None: nothing is
    known now beyond the record. No `differences`: they agree."""

    entity: str
    believed: Pose | None
    status: str | None
    known: Known | None
    differences: tuple[Difference, ...]


class TwoTimes(Struct, frozen=True, kw_only=True):
    """Memory at a moment beside what is known now, and over the whole episode how long plans rested on what
    was wrong, by cause. Where things really were is told of an ended episode alone."""

    seq: int
    met_s: float
    entities: tuple[Beside, ...]
    misled: Misled


def operations(console: Console) -> list[Operation]:
    back = LookingBack(console.deps, console.chronicles)

    def hindsight(call: Call) -> Reply:
        episode, at = call.path["episode"], call.query.at
        evaluated = console.deps.reader.episode(episode).evaluated
        looked = back.of(episode, evaluated)
        head = console.chronicles.of(episode).newest().state
        if at is not None and at > head.seq:
            remedy = f"Its events are 1 to {head.seq}."
            raise NotThere(f"Episode {episode} has no event {at}", remedy=remedy, field="at")
        state = head if at is None else console.desk.state_at(episode, at)
        compared = compare(state.memory.records, looked.hindsight, state.met_s, state.site.metric)
        told = TwoTimes(
            seq=state.seq,
            met_s=state.met_s,
            entities=tuple(_beside(state, each) for each in compared),
            misled=looked.misled,
        )
        return Reply(value=told)

    return [
        Operation(
            id="hindsight",
            method="GET",
            path=f"{ROOT}/episodes/{{episode}}/hindsight",
            scope="read",
            tag="Episodes",
            summary="What was believed at a moment beside what is known now",
            text=(TwoTimes.__doc__ or "").strip(),
            run=hindsight,
            query=Cursor,
            answer=TwoTimes,
        )
    ]


def _beside(state: State, compared: Compared) -> Beside:
    record = state.memory.records.get(compared.entity)
    return Beside(
        entity=compared.entity,
        believed=record.pose if record is not None else None,
        status=record.status.value if record is not None else None,
        known=compared.known,
        differences=compared.differences,
    )
