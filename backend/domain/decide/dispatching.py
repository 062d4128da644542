"""The one place where intent becomes motion. Every guard answers before a step is dispatched."""

from __future__ import annotations

from backend.domain.command.approval import Approval, ApprovalStatus
from backend.domain.decide.approving import current_pins, keep_approval, supersede_on_new_risk
from backend.domain.decide.guards import (
    refuse_broken_precondition,
    refuse_in_shadow,
    refuse_other_than_approved,
    refuse_second_dispatch,
    refuse_unapproved,
    refuse_used,
    refuse_while_held,
)
from backend.domain.decide.turn import Turn
from backend.domain.decide.validity import drop_plan
from backend.domain.episode.events import StepDispatched
from backend.domain.episode.grounding import goal_of, ground_of
from backend.domain.plans.plan import Plan
from backend.domain.plans.validator import recheck
from backend.domain.plans.validity import Cause


def dispatch_next(turn: Turn) -> None:
    state = turn.state
    plan, approval = state.plan, state.approval
    if plan is None or approval is None or state.ending is not None:
        return
    refusal = (
        refuse_in_shadow(state)
        or refuse_second_dispatch(state)
        or refuse_while_held(state)
        or refuse_unapproved(approval, state.cursor)
        or refuse_used(approval, state.cursor)
    )
    if refusal is not None or approval.plan_number != plan.number or state.asks_person:
        return
    findings = recheck(plan.steps[state.cursor], ground_of(state, None), state.cursor)
    refusal = refuse_broken_precondition(findings)
    if refusal is not None:
        drop_plan(turn, Cause(kind="refused", message=f"No longer possible: {refusal.message}"))
        return
    _dispatch_as_approved(turn, plan, approval)


def _dispatch_as_approved(turn: Turn, plan: Plan, approval: Approval) -> None:
    state = turn.state
    pins = current_pins(state, plan, state.cursor, approval.last_step, turn.inputs.met_s)
    refusal = refuse_other_than_approved(approval, pins)
    if refusal is not None:
        drop_plan(turn, Cause(kind="refused", message=refusal.message))
        return
    if supersede_on_new_risk(turn, approval, pins):
        keep_approval(turn)
        granted = turn.state.approval
        if granted is None or granted.status is not ApprovalStatus.APPROVED:
            return
        approval = granted
    _dispatch(turn, plan, approval)


def _dispatch(turn: Turn, plan: Plan, approval: Approval) -> None:
    state = turn.state
    step = plan.steps[state.cursor]
    turn.emit(
        "system",
        StepDispatched(
            dispatch_id=f"{state.episode}-d{state.dispatches + 1}",
            epoch=state.epoch,
            approval_id=approval.id,
            plan_number=plan.number,
            plan_digest=plan.digest,
            index=state.cursor,
            step=step,
            goal=goal_of(state, step),
        ),
    )
