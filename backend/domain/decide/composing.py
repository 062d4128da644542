"""Plans by people: composed from nothing, or made of the one that waits. Checked like any other.

A plan that cannot be taken changes nothing, and its author is told why, so that nothing they wrote is lost.
"""

from __future__ import annotations

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Edit, Intent, Propose
from backend.domain.decide.guards import (
    refuse_expired,
    refuse_stale_edit,
    refuse_while_held,
    refuse_without_conn,
)
from backend.domain.decide.planning import plan_of
from backend.domain.decide.settling import operator, take_free_conn
from backend.domain.decide.turn import Turn
from backend.domain.decide.validity import drop_plan
from backend.domain.episode.events import ApprovalEdited, PlanInvalidated, PlanProposed
from backend.domain.episode.grounding import ground_of
from backend.domain.episode.state import State
from backend.domain.plans.plan import Plan, Step, digest_of_steps
from backend.domain.plans.validator import validate
from backend.domain.plans.validity import Cause, broken
from backend.domain.query.query import Proposal
from backend.domain.refusal import Refusal


def propose(turn: Turn, intent: Intent, action: Propose) -> Refusal | None:
    """A plan from nothing, where no other one waits or runs."""
    state = turn.state
    refusal = (
        refuse_without_conn(state, intent, turn.inputs.now_s)
        or _refuse_unseen(state, action.seen_seq)
        or _refuse_no_place(state)
    )
    if refusal is not None:
        return refusal
    plan = _plan(state, action.steps, action.rationale, action.seen_seq, intent.actor, None)
    refusal = _refuse_impossible(state, plan)
    if refusal is not None:
        return refusal
    take_free_conn(turn, intent)
    if state.plan is not None:
        drop_plan(turn, _by_hand(state.plan, intent))
    turn.emit(operator(intent), PlanProposed(plan=plan))
    return None


def edit(turn: Turn, intent: Intent, action: Edit) -> Refusal | None:
    """The plan that waits gives way to what a person made of it, which waits in turn: no save approves."""
    state, now_s = turn.state, turn.inputs.now_s
    refusal = (
        refuse_without_conn(state, intent, now_s)
        or _refuse_unseen(state, action.seen_seq)
        or refuse_stale_edit(state, action)
        or refuse_while_held(state)
    )
    if refusal is None and state.approval is not None:
        refusal = refuse_expired(state.approval, now_s)
    if refusal is not None or state.plan is None:
        return refusal or Refusal("gone", "No plan waits.", "Look at the card again.")
    if action.steps == state.plan.steps[state.cursor :]:
        return Refusal("unchanged", "Nothing is changed.", "Change a step, or approve the plan as it is.")
    plan = _plan(state, action.steps, action.rationale, action.seen_seq, intent.actor, state.plan.number)
    refusal = _refuse_impossible(state, plan)
    if refusal is not None:
        return refusal
    take_free_conn(turn, intent)
    actor, digest = operator(intent), digest_of_steps(action.steps)
    turn.emit(actor, ApprovalEdited(approval_id=action.approval_id, by=intent.actor, plan_digest=digest))
    turn.emit(actor, PlanInvalidated(number=state.plan.number, cause=_by_hand(state.plan, intent)))
    turn.emit(actor, PlanProposed(plan=plan))
    return None


def _refuse_unseen(state: State, seen_seq: int) -> Refusal | None:
    """Nobody was shown what is yet to come: taken for the newest, it would hide what a page did not show."""
    if seen_seq > state.seq:
        said = (
            f"The journal ends at event {state.seq}, and your plan is made of what event {seen_seq:,} showed."
        )
        return Refusal("unseen", said, "Name the event that your page was of.")
    return None


def _refuse_no_place(state: State) -> Refusal | None:
    """A person's plan waits for no call to a planner, and takes the place of none that stands."""
    if state.dispatch is not None:
        step = state.dispatch.index + 1
        return Refusal("in_flight", f"Step {step} has not ended yet.", "Wait for its end, or hold.")
    expired = state.approval is not None and state.approval.status is ApprovalStatus.EXPIRED
    if state.plan is not None and not expired:
        return Refusal("plan_stands", f"Plan {state.plan.number} stands.", "Edit that one, or reject it.")
    if state.request is None and not state.asks_person and not expired:
        return Refusal("no_request", "No plan is asked for now.", "Wait until the console asks for one.")
    return None


def _plan(
    state: State, steps: tuple[Step, ...], rationale: str, seen_seq: int, author: str, edits: int | None
) -> Plan:
    proposal = Proposal(rationale=rationale, note="", steps=steps)
    return plan_of(state, max(seen_seq, 0), proposal, author, edits)


def _refuse_impossible(state: State, plan: Plan) -> Refusal | None:
    """It breaks a rule, or rests on what has changed since its author looked."""
    findings = validate(plan.steps, ground_of(state, None))
    if findings:
        return Refusal("invalid_plan", str(findings[0]), "Mend that step; your other steps are kept.")
    cause = broken(plan, 0, state.memory, (), state.site.metric)
    if cause is not None:
        return Refusal("changed", f"{cause.message}.", "Look at it, and send your plan again; it is kept.")
    return None


def _by_hand(plan: Plan, intent: Intent) -> Cause:
    return Cause(kind="edited", message=f"{intent.actor} made another plan of plan {plan.number}")
