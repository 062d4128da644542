"""Evidence in, changed fields out."""

from __future__ import annotations

from itertools import repeat

from backend.domain.decide.turn import Turn
from backend.domain.episode.events import (
    EvidenceJudged,
    RecordDisputed,
    RecordSettled,
    RobotObserved,
    StationAssigned,
)
from backend.domain.geometry import Pose
from backend.domain.memory.arbitration import Rules, judge
from backend.domain.memory.association import associate
from backend.domain.memory.evidence import Evidence, Judgement, Verdict
from backend.domain.memory.record import EntityRecord
from backend.domain.memory.words import agreed, contradiction, is_known
from backend.domain.mission.assignment import assign_at_reveal


def take_pose(turn: Turn, pose: Pose) -> None:
    """In shadow others move the robot, and its place is kept to half a characteristic length, by which
    attention goes. A robot of ours is where its outcomes say."""
    state = turn.state
    if not state.mission.shadow or pose.frame_id != state.site.frame_id:
        return
    if state.site.metric.distance_m(pose, state.robot.pose) >= state.site.metric.length_m / 2:
        turn.emit("robot", RobotObserved(pose=pose))


def take_evidence(turn: Turn) -> None:
    state = turn.state
    rules = Rules(state.mission.memory, state.site.metric, state.site.frame_id)
    times = turn.inputs.times or repeat(1)
    for evidence, said in zip(turn.inputs.evidence, times, strict=False):
        _judge(turn, evidence, said, rules)


def _judge(turn: Turn, evidence: Evidence, times: int, rules: Rules) -> None:
    memory = turn.state.memory
    entity = associate(memory, evidence, rules.metric)
    if turn.state.site.station(entity) is None:
        judgement = judge(memory, entity, evidence, rules, turn.inputs.met_s)
    else:
        judgement = Judgement(Verdict.REFUSED, f"{entity} is the name of a station")
    record = memory.records.get(entity)
    verdict = judgement.verdict
    never_accepted = record is None or not record.supported
    turn.emit(
        "robot",
        EvidenceJudged(
            entity=entity,
            evidence=evidence,
            verdict=verdict,
            reason=judgement.reason,
            changes=judgement.changes,
            unsupported=never_accepted and judgement.too_weak,
            times=times,
        ),
    )
    if record is not None and record.words:
        _dispute(turn, record, evidence, judgement)
    if never_accepted and verdict is Verdict.ACCEPTED:
        _assign(turn, entity, evidence)


def _dispute(turn: Turn, record: EntityRecord, evidence: Evidence, judgement: Judgement) -> None:
    """What a source says against a person's word is told once, and is over when it says the same."""
    metric = turn.state.site.metric
    found = contradiction(record, evidence, judgement, metric)
    if found is None:
        settled = agreed(record, evidence, judgement, metric)
        if settled is not None:
            reason = f"{settled.sensed_by or settled.source.value} now says what {settled.by} said"
            turn.emit("system", RecordSettled(entity=record.id, field=settled.field, reason=reason))
    elif not is_known(record, found, evidence, metric):
        turn.emit(
            "robot",
            RecordDisputed(
                entity=record.id,
                field=found.word.field,
                by=found.word.by,
                claim=found.claim,
                source=evidence.source,
                sensed_by=evidence.sensed_by,
                kept=found.kept,
                reason=judgement.reason,
            ),
        )


def _assign(turn: Turn, entity: str, evidence: Evidence) -> None:
    station = assign_at_reveal(turn.state.site, turn.state.assignments, evidence.cls, evidence.pose)
    if station is not None:
        reason = f"nearest free station when {entity} was revealed"
        turn.emit("system", StationAssigned(cls=evidence.cls, station=station, entity=entity, reason=reason))
