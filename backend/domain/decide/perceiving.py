"""Evidence in, changed fields out."""

from __future__ import annotations

from itertools import repeat

from backend.domain.decide.turn import Turn
from backend.domain.episode.events import EvidenceJudged, StationAssigned
from backend.domain.memory.arbitration import Rules, judge
from backend.domain.memory.association import associate
from backend.domain.memory.evidence import Evidence, Judgement, Verdict
from backend.domain.mission.assignment import assign_at_reveal


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
    if never_accepted and verdict is Verdict.ACCEPTED:
        _assign(turn, entity, evidence)


def _assign(turn: Turn, entity: str, evidence: Evidence) -> None:
    station = assign_at_reveal(turn.state.site, turn.state.assignments, evidence.cls, evidence.pose)
    if station is not None:
        reason = f"nearest free station when {entity} was revealed"
        turn.emit("system", StationAssigned(cls=evidence.cls, station=station, entity=entity, reason=reason))
