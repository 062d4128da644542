"""The safety rules that stand before motion and before every command.
One rule a function: a refusal, or None.

docs/safety.md numbers them; `make mutants` switches each off and demands that its test notices.
"""

from __future__ import annotations

from backend.domain.command.approval import Approval, ApprovalStatus, Pins
from backend.domain.command.conn import held_at
from backend.domain.command.intents import COMMANDING, Approve, Edit, Intent
from backend.domain.command.policy import Policy
from backend.domain.episode.state import State
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Plan
from backend.domain.refusal import Refusal


def refuse_in_shadow(state: State) -> Refusal | None:
    """In shadow nothing is sent, whatever is approved: others drive the robot, or it is a recording."""
    if state.mission.shadow:
        return Refusal("shadow", "This episode only proposes.", "Start one that is not in shadow.")
    return None


def refuse_unapproved(approval: Approval | None, index: int) -> Refusal | None:
    """Nothing is dispatched without an approved approval that covers the step."""
    if approval is None or approval.status is not ApprovalStatus.APPROVED or not approval.covers(index):
        return Refusal("unapproved", f"Step {index + 1} has no approval.", "Approve the plan first.")
    return None


def refuse_other_than_approved(approval: Approval, pins: Pins) -> Refusal | None:
    """What is dispatched is exactly what was approved: plan, believed fields, site, skills, held object.

    What is held is the plan's own doing after its first step;
    from then on each step's preconditions check it.
    """
    then = approval.pins
    same = (
        then.plan_digest == pins.plan_digest
        and then.site_version == pins.site_version
        and then.catalogue_digest == pins.catalogue_digest
        and not [pin for pin in pins.fields if pin not in then.fields]
        and (then.held == pins.held or bool(approval.used))
    )
    if not same:
        return Refusal(
            "other_plan", "The plan is not the one that was approved.", "Approve what is shown now."
        )
    return None


def refuse_new_risk(approval: Approval, pins: Pins) -> Refusal | None:
    """A risk that the approver was not shown asks anew."""
    if not pins.risks:
        return None
    shown = {risk.subject for risk in approval.pins.risks}
    for risk in pins.risks:
        if risk.subject not in shown:
            return Refusal("new_risk", f"{risk.message}.", "Look at the new risk and approve again.")
    return None


def refuse_used(approval: Approval, index: int) -> Refusal | None:
    """A step runs at most once under one approval."""
    if index in approval.used:
        return Refusal(
            "used", f"Step {index + 1} already ran under this approval.", "Ask for a new approval."
        )
    return None


def refuse_second_dispatch(state: State) -> Refusal | None:
    """No step before the one in flight has a terminal outcome; asked to cancel is not cancelled."""
    if state.dispatch is not None:
        return Refusal(
            "in_flight", f"Step {state.dispatch.index + 1} has not ended yet.", "Wait for its outcome."
        )
    return None


def refuse_while_held(state: State) -> Refusal | None:
    """A stop is latched from its commit until a person releases it."""
    if state.stops:
        stop = state.stops[-1]
        return Refusal("held", f"Held by {stop.asked_by}.", "Release the hold first.")
    return None


def refuse_release_under_way(state: State) -> Refusal | None:
    """A release never lets a step go on: what was under way has ended, or a person has said how."""
    dispatch = state.dispatch
    if dispatch is not None and dispatch.in_doubt:
        return Refusal(
            "in_doubt", "Nobody knows yet what became of the last step.", "Say what happened first."
        )
    if dispatch is not None:
        return Refusal(
            "in_flight", f"Step {dispatch.index + 1} has not ended yet.", "Wait until the robot has stopped."
        )
    return None


def refuse_broken_precondition(findings: tuple[Finding, ...]) -> Refusal | None:
    """The next step is checked again against the latest memory right before it goes."""
    if findings:
        return Refusal("precondition", str(findings[0]), "A new plan is needed.")
    return None


def refuse_without_conn(state: State, intent: Intent, now_s: float) -> Refusal | None:
    """One operator commands at a time. Nobody's conn is overtaken by a command."""
    if intent.role not in COMMANDING:
        return Refusal("role", f"{intent.actor} may watch and hold, not command.", "Ask an operator.")
    held = held_at(state.conn, now_s)
    if held is not None and held.holder != intent.actor:
        return Refusal("conn", f"{held.holder} has the conn.", f"Ask {held.holder} for it.")
    return None


def refuse_stale_approve(state: State, action: Approve) -> Refusal | None:
    """A click counts only for exactly what its page showed, and only while that still waits."""
    approval = state.approval
    if approval is None or approval.id != action.approval_id:
        return Refusal("gone", "That approval is no longer the one that waits.", "Look at the card again.")
    if approval.status is not ApprovalStatus.PENDING:
        return Refusal(
            "decided",
            f"Already {approval.status.value}: {approval.reason or 'see the card'}.",
            "Look at the card again.",
        )
    if (action.plan_digest, action.pins_digest) != (approval.pins.plan_digest, approval.pins_digest):
        return Refusal("stale", "The page showed another plan or older beliefs.", "Look at the card again.")
    return None


def refuse_stale_edit(state: State, action: Edit) -> Refusal | None:
    """An edit counts only for exactly the plan that its page showed, and only while that still waits."""
    approval = state.approval
    if approval is None or approval.id != action.approval_id:
        return Refusal(
            "gone", "The plan that you edited no longer waits.", "Look at the card; yours is kept."
        )
    if approval.status is not ApprovalStatus.PENDING:
        decided = f"The plan that you edited is already {approval.status.value}."
        return Refusal("decided", decided, "Look at the card; yours is kept.")
    if (action.plan_digest, action.pins_digest) != (approval.pins.plan_digest, approval.pins_digest):
        return Refusal(
            "stale", "You edited another plan or older beliefs.", "Look at the card; yours is kept."
        )
    return None


def refuse_policy_answer(state: State, plan: Plan) -> Refusal | None:
    """No policy answers for a plan that waits for a person: one that a person edited, or that waited already
    when the policy was changed."""
    if state.owes_answer == plan.number:
        return Refusal("owed", f"Plan {plan.number} waits for a person.", "Approve it, or reject it.")
    return None


def refuse_outgrown(policy: Policy, approval: Approval, pins: Pins) -> Refusal | None:
    """A policy that has become stricter takes back what it would no longer give: its own yes, and one for
    more than the next step where every skill is asked about."""
    asks = policy.mode in ("every_plan", "every_skill") or (policy.mode == "on_risk" and bool(pins.risks))
    by_policy = approval.by_policy and asks
    if by_policy or (policy.mode == "every_skill" and approval.last_step > approval.first_step):
        return Refusal("outgrown", "Policy asks about this now, and did not before.", "Approve what is left.")
    return None


def refuse_overdue(intent: Intent, now_s: float) -> Refusal | None:
    """A click that was not taken in time lapses. Stopping is honoured however late."""
    if now_s > intent.not_after_s:
        return Refusal(
            "overdue", "Your click came too late to be sure that you still mean it.", "Click again."
        )
    return None


def refuse_expired(approval: Approval, now_s: float) -> Refusal | None:
    """Expiry never means yes."""
    if approval.expires_s is not None and now_s >= approval.expires_s:
        return Refusal("expired", "The approval expired before anyone decided. Nothing ran.", "Ask again.")
    return None
