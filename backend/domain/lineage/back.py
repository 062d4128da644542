"""From a step, a plan or an answer back to what it came from: plan, exchange, context line, record, evidence.

Every link is in the journal already: a dispatch names its plan and approval, a plan the versions of the
fields it rests on, and a version is the event that made it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.execution.frames import Frame
from backend.domain.lineage.pages import Pages, following, newest
from backend.domain.memory.retrieval import Scored
from backend.domain.plans.plan import Dependency, Plan

OF_APPROVAL = (
    "approval.requested", "approval.granted", "approval.rejected", "approval.edited", "approval.superseded",
    "approval.expired", "approval.consumed",
)  # fmt: skip
OF_STEP = (
    e.StepEnded, e.StepCancelAsked, e.DispatchInDoubt, e.FramesRecorded, e.StopAsked, e.StopConfirmed,
    e.StopUnconfirmed, e.EpisodeEnded,
)  # fmt: skip
"""What ended or interrupted a step, or came of it: the newest one that went is meant."""
CONSEQUENCES = (
    "plan.invalidated", "plan.completed", "approval.superseded", "step.cancel_asked", "planning.wanted",
    "stop.asked", "plan.requested", "plan.refused", "plan.proposed", "episode.ended",
)  # fmt: skip
MOST_CONSEQUENCES = 12


class Grounds(Struct, frozen=True, kw_only=True):
    """One field that a step rested on. `event`: what gave it the value planned with, None where that is older
    than the journal tells. `scored`: how the record stood in what was retrieved, `line` what the planner read
    of it; both empty where it was not asked.
    """

    dependency: Dependency
    event: e.Recorded | None
    scored: Scored | None = None
    line: str = ""


class Lineage(Struct, frozen=True, kw_only=True):
    """`subject` and all that led to it, each None or empty where there is no such thing. `step`: an index of
    the plan. `shown`: the frames that the planner was sent. `after`: what followed, to the next plan.
    """

    subject: e.Recorded
    request: e.Recorded | None = None
    exchanges: tuple[e.Recorded, ...] = ()
    plan: e.Recorded | None = None
    step: int | None = None
    approvals: tuple[e.Recorded, ...] = ()
    dispatch: e.Recorded | None = None
    recorded: e.Recorded | None = None
    ended: e.Recorded | None = None
    grounds: tuple[Grounds, ...] = ()
    shown: tuple[Frame, ...] = ()
    after: tuple[e.Recorded, ...] = ()


def lineage(pages: Pages, seq: int, step: int | None = None) -> Lineage:
    """Of event `seq`. `step`: the index of the step that is meant, where the event is a plan's."""
    subject = pages.one(seq)
    dispatch = _dispatch_of(pages, subject)
    plan = _plan_of(pages, subject, dispatch)
    request = _request_of(pages, subject, plan)
    sent = dispatch.event if dispatch is not None else None
    index = sent.index if isinstance(sent, e.StepDispatched) else step
    last = dispatch.seq if dispatch is not None else _until(pages, plan, seq)
    ended = _ended(pages, dispatch)
    end = max(each.seq for each in (subject, dispatch, ended) if each is not None)
    return Lineage(
        subject=subject,
        request=request,
        exchanges=_exchanges(pages, request, plan, subject),
        plan=plan,
        step=index,
        approvals=_approvals(pages, plan, sent, last),
        dispatch=dispatch,
        recorded=_frames_of(pages, dispatch, ended),
        ended=ended,
        grounds=_grounds(pages, plan, request, index),
        shown=_shown(request),
        after=_after(pages, end),
    )


def _until(pages: Pages, plan: e.Recorded | None, seq: int) -> int:
    """Up to where something may be decided of the plan: the next one."""
    after = following(pages, "plan.proposed", plan.seq) if plan is not None else None
    return after.seq if after is not None else pages.head if plan is not None else seq


def _dispatch_of(pages: Pages, subject: e.Recorded) -> e.Recorded | None:
    event = subject.event
    if isinstance(event, e.StepDispatched):
        return subject
    return newest(pages, "step.dispatched", subject.seq) if isinstance(event, OF_STEP) else None


def _plan_of(pages: Pages, subject: e.Recorded, dispatch: e.Recorded | None) -> e.Recorded | None:
    event: Any = dispatch.event if dispatch is not None else subject.event
    if isinstance(event, e.PlanProposed):
        return subject
    if isinstance(event, e.StepDispatched):
        return plan_numbered(pages, event.plan_number, subject.seq)
    if isinstance(event, e.PlanInvalidated | e.PlanCompleted):
        return plan_numbered(pages, event.number, subject.seq)
    if isinstance(event, e.ApprovalRequested):
        return plan_numbered(pages, event.approval.plan_number, subject.seq)
    if hasattr(event, "approval_id"):
        return newest(pages, "plan.proposed", subject.seq)
    if isinstance(event, e.PlanRequested | e.ExchangeRecorded | e.NoteWritten):
        return _answer_to(pages, subject)
    return None


