"""The chain of one explanation, link by link in order of time: evidence, question, answer, plan, step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Result
from backend.domain.geometry import Pose
from backend.domain.hindsight.belief import Report, Trace
from backend.domain.hindsight.known import Hindsight
from backend.domain.lineage.back import Grounds, Lineage
from backend.domain.memory.record import Field
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.builders.why_words import full, known_of, said_of, shown
from backend.web.pages import figures
from backend.web.pages.documents import Fact
from backend.web.pages.environment import url
from backend.web.pages.parts import Icon, Link
from backend.web.pages.why import ShownFrame, WhyPart

MOST_REFUSED = 3
"""Refused reports of one record that are told."""


class Told(Struct, frozen=True):
    """What explanations are made from besides their chain."""

    state: State
    trace: Trace
    hindsight: Hindsight

    def moment(self, label: str, seq: int, tab: str | None = None, chosen: str | None = None) -> Link:
        return Link(label=label, href=url("episodes", self.state.episode, at=seq, tab=tab, chosen=chosen))

    def why(self, label: str, seq: int) -> Link:
        return Link(label=label, href=url("episodes", self.state.episode, "why", seq=seq))


def parts_of(found: Lineage, told: Told) -> tuple[WhyPart, ...]:
    """In order of time; what belongs to one moment in the order of cause."""
    made = [
        *_grounds(found, told),
        *_question(found, told),
        *_answers(found, told),
        *_plan(found, told),
        *_approvals(found, told),
        *_step(found, told),
        *_outcome(found, told),
    ]
    if found.subject.seq not in {part.seq for part in made}:
        made.append(_subject(found.subject, told))
    return tuple(sorted(made, key=lambda part: part.seq))


def _subject(recorded: e.Recorded, told: Told) -> WhyPart:
    what, why, tone = said_of(recorded)
    event, known = recorded.event, ""
    if isinstance(event, e.EvidenceJudged):
        seen = event.evidence
        known = known_of(told.hindsight, event.entity, seen.stamp_s, seen.pose, told.state.site.metric)
    icon: Icon = "warn" if tone != "quiet" else "history"
    links = (told.moment("moment", recorded.seq),)
    return _part(recorded, icon, what, why, tone=tone, known=known, links=links)


def _grounds(found: Lineage, told: Told) -> Iterator[WhyPart]:
    """What gave each field its value: once an event, whatever fields it gave."""
    by_event: dict[int, list[Grounds]] = {}
    for each in found.grounds:
        if each.event is not None:
            by_event.setdefault(each.event.seq, []).append(each)
    until = found.plan.seq if found.plan is not None else found.subject.seq
    for seq, grounds in by_event.items():
        recorded = grounds[0].event
        assert recorded is not None
        what, why, _ = said_of(recorded)
        entity = grounds[0].dependency.entity or ""
        names = " and ".join(_FIELDS[each.dependency.field] for each in grounds)
        is_place = any(each.dependency.field is Field.POSE for each in grounds)
        renewed = _renewed(told.trace, entity, seq, until) if is_place else None
        links = [told.moment("moment", seq), told.why("what it changed", seq)]
        if renewed is not None:
            links.append(told.moment("last confirmed", renewed.seq))
        known = ""
        for each in grounds:
            value = each.dependency.expected
            if each.dependency.field is Field.POSE and isinstance(value, Pose):
                at_s = renewed.stamp_s if renewed is not None else _sensed_s(recorded)
                known = known_of(told.hindsight, entity, at_s, value, told.state.site.metric)
        yield _part(
            recorded,
            "observed",
            f"Evidence: {names} of {entity}",
            f"{what}. {why}{_confirmed(renewed)}",
            facts=tuple(
                Fact(label=_FIELDS[each.dependency.field], value=shown(each.dependency.expected))
                for each in grounds
            ),
            known=known,
            links=tuple(links),
            tone="caution" if known else "quiet",
        )
        if is_place:
            yield from _refused(told, entity, seq, found)


def _sensed_s(recorded: e.Recorded) -> float:
    event = recorded.event
    return event.evidence.stamp_s if isinstance(event, e.EvidenceJudged) else recorded.met_s


def _renewed(trace: Trace, entity: str, after: int, until: int) -> Report | None:
    """The last report of the same place, before the plan was made: another place would have been a change."""
    for report in reversed(trace.reports.get(entity, ())):
        if after < report.seq <= until and not report.refused:
            return report
    return None


def _confirmed(renewed: Report | None) -> str:
    if renewed is None:
        return ""
    by = renewed.sensed_by or words.SOURCE[renewed.source]
    return f" Last confirmed by {by}, sensed at {figures.met(renewed.stamp_s)}."


def _refused(told: Told, entity: str, after: int, found: Lineage) -> Iterator[WhyPart]:
    """What was reported otherwise, and refused, while the step was still to come."""
    until = found.ended.seq if found.ended is not None else found.subject.seq
    reports = [
        each for each in told.trace.reports.get(entity, ()) if each.refused and after < each.seq <= until
    ]
    for report in reports[-MOST_REFUSED:]:
        by = report.sensed_by or words.SOURCE[report.source]
        right = _was_right(told, entity, report)
        yield WhyPart(
            seq=report.seq,
            met=figures.met(report.met_s),
            icon="reject",
            title=f"Refused: {by} told {entity} at {words.place(report.pose)}",
            text=f"Sensed at {figures.met(report.stamp_s)}. {full(report.why_not)}",
            known="This report was right." if right else "",
            links=(told.moment("audit", report.seq, "audit"),),
            tone="caution" if right else "quiet",
        )


def _was_right(told: Told, entity: str, report: Report) -> bool:
    known = told.hindsight.at(entity, report.stamp_s)
    if known is None or known.pose is None or known.before is not None or known.condition != "floor":
        return False
    return told.state.site.metric.same_place(report.pose, known.pose)


def _question(found: Lineage, told: Told) -> Iterator[WhyPart]:
    if found.request is None or not isinstance(found.request.event, e.PlanRequested):
        return
    asked = found.request.event
    scored = next((each.scored for each in found.grounds if each.scored is not None), None)
    facts: tuple[Fact, ...] = (Fact(label="Records sent", value=figures.count(asked.retrieval.count)),)
    if scored is not None:
        product = (
            f"{figures.share(scored.weight)} × {figures.share(scored.confidence)} ×"
            f" {figures.share(scored.decay)} × {figures.share(scored.nearness)} = {scored.score:.3f}"
        )
        rank = f"rank {scored.rank}" if scored.rank is not None else scored.left_out or "filtered"
        facts = (
            *facts,
            Fact(label=f"{scored.entity}", value=rank),
            Fact(label="Source × confidence × decay × nearness", value=product),
            Fact(label="Age of the belief", value=figures.age(scored.age_s)),
        )
    lines = dict.fromkeys(each.line for each in found.grounds if each.line)
    yield _part(
        found.request,
        "ask",
        f"Question: call {asked.decision}{'' if asked.attempt == 1 else ', to repair'}",
        f"Asked because: {full(asked.cause.message)}",
        quote="\n".join(lines),
        facts=facts,
        links=(
            told.moment("all that was sent", found.request.seq, "context"),
            told.moment("memory then", found.request.seq, "memory"),
        ),
        frames=tuple(
            ShownFrame(sha256=each.sha256, alt=f"{each.camera or 'Camera'}, world step {each.step}")
            for each in found.shown
        ),
    )


def _answers(found: Lineage, told: Told) -> Iterator[WhyPart]:
    for recorded in found.exchanges:
        event: Any = recorded.event
        attempt = event.exchange
        tokens = attempt.usage.total_tokens
        used = f", {figures.count(tokens)} tokens" if tokens else ""
        detail = f" {full(attempt.detail)}" if attempt.detail else ""
        yield _part(
            recorded,
            "ok" if attempt.verdict == "ok" else "warn",
            f"Answer {event.number} of call {event.decision}: {attempt.verdict.replace('_', ' ')}",
            f"{attempt.model or told.state.planner}{used}.{detail}",
            links=(told.moment("the exchange", recorded.seq, "exchange"),),
            tone="quiet" if attempt.verdict == "ok" else "caution",
        )


def _plan(found: Lineage, told: Told) -> Iterator[WhyPart]:
    if found.plan is None or not isinstance(found.plan.event, e.PlanProposed):
        return
    plan = found.plan.event.plan
    steps = [f"{number}. {describe(step)}" for number, step in enumerate(plan.steps, start=1)]
    around = steps if len(steps) <= 8 else [*steps[:7], f"and {len(steps) - 7} more"]
    yield _part(
        found.plan,
        "plan",
        f"Plan {plan.number} by {words.who(plan.author)}",
        full(plan.rationale),
        quote="\n".join(around),
        links=(told.moment("moment", found.plan.seq),),
    )


def _approvals(found: Lineage, told: Told) -> Iterator[WhyPart]:
    for recorded in found.approvals:
        event = recorded.event
        if isinstance(event, e.ApprovalGranted):
            by = words.who(event.by)
            title = "Approved by the policy, unasked" if by == "policy" else f"Approved by {by}"
            yield _part(recorded, "approve", title, "", links=(told.moment("moment", recorded.seq),))
        elif isinstance(event, e.ApprovalRejected):
            yield _part(
                recorded, "reject", f"Rejected by {words.who(event.by)}", full(event.reason),
                links=(told.moment("moment", recorded.seq),), tone="caution",
            )  # fmt: skip


def _step(found: Lineage, told: Told) -> Iterator[WhyPart]:
    if found.dispatch is None or not isinstance(found.dispatch.event, e.StepDispatched):
        return
    sent = found.dispatch.event
    goal = f"Goal {words.place(sent.goal)}." if sent.goal is not None else ""
    yield _part(
        found.dispatch,
        "run",
        f"Step {sent.index + 1} went: {describe(sent.step)}",
        goal,
        known=_known_at(found, told, found.dispatch.met_s),
        links=(told.moment("moment", found.dispatch.seq),),
    )


def _outcome(found: Lineage, told: Told) -> Iterator[WhyPart]:
    if found.ended is None or not isinstance(found.ended.event, e.StepEnded):
        return
    outcome = found.ended.event.outcome
    failed = outcome.result is not Result.SUCCEEDED
    changed = ", ".join(
        f"{change.entity} {shown(change.old)} → {shown(change.new)}" for change in found.ended.event.changes
    )
    frames: tuple[ShownFrame, ...] = ()
    if found.recorded is not None and isinstance(found.recorded.event, e.FramesRecorded):
        watched = found.recorded.event.watched
        frames = tuple(
            ShownFrame(sha256=each.sha256, alt=f"{watched.camera}, world step {each.step}")
            for each in watched.frames
            if each.returned
        )
    yield _part(
        found.ended,
        "fail" if failed else "done",
        f"Measured: {outcome.skill} {outcome.result.value.replace('_', ' ')}",
        full(outcome.message or outcome.reason),
        facts=(Fact(label="Changed", value=changed),) if changed else (),
        known=_known_at(found, told, outcome.started_s) if failed else "",
        links=(
            told.moment("log", found.ended.seq, "log"),
            *((told.moment("frames", found.ended.seq, "frames"),) if found.recorded is not None else ()),
            told.why("what it changed", found.ended.seq),
        ),
        frames=frames,
        tone="caution" if failed else "quiet",
    )


def _known_at(found: Lineage, told: Told, met_s: float) -> str:
    """Of the place that the step rested on, at a later moment."""
    for each in found.grounds:
        value, entity = each.dependency.expected, each.dependency.entity
        if each.dependency.field is Field.POSE and isinstance(value, Pose) and entity is not None:
            return known_of(told.hindsight, entity, met_s, value, told.state.site.metric)
    return ""


_FIELDS = {Field.POSE: "pose", Field.STATUS: "status", Field.CLASS: "class"}


def _part(recorded: e.Recorded, icon: Icon, title: str, text: str, **more: Any) -> WhyPart:
    met = figures.met(recorded.met_s)
    return WhyPart(seq=recorded.seq, met=met, icon=icon, title=title, text=text, **more)
