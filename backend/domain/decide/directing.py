"""Who is asked, and what the planner is told for good: people change both while the mission runs."""

from __future__ import annotations

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Instruct, Intent, SetPolicy
from backend.domain.command.policy import policy_flaws
from backend.domain.decide.approving import asks_nobody, current_pins
from backend.domain.decide.guards import refuse_outgrown, refuse_without_conn
from backend.domain.decide.settling import operator, take_free_conn
from backend.domain.decide.turn import Turn
from backend.domain.episode.events import ApprovalSuperseded, InstructionsChanged, PolicyChanged
from backend.domain.mission.mission import LONGEST_INSTRUCTIONS
from backend.domain.plans.validity import Cause
from backend.domain.refusal import Refusal


def set_policy(turn: Turn, intent: Intent, action: SetPolicy) -> Refusal | None:
    state, policy = turn.state, action.policy
    refusal = refuse_without_conn(state, intent, turn.inputs.now_s)
    if refusal is None and action.shown != state.policy.digest:
        refusal = Refusal("stale", "The policy was changed since.", "Look at it as it is now; yours is kept.")
    flaw = next(policy_flaws(policy, state.catalogue), None)
    if refusal is None and flaw is not None:
        refusal = Refusal("invalid_policy", f"{flaw.field}: {flaw.message}", flaw.remedy)
    if refusal is None and policy == state.policy:
        refusal = Refusal("unchanged", "That is the policy already.")
    if refusal is not None:
        return refusal
    take_free_conn(turn, intent)
    turn.emit(operator(intent), PolicyChanged(by=intent.actor, old=state.policy, new=policy))
    _reconsider(turn, intent)
    return None


def _reconsider(turn: Turn, intent: Intent) -> None:
    """What the new policy would ask otherwise is asked anew; what waits for a person, it never answers."""
    state, approval = turn.state, turn.state.approval
    plan = state.plan
    if (
        approval is None
        or plan is None
        or approval.plan_number != plan.number
        or state.cursor >= len(plan.steps)
    ):
        return
    last = state.cursor if state.policy.mode == "every_skill" else len(plan.steps) - 1
    pins = current_pins(state, plan, state.cursor, last, turn.inputs.met_s)
    lapses = False
    if approval.status is ApprovalStatus.PENDING and not asks_nobody(state.policy, pins.risks):
        lapses = approval.last_step != last or pins.risks != approval.pins.risks
    elif approval.status is ApprovalStatus.APPROVED:
        lapses = refuse_outgrown(state.policy, approval, pins) is not None
    if lapses:
        cause = Cause(kind="policy", message=f"{intent.actor} changed who is asked")
        turn.emit("system", ApprovalSuperseded(approval_id=approval.id, cause=cause))


def instruct(turn: Turn, intent: Intent, action: Instruct) -> Refusal | None:
    state = turn.state
    refusal = refuse_without_conn(state, intent, turn.inputs.now_s)
    if refusal is None and len(action.text) > LONGEST_INSTRUCTIONS:
        refusal = Refusal(
            "too_long",
            f"This has {len(action.text):,} characters.",
            f"Write at most {LONGEST_INSTRUCTIONS:,}.",
        )
    if refusal is None and action.shown != state.instructions:
        refusal = Refusal(
            "stale", "The instructions were changed since.", "Look at them; your words are kept."
        )
    if refusal is None and action.text == state.instructions:
        refusal = Refusal("unchanged", "Those are the instructions already.")
    if refusal is None:
        take_free_conn(turn, intent)
        turn.emit(operator(intent), InstructionsChanged(by=intent.actor, text=action.text))
    return refusal
