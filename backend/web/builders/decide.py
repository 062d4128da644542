"""What may be done on the plan card now, and nothing else; with the digests that the forms post."""

from __future__ import annotations

from typing import Any

from backend.domain.command.approval import Approval
from backend.domain.command.hold import digest_of_stops, to_be_released
from backend.domain.plans.plan import Plan, describe
from backend.web.builders.moment import Moment
from backend.web.builders.rechecking import rechecks
from backend.web.builders.story import Story
from backend.web.pages.parts import FieldError, Phrase, plain, strong, strong_figure
from backend.web.pages.plan import Asking, CardState, Decision, Doubt, Releasing


def actions(
    kind: CardState, moment: Moment, story: Story, text: str, errors: tuple[FieldError, ...], cleared: str
) -> dict[str, Any]:
    """At most one of `decision`, `releasing`, `asking`, `doubt`, as members of a PlanCard."""
    if kind == "awaiting":
        return {"decision": _decision(moment, text, errors)}
    if not moment.is_live:
        return {}
    if kind == "held":
        return {"releasing": _releasing(moment, cleared)}
    if kind in ("invalid", "expired"):
        label = "Ask the planner again" if kind == "invalid" else "Ask for a plan again"
        asking = Asking(
            label=label,
            may_ask=moment.may_command,
            why_not=moment.why_no_command,
            text=text,
            errors=errors,
            hint=_hint(moment, "if you have any"),
        )
        return {"asking": asking}
    if kind == "doubt" and moment.state.dispatch is not None:
        doubt = Doubt(
            dispatch=moment.state.dispatch.id,
            step=describe(moment.state.dispatch.step),
            may_say=moment.may_command,
            account=text,
            errors=errors,
        )
        return {"doubt": doubt}
    return {}


def _decision(moment: Moment, reason: str, errors: tuple[FieldError, ...]) -> Decision | None:
    approval, plan = moment.state.approval, moment.state.plan
    if approval is None or plan is None:
        return None
    may = moment.may_command
    return Decision(
        approval=approval.id,
        plan_digest=approval.pins.plan_digest,
        pins_digest=approval.pins_digest,
        pins=_pins(moment, approval, plan) if may or not moment.is_live else (plain(moment.why_no_command),),
        may_decide=may,
        drawn=may or not moment.is_live,
        may_edit=may,
        reason=reason,
        errors=errors,
        hint=_hint(moment, "sent if you reject"),
    )


def _hint(moment: Moment, when: str) -> str:
    """What becomes of guidance, said where it is typed."""
    if moment.state.planner == "policy":
        return "Planner policy reads no guidance; the reason is kept in the log"
    return f"Guidance for the planner, {when}"


def _pins(moment: Moment, approval: Approval, plan: Plan) -> Phrase:
    digest, revision = strong(plan.digest[:4]), strong_figure(str(moment.state.memory.revision))
    if not moment.is_live:
        return (
            plain("This was plan "),
            digest,
            plain(" on memory rev "),
            revision,
            plain(". Nothing here can move the robot."),
        )
    part = ""
    if approval.first_step == approval.last_step and len(plan.steps) > 1:
        part = f"step {approval.first_step + 1} of "
    return (
        plain(f"Approves exactly {part}plan "),
        digest,
        plain(" on memory rev "),
        revision,
        plain(f". {_lapses(approval)}"),
    )


def _lapses(approval: Approval) -> str:
    named = list(dict.fromkeys(pin.entity for pin in approval.pins.fields))
    if None in named:
        return "Lapses if anything is found first."
    if not named:
        return "No belief can make it lapse."
    some = ", ".join(str(entity) for entity in named[:2]) + (" or another" if len(named) > 2 else "")
    return f"Lapses if {some} moves first."


def _releasing(moment: Moment, cleared: str) -> Releasing:
    state = moment.state
    stops = to_be_released(state.stops)
    shown = digest_of_stops(stops)
    why_not = moment.why_no_command
    if not why_not and len(stops) < len(state.stops):
        why_not = "The episode is being aborted."
    return Releasing(
        shown=shown,
        cleared=bool(stops) and cleared == shown,
        may_release=not why_not,
        remaining=_remaining(moment),
        checks=rechecks(state),
        why_not=why_not,
    )


def _remaining(moment: Moment) -> Phrase:
    state = moment.state
    if state.plan is None or state.cursor >= len(state.plan.steps):
        return (plain("No plan is left. After the release a new one is asked for."),)
    step = describe(state.plan.steps[state.cursor])
    asked = (
        "Policy lets it run at once."
        if state.policy.mode == "auto"
        else "It is asked anew: you approve it again."
    )
    where = f"step {state.cursor + 1} of {len(state.plan.steps)} of plan {state.plan.number}"
    return (plain(f"Release goes on with {where}, "), strong(step), plain(f". {asked}"))
