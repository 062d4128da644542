"""The words of an explanation: what an event says in a line, and what is known now of what was believed."""

from __future__ import annotations

from typing import Any

from backend.domain.episode import events as e
from backend.domain.execution.outcome import Result
from backend.domain.geometry import Metric, Pose
from backend.domain.hindsight.known import Hindsight
from backend.domain.hindsight.reliance import WHY, WrongSpan
from backend.domain.memory.record import FIELD_NAME, Field
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.builders.hindsight import DIFFERENCE, basis_words, known_words
from backend.web.pages import figures
from backend.web.pages.parts import Tone


def full(text: str) -> str:
    """A sentence of ours, whose first word stays as it is where it is an id."""
    text = text.strip()
    if not text:
        return ""
    first = text.split()[0]
    ended = text if text[-1] in ".!?…”" else f"{text}."
    return ended if "_" in first or any(each.isdigit() for each in first) else ended[0].upper() + ended[1:]


def said_of(recorded: e.Recorded) -> tuple[str, str, Tone]:
    """What happened, why, and how grave it is, of any event that an explanation names."""
    event: Any = recorded.event
    if isinstance(event, e.StepEnded):
        outcome = event.outcome
        tone: Tone = "quiet" if outcome.result is Result.SUCCEEDED else "caution"
        what = f"{outcome.skill.capitalize()} {outcome.result.value.replace('_', ' ')}"
        return what, full(outcome.message or outcome.reason), tone
    if isinstance(event, e.StepDispatched):
        return f"Step {event.index + 1} of plan {event.plan_number} went: {describe(event.step)}", "", "quiet"
    if isinstance(event, e.PlanInvalidated):
        return f"Plan {event.number} lapsed", full(event.cause.message), "caution"
    if isinstance(event, e.PlanCompleted):
        return f"Plan {event.number} ran to its end", "", "quiet"
    if isinstance(event, e.PlanRequested):
        return f"Call {event.decision}: the planner is asked", full(event.cause.message), "quiet"
    if isinstance(event, e.PlanRefused):
        why = str(event.findings[0]) if event.findings else event.failure
        return f"The answer to call {event.decision} is refused", full(why), "caution"
    if isinstance(event, e.PlanProposed):
        plan = event.plan
        about = f" for {plan.target}" if plan.target else ""
        return f"Plan {plan.number}: {words.counted(len(plan.steps), 'step')}{about}", "", "quiet"
    if isinstance(event, e.ApprovalSuperseded):
        return "The approval lapsed", full(event.cause.message), "caution"
    if isinstance(event, e.StepCancelAsked):
        return "The robot is asked to cancel the step", full(event.reason), "caution"
    if isinstance(event, e.StopAsked):
        what = "Abort" if event.abort else "Hold"
        return f"{what} by {words.who(event.by)}", full(event.reason), "alarm"
    if isinstance(event, e.EpisodeEnded):
        return f"The episode ended: {event.outcome}", full(event.message), "quiet"
    if isinstance(event, e.EvidenceJudged):
        return evidence_words(event), full(event.reason), "quiet"
    if isinstance(event, e.RecordCorrected):
        return f"{event.by} corrected memory", full(event.reason or event.judged), "quiet"
    return e.kind_of(event).replace(".", " ").replace("_", " ").capitalize(), "", "quiet"


def evidence_words(event: e.EvidenceJudged) -> str:
    evidence = event.evidence
    by = (evidence.sensed_by or words.SOURCE[evidence.source]).capitalize()
    return (
        f"{by} told {event.entity} at {words.place(evidence.pose)},"
        f" confidence {figures.share(evidence.confidence)}, sensed at {figures.met(evidence.stamp_s)}"
    )


def shown(value: Pose | str | float | None) -> str:
    if isinstance(value, Pose):
        return words.place(value)
    return figures.NONE if value is None else str(value)


def known_of(hindsight: Hindsight, entity: str, met_s: float, believed: Pose, metric: Metric) -> str:
    """What is known now of where it was then, where that is something else; empty where it agrees."""
    known = hindsight.at(entity, met_s)
    if known is None:
        return f"There is no {entity}." if hindsight.has_truth else ""
    if known.condition == "floor" and known.pose is not None:
        if metric.same_place(known.pose, believed):
            return ""
        far = f"{metric.distance_m(known.pose, believed):.2f} m away"
        doubt = ", or went there later" if known.before is not None else ""
        return f"It was at {words.place(known.pose)}, {far}{doubt}. Known from: {basis_words(known)}."
    return f"It was {known_words(known)}. Known from: {basis_words(known)}."


def verdict_of(spans: list[WrongSpan], has_grounds: bool, failed: bool) -> str:
    """What an explanation comes to."""
    if spans:
        return " ".join(_wrong(span) for span in spans)
    if not has_grounds:
        return "It rested on no record."
    right = "What it rested on was right, as far as is known now."
    return f"{right} It failed for a reason of its own." if failed else right


def _wrong(span: WrongSpan) -> str:
    far = f", {span.distance_m:.2f} m off" if span.distance_m else ""
    sure = "" if span.is_certain else " at some moment"
    name = DIFFERENCE[span.kind].lower() if span.field is Field.POSE else f"wrong {FIELD_NAME[span.field]}"
    return (
        f"Plan {span.plan} rested on a {name} of {span.entity}{far}, {figures.met(span.from_s)} to"
        f" {figures.met(span.to_s)}{sure}. {WHY[span.why]}."
    )
