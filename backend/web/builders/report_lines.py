"""The lines of a report: each plan with who decided it and what came of it; each thing that went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backend.domain.episode import events as e
from backend.domain.execution.outcome import Result
from backend.domain.plans.plan import Plan
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.parts import Icon
from backend.web.pages.report import DecisionLine, FailureLine

KINDS = (
    "plan.requested", "plan.proposed", "plan.refused", "plan.invalidated", "plan.completed",
    "approval.requested", "approval.granted", "approval.rejected", "approval.superseded", "approval.expired",
    "step.dispatched", "step.ended", "stop.asked", "stop.confirmed", "stop.unconfirmed", "stop.released",
    "dispatch.in_doubt", "episode.ended",
)  # fmt: skip


def decision_lines(entries: Sequence[Entry]) -> list[DecisionLine]:
    """`entries` of `KINDS`, in order: one line a plan."""
    lines: dict[int, DecisionLine] = {}
    plan_of: dict[str, int] = {}
    done: dict[int, tuple[int, int]] = {}
    plan_of_dispatch: dict[str, int] = {}
    why = ""
    for entry in entries:
        event = entry.recorded.event
        if isinstance(event, e.PlanRequested):
            why = event.cause.message
        elif isinstance(event, e.PlanProposed):
            lines[event.plan.number] = _proposed(entry, event.plan, why)
            done[event.plan.number] = (0, len(event.plan.steps))
        elif isinstance(event, e.ApprovalRequested):
            plan_of[event.approval.id] = event.approval.plan_number
            _add(lines, event.approval.plan_number, decided="waits")
        elif isinstance(
            event, e.ApprovalGranted | e.ApprovalRejected | e.ApprovalSuperseded | e.ApprovalExpired
        ):
            _add(lines, plan_of.get(event.approval_id), decided=_decided(entry))
        elif isinstance(event, e.StepDispatched):
            plan_of_dispatch[event.dispatch_id] = event.plan_number
        elif isinstance(event, e.StepEnded):
            _count(lines, done, plan_of_dispatch.get(event.outcome.dispatch_id), event)
        elif isinstance(event, e.PlanCompleted):
            _add(lines, event.number, came=f"Done, {_of(done, event.number)}", tone="quiet")
        elif isinstance(event, e.PlanInvalidated):
            came = f"Dropped after {_of(done, event.number)}: {event.cause.message}"
            _add(lines, event.number, came=came)
    return [lines[number] for number in sorted(lines)]


def failure_lines(entries: Sequence[Entry]) -> list[FailureLine]:
    """What failed, was refused, stopped or is in doubt, in order."""
    found = []
    for entry in entries:
        line = _failure(entry)
        if line is not None:
            found.append(line)
    return found


def _proposed(entry: Entry, plan: Plan, why: str) -> DecisionLine:
    about = f" for {plan.target}" if plan.target else ""
    return DecisionLine(
        number=str(plan.number),
        seq=entry.recorded.seq,
        met=figures.met(entry.recorded.met_s),
        author=words.who(plan.author),
        what=f"{words.counted(len(plan.steps), 'step')}{about}",
        why=why,
        decided="",
        came="",
    )


def _decided(entry: Entry) -> str:
    event = entry.recorded.event
    at = figures.met(entry.recorded.met_s)
    if isinstance(event, e.ApprovalGranted):
        by = words.who(event.by)
        return f"{by} at {at}" if by != "policy" else "policy, unasked"
    if isinstance(event, e.ApprovalRejected):
        reason = f": {event.reason}" if event.reason else ""
        return f"rejected by {words.who(event.by)} at {at}{reason}"
    return "expired" if isinstance(event, e.ApprovalExpired) else "lapsed"


def _count(
    lines: dict[int, DecisionLine], done: dict[int, tuple[int, int]], number: int | None, ended: e.StepEnded
) -> None:
    if number is None or number not in done:
        return
    succeeded, of = done[number]
    if ended.outcome.result is Result.SUCCEEDED:
        done[number] = (succeeded + 1, of)
        _add(lines, number, came=f"{_of(done, number)}")
        return
    said = f"{ended.outcome.skill} {ended.outcome.result.value.replace('_', ' ')}"
    _add(lines, number, came=f"{_of(done, number)}, then {said}", tone="caution")


def _add(lines: dict[int, DecisionLine], number: int | None, **more: object) -> None:
    if number is not None and number in lines:
        lines[number] = replace(lines[number], **more)


def _of(done: dict[int, tuple[int, int]], number: int) -> str:
    succeeded, of = done.get(number, (0, 0))
    return f"{succeeded} of {words.counted(of, 'step')}"


def _failure(entry: Entry) -> FailureLine | None:
    event = entry.recorded.event

    def line(icon: Icon, what: str, why: str = "") -> FailureLine:
        met = figures.met(entry.recorded.met_s)
        return FailureLine(seq=entry.recorded.seq, met=met, icon=icon, what=what, why=why)

    if isinstance(event, e.StepEnded) and event.outcome.result is not Result.SUCCEEDED:
        outcome = event.outcome
        return line(
            "warn",
            f"{outcome.skill} {outcome.result.value.replace('_', ' ')}",
            outcome.message or outcome.reason,
        )
    if isinstance(event, e.PlanRefused):
        why = str(event.findings[0]) if event.findings else event.failure
        return line("bad", f"Answer of call {event.decision} refused", why)
    if isinstance(event, e.StopAsked):
        return line(
            "held",
            "Abort asked" if event.abort else "Hold asked",
            f"by {words.who(event.by)}. {event.reason}",
        )
    if isinstance(event, e.StopUnconfirmed):
        return line("bad", "Stop not confirmed", f"no standstill within {event.waited_s:g} s")
    if isinstance(event, e.DispatchInDoubt):
        return line("bad", "Step in doubt", event.reason)
    return None
