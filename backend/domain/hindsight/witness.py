"""Who can tell afterwards where a thing was: the robot by what it saw and measured, people, remote reports.

What the robot saw by itself, what it measured and what a person said is firsthand. A remote report or the
initial map is a claim: it counts only where nothing firsthand settles the matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.hindsight.truth import Condition
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import ACTIVE, EntityRecord, Field, Source, Status

Basis = Literal["truth", "measured", "seen", "person", "report"]
"""What a thing known now rests on; `seen`: by the robot itself."""

_CONDITION: dict[Status, Condition] = {Status.GRASPED: "held", Status.DELIVERED: "delivered"}


class Witness(Struct, frozen=True, kw_only=True):
    """At mission time `at_s` the entity was at `pose`; or was not there, where `is_absent`. `seq`: the event
    that told, which may be later."""

    at_s: float
    seq: int
    pose: Pose
    basis: Basis
    condition: Condition = "floor"
    is_absent: bool = False

    @property
    def is_firsthand(self) -> bool:
        return self.basis != "report"


def witnesses_of(recorded: e.Recorded, after: State) -> Iterator[tuple[str, Witness]]:
    """What an event testifies, by entity. `after`: the state once it is applied."""
    event = recorded.event
    if isinstance(event, e.EvidenceJudged):
        yield from _reported(recorded, event)
    elif isinstance(event, e.StepEnded):
        yield from _measured(recorded, event, after)
    elif isinstance(event, e.RecordCorrected):
        yield from _said(recorded, event)


def _reported(recorded: e.Recorded, event: e.EvidenceJudged) -> Iterator[tuple[str, Witness]]:
    if event.verdict is Verdict.REFUSED:
        return
    evidence = event.evidence
    bases: dict[Source, Basis] = {Source.ONBOARD: "seen", Source.OPERATOR: "person", Source.TRUTH: "truth"}
    basis = bases.get(evidence.source, "report")
    yield event.entity, Witness(at_s=evidence.stamp_s, seq=recorded.seq, pose=evidence.pose, basis=basis)


def _measured(recorded: e.Recorded, event: e.StepEnded, after: State) -> Iterator[tuple[str, Witness]]:
    outcome = event.outcome
    for entity in dict.fromkeys(change.entity for change in event.changes):
        record = after.memory.records[entity]
        is_lost = record.status is Status.LOST
        place = record.failed_pose if is_lost and record.failed_pose is not None else record.pose
        if record.status is Status.RECONSIDER or (is_lost and outcome.reason != "absent"):
            continue  # a skill on it failed, which tells nothing of where it is
        yield (
            entity,
            Witness(
                at_s=outcome.started_s if is_lost else outcome.ended_s,
                seq=recorded.seq,
                pose=_station_of(after, entity) or place,
                basis="measured",
                condition=_CONDITION.get(record.status, "floor"),
                is_absent=is_lost,
            ),
        )


def _station_of(after: State, entity: str) -> Pose | None:
    station = after.site.station(after.delivered.get(entity, ""))
    return station.pose if station is not None else None


def _said(recorded: e.Recorded, event: e.RecordCorrected) -> Iterator[tuple[str, Witness]]:
    told = {change.entity for change in event.changes if change.field in (Field.POSE, Field.STATUS)}
    for record in event.records:
        if record.id in told and (record.status in ACTIVE or record.status in _CONDITION):
            yield record.id, _word(recorded, record)


def _word(recorded: e.Recorded, record: EntityRecord) -> Witness:
    return Witness(
        at_s=recorded.met_s,
        seq=recorded.seq,
        pose=record.pose,
        basis="person",
        condition=_CONDITION.get(record.status, "floor"),
    )
