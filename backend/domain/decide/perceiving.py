"""Evidence in, changed fields out, and whether the plan survives them."""

from __future__ import annotations

from itertools import repeat

from backend.domain.command.approval import OPEN
from backend.domain.decide.turn import Turn
from backend.domain.episode.events import (
    ApprovalSuperseded,
    EvidenceJudged,
    PlanInvalidated,
    StationAssigned,
    StepCancelAsked,
)
from backend.domain.memory.arbitration import Rules, judge
from backend.domain.memory.association import associate
from backend.domain.memory.evidence import Evidence, Judgement, Verdict
from backend.domain.mission.assignment import assign_at_reveal
from backend.domain.plans.validity import Cause, broken


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


def check_validity(turn: Turn) -> None:
    """Replan exactly when C ∩ D(P) ≠ ∅:
    the approval lapses, the plan goes, a step under way is asked to cancel."""
    state = turn.state
    if state.plan is None:
        return
    cause = broken(state.plan, state.cursor, state.memory, state.excused, state.site.metric)
    if cause is not None:
        drop_plan(turn, cause)


def drop_plan(turn: Turn, cause: Cause) -> None:
    state = turn.state
    if state.plan is None:
        return
    if state.approval is not None and state.approval.status in OPEN:
        turn.emit("system", ApprovalSuperseded(approval_id=state.approval.id, cause=cause))
    turn.emit("system", PlanInvalidated(number=state.plan.number, cause=cause))
    if state.dispatch is not None and not state.dispatch.cancel_asked:
        turn.emit("system", StepCancelAsked(dispatch_id=state.dispatch.id, reason=cause.message))
