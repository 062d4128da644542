"""Who is asked before the plan runs, what the question pins, and when it lapses."""

from __future__ import annotations

from backend.domain.command.approval import Approval, ApprovalStatus, Pin, Pins
from backend.domain.command.policy import Policy, Risk
from backend.domain.command.risk import risks
from backend.domain.decide.guards import (
    refuse_expired,
    refuse_new_risk,
    refuse_outgrown,
    refuse_policy_answer,
)
from backend.domain.decide.turn import Turn
from backend.domain.episode.events import (
    ApprovalExpired,
    ApprovalGranted,
    ApprovalRequested,
    ApprovalSuperseded,
)
from backend.domain.episode.grounding import goal_of
from backend.domain.episode.state import State
from backend.domain.plans.plan import Plan
from backend.domain.plans.validity import Cause


def keep_approval(turn: Turn) -> None:
    """Expire what waited too long, ask for what is not asked yet, and let the policy answer where it may."""
    state = turn.state
    approval = state.approval
    if approval is not None and approval.status is ApprovalStatus.PENDING:
        if refuse_expired(approval, turn.inputs.now_s) is not None:
            turn.emit("system", ApprovalExpired(approval_id=approval.id))
            return
        if not _aged(turn, approval):
            return
        state = turn.state
        approval = state.approval
    if state.plan is None or state.stops or state.dispatch is not None or state.asks_person:
        return
    if not _is_current(approval, state.plan, state.cursor):
        request_approval(turn, state.plan)


def _aged(turn: Turn, approval: Approval) -> bool:
    """Risks go on growing while a question waits: one that its card does not show asks anew.
    True where the approval was taken back."""
    state, plan = turn.state, turn.state.plan
    if plan is None or approval.plan_number != plan.number or state.stops:
        return False
    pins = current_pins(state, plan, approval.first_step, approval.last_step, turn.inputs.met_s)
    return supersede_on_new_risk(turn, approval, pins)


def _is_current(approval: Approval | None, plan: Plan, cursor: int) -> bool:
    """Whether a question about this plan's next step has been put already and not been used up."""
    if approval is None or approval.plan_number != plan.number or not approval.covers(cursor):
        return False
    return approval.status is not ApprovalStatus.CONSUMED and approval.status is not ApprovalStatus.SUPERSEDED


def request_approval(turn: Turn, plan: Plan) -> None:
    state = turn.state
    last = state.cursor if state.policy.mode == "every_skill" else len(plan.steps) - 1
    pins = current_pins(state, plan, state.cursor, last, turn.inputs.met_s)
    wait_s = state.mission.approval_expires_s
    approval = Approval(
        id=f"{state.episode}-a{state.approvals + 1}",
        plan_number=plan.number,
        first_step=state.cursor,
        last_step=last,
        pins=pins,
        pins_digest=pins.digest,
        status=ApprovalStatus.PENDING,
        asked_seq=state.seq + 1,
        asked_s=turn.inputs.met_s,
        expires_s=None if wait_s is None else turn.inputs.now_s + wait_s,
    )
    turn.emit("system", ApprovalRequested(approval=approval))
    if asks_nobody(state.policy, pins.risks) and refuse_policy_answer(state, plan) is None:
        turn.emit("policy", ApprovalGranted(approval_id=approval.id, by="policy"))


def asks_nobody(policy: Policy, found: tuple[Risk, ...]) -> bool:
    return policy.mode == "auto" or (policy.mode == "on_risk" and not found)


def current_pins(state: State, plan: Plan, first: int, last: int, now_s: float) -> Pins:
    """What an approval of steps `first` to `last` would rest on now."""
    fields = tuple(
        [
            Pin(dependency.entity, dependency.field, dependency.version)
            for dependency in plan.dependencies
            if dependency.last_step >= first
        ]
    )
    found = risks_of(state, state.policy, plan, first, last, now_s)
    return Pins(
        plan_digest=plan.digest,
        fields=fields,
        site_version=state.site.version,
        catalogue_digest=state.catalogue_digest,
        held=state.robot.held,
        risks=found,
    )


def risks_of(
    state: State, policy: Policy, plan: Plan, first: int, last: int, now_s: float
) -> tuple[Risk, ...]:
    """What the policy's rules find in steps `first` to `last`; nothing where it asks nobody anyway."""
    if policy.mode == "auto":
        return ()
    steps = [(i, plan.steps[i], goal_of(state, plan.steps[i])) for i in range(first, last + 1)]
    return risks(
        policy.risk,
        steps,
        state.memory.records,
        state.robot.pose,
        state.site.metric,
        now_s,
        state.after_failure,
        state.catalogue,
    )


def supersede_on_new_risk(turn: Turn, approval: Approval, pins: Pins) -> bool:
    """A risk that the approver was not shown takes the approval back and asks anew, and so does a policy
    stricter than the one it was given under. True where one did."""
    policy = turn.state.policy
    refusal = None if policy.mode == "auto" else refuse_new_risk(approval, pins)
    refusal = refusal or refuse_outgrown(policy, approval, pins)
    if refusal is None:
        return False
    cause = Cause(kind="lapsed", message=refusal.message)
    turn.emit("system", ApprovalSuperseded(approval_id=approval.id, cause=cause))
    return True