def _answer_to(pages: Pages, subject: e.Recorded) -> e.Recorded | None:
    """The plan that a call came to: the next one, unless another decision was asked for first."""
    plan = following(pages, "plan.proposed", subject.seq)
    again = following(pages, "plan.requested", subject.seq)
    event: Any = subject.event
    while again is not None and plan is not None and again.seq < plan.seq:
        asked = again.event
        if not isinstance(asked, e.PlanRequested) or asked.decision != event.decision:
            return None
        again = following(pages, "plan.requested", again.seq)
    return plan


def plan_numbered(pages: Pages, number: int, until: int) -> e.Recorded | None:
    """Plans are numbered in the order they were proposed in."""
    seqs = pages.seqs("plan.proposed")
    if 1 <= number <= len(seqs):
        found = pages.one(seqs[number - 1])
        if isinstance(found.event, e.PlanProposed) and found.event.plan.number == number:
            return found
    return newest(pages, "plan.proposed", until)


def _request_of(pages: Pages, subject: e.Recorded, plan: e.Recorded | None) -> e.Recorded | None:
    """A plan that a person made came from no call."""
    if isinstance(subject.event, e.PlanRequested):
        return subject
    if plan is not None and isinstance(plan.event, e.PlanProposed) and _is_a_person_s(plan.event.plan):
        return None
    if plan is None and not isinstance(subject.event, e.PlanRefused | e.ExchangeRecorded | e.NoteWritten):
        return None
    return newest(pages, "plan.requested", min(each.seq for each in (subject, plan) if each is not None))


def _is_a_person_s(plan: Plan) -> bool:
    return plan.edits is not None or plan.author.startswith("operator")


def _exchanges(
    pages: Pages, request: e.Recorded | None, plan: e.Recorded | None, subject: e.Recorded
) -> tuple[e.Recorded, ...]:
    if request is None:
        return ()
    until = plan.seq if plan is not None else subject.seq
    return tuple(pages.span(request.seq, until, ("exchange.recorded",)))


def _approvals(pages: Pages, plan: e.Recorded | None, sent: Any, last: int) -> tuple[e.Recorded, ...]:
    """What was asked and decided of the plan; of the one approval that a step went under, if one did."""
    if plan is None:
        return ()
    found = [
        each
        for each in pages.span(plan.seq, last, OF_APPROVAL)
        if not isinstance(sent, e.StepDispatched) or _approval_id(each.event) == sent.approval_id
    ]
    return tuple(found)


def _approval_id(event: Any) -> str:
    return event.approval.id if isinstance(event, e.ApprovalRequested) else str(event.approval_id)


def _ended(pages: Pages, dispatch: e.Recorded | None) -> e.Recorded | None:
    """At most one step is in flight, so the next that ends is this one."""
    return following(pages, "step.ended", dispatch.seq) if dispatch is not None else None


def _frames_of(pages: Pages, dispatch: e.Recorded | None, ended: e.Recorded | None) -> e.Recorded | None:
    if dispatch is None or ended is None or not isinstance(dispatch.event, e.StepDispatched):
        return None
    for each in pages.span(dispatch.seq, ended.seq + 3, ("frames.recorded",)):
        if isinstance(each.event, e.FramesRecorded) and each.event.dispatch_id == dispatch.event.dispatch_id:
            return each
    return None


def _grounds(
    pages: Pages, plan: e.Recorded | None, request: e.Recorded | None, index: int | None
) -> tuple[Grounds, ...]:
    if plan is None or not isinstance(plan.event, e.PlanProposed):
        return ()
    asked = request.event if request is not None and isinstance(request.event, e.PlanRequested) else None
    scored = {each.entity: each for each in asked.retrieval.scored} if asked is not None else {}
    lines = _lines(asked)
    return tuple(
        Grounds(
            dependency=each,
            event=pages.one(each.version) if each.version else None,
            scored=scored.get(each.entity),
            line=lines.get(each.entity, ""),
        )
        for each in plan.event.plan.dependencies
        if each.entity is not None and (index is None or each.first_step <= index <= each.last_step)
    )


def _lines(asked: e.PlanRequested | None) -> dict[str, str]:
    """What the planner read of each record, by its id; of several lines the last."""
    blocks = asked.blocks if asked is not None else ()
    found: dict[str, str] = {}
    for block in blocks:
        if block.name == "records":
            for line in block.text.splitlines():
                found[line.partition(": ")[0]] = line
    return found


def _shown(request: e.Recorded | None) -> tuple[Frame, ...]:
    if request is None or not isinstance(request.event, e.PlanRequested):
        return ()
    return tuple(frame for block in request.event.blocks for frame in block.images)


def _after(pages: Pages, end: int) -> tuple[e.Recorded, ...]:
    next_plan = following(pages, "plan.proposed", end)
    last = next_plan.seq if next_plan is not None else min(pages.head, end + 200)
    return tuple(pages.span(end + 1, last, CONSEQUENCES)[:MOST_CONSEQUENCES])
