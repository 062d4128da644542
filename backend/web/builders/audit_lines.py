"""One line of the audit for each kind of event: what was done to what, from which value to which, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backend.domain.episode import events as e
from backend.domain.execution.outcome import Result
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import FIELD_NAME, FieldChange
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.builders.conn_lines import CONN_LINES
from backend.web.builders.demonstration_lines import DEMONSTRATION_LINES
from backend.web.builders.direction_lines import DIRECTION_LINES
from backend.web.builders.line import Line, mark
from backend.web.builders.memory_lines import MEMORY_LINES
from backend.web.pages import figures
from backend.web.pages.parts import Mark

SILENT = frozenset({
    "conn.renewed", "exchange.recorded", "note.written", "frames.recorded", "robot.observed", "site.mapped",
})  # fmt: skip
"""Events that change nothing anybody believes or may do; they stand in other panels."""


def line_of(recorded: e.Recorded) -> Line:
    return _LINES[type(recorded.event)](recorded.event)


def _opened(event: e.EpisodeOpened) -> Line:
    return Line(
        verdict=mark("run", "Opened"),
        subject=event.mission.name,
        change=f"planner {event.planner}, memory {event.mission.memory.name}, seed {event.seed}",
        reason=f"site {event.site.name}, version {event.site.version}",
    )


def _judged(event: e.EvidenceJudged) -> Line:
    evidence = event.evidence
    verdicts: dict[Verdict, Mark] = {
        Verdict.ACCEPTED: mark("ok", "Accepted"),
        Verdict.MERGED: mark("ok", "Merged"),
        Verdict.REFUSED: mark("reject", "Refused", "caution"),
    }
    fields = [change.field for change in event.changes]
    subject = f"{event.entity}.{FIELD_NAME[fields[0]]}" if len(fields) == 1 else event.entity
    seen = f"{words.place(evidence.pose)} at {figures.share(evidence.confidence)}"
    change = "; ".join(_change(each) for each in event.changes) or seen
    times = f", {event.times} times" if event.times > 1 else ""
    return Line(
        verdict=verdicts[event.verdict],
        subject=subject,
        change=change,
        reason=f"{words.sentence(event.reason)[:-1]}{times}",
        actor=evidence.sensed_by or words.SOURCE[evidence.source],
    )


def _change(change: FieldChange) -> str:
    old = f"{_value(change.old)} → " if change.old is not None else ""
    return f"{old}{_value(change.new)}"


def _value(value: Pose | str | float | None) -> str:
    if isinstance(value, Pose):
        return words.place(value)
    return figures.NONE if value is None else str(value)


def _assigned(event: e.StationAssigned) -> Line:
    return Line(
        verdict=mark("ok", "Assigned"), subject=event.cls, change=f"→ {event.station}", reason=event.reason
    )


def _requested(event: e.PlanRequested) -> Line:
    what = "Asked" if event.attempt == 1 else "Asked to repair"
    return Line(
        verdict=mark("idle", what),
        subject=f"call {event.decision}",
        change=words.counted(len(event.retrieval.exposed), "record") + " shown",
        reason=event.cause.message,
    )


def _proposed(event: e.PlanProposed) -> Line:
    plan = event.plan
    return Line(
        verdict=mark("plan", "Proposed"),
        subject=f"plan {plan.number}",
        change=f"{words.counted(len(plan.steps), 'step')}, {figures.digest(plan.digest)}",
        reason=plan.rationale,
    )


def _plan_refused(event: e.PlanRefused) -> Line:
    reason = str(event.findings[0]) if event.findings else event.failure
    change = words.counted(len(event.findings), "finding") if event.findings else ""
    return Line(
        verdict=mark("bad", "Invalid", "alarm"),
        subject=f"call {event.decision}",
        change=change,
        reason=reason,
    )


def _invalidated(event: e.PlanInvalidated) -> Line:
    return Line(
        verdict=mark("replan", "Dropped"),
        subject=f"plan {event.number}",
        change=_caused(event.cause),
        reason=event.cause.message,
    )


def _caused(cause: Any) -> str:
    if cause.entity is None or cause.field is None:
        return ""
    return _change(FieldChange(cause.entity, cause.field, cause.old, cause.new))


def _completed(event: e.PlanCompleted) -> Line:
    return Line(verdict=mark("done", "Done"), subject=f"plan {event.number}")


def _wanted(event: e.PlanningWanted) -> Line:
    return Line(verdict=mark("idle", "Plan wanted"), subject="plan", reason=event.cause.message)


def _approval_requested(event: e.ApprovalRequested) -> Line:
    approval = event.approval
    steps = words.span(tuple(range(approval.first_step + 1, approval.last_step + 2)))
    return Line(
        verdict=mark("ask", "Asked"),
        subject=f"plan {approval.plan_number}",
        change=f"step {steps}, pins {figures.digest(approval.pins_digest)}",
        reason=". ".join(risk.message for risk in approval.pins.risks),
    )


def _approval(approval_id: str) -> str:
    """approval 6 of EPISODE-a6: the episode is the page's."""
    number = approval_id.rpartition("-a")[2]
    return f"approval {number}" if number.isdecimal() else approval_id


def _granted(event: e.ApprovalGranted) -> Line:
    return Line(
        verdict=mark("approve", "Approved"),
        subject=_approval(event.approval_id),
        change="pending → approved",
        reason="",
    )


def _rejected(event: e.ApprovalRejected) -> Line:
    return Line(
        verdict=mark("reject", "Rejected"),
        subject=_approval(event.approval_id),
        change="→ rejected",
        reason=event.reason,
    )


def _superseded(event: e.ApprovalSuperseded) -> Line:
    return Line(
        verdict=mark("stale", "Lapsed"),
        subject=_approval(event.approval_id),
        change=_caused(event.cause) or "→ superseded",
        reason=event.cause.message,
    )


def _expired(event: e.ApprovalExpired) -> Line:
    return Line(
        verdict=mark("warn", "Expired", "caution"),
        subject=_approval(event.approval_id),
        change="pending → expired",
        reason="Nobody decided in time",
    )


def _consumed(event: e.ApprovalConsumed) -> Line:
    return Line(
        verdict=mark("done", "Used up"),
        subject=_approval(event.approval_id),
        change="→ consumed",
        reason=event.reason,
    )


def _dispatched(event: e.StepDispatched) -> Line:
    return Line(
        verdict=mark("run", "Dispatched"),
        subject=f"step {event.index + 1} of plan {event.plan_number}",
        change=describe(event.step),
        reason=f"under {_approval(event.approval_id)}",
    )


def _ended(event: e.StepEnded) -> Line:
    outcome = event.outcome
    results: dict[Result, Mark] = {
        Result.SUCCEEDED: mark("ok", "Measured"),
        Result.FAILED: mark("warn", "Failed", "caution"),
        Result.CANCELLED: mark("reject", "Cancelled"),
        Result.STOPPED: mark("held", "Stopped", "caution"),
        Result.NOT_EXECUTED: mark("reject", "Not executed", "caution"),
    }
    changes = "; ".join(f"{each.entity} {_change(each)}" for each in event.changes)
    return Line(
        verdict=results[outcome.result],
        subject=outcome.skill,
        change=changes,
        reason=outcome.message or outcome.reason,
    )


def _cancel_asked(event: e.StepCancelAsked) -> Line:
    return Line(verdict=mark("stale", "Cancel asked"), subject=event.dispatch_id, reason=event.reason)


def _in_doubt(event: e.DispatchInDoubt) -> Line:
    return Line(verdict=mark("bad", "In doubt", "alarm"), subject=event.dispatch_id, reason=event.reason)


def _stop_asked(event: e.StopAsked) -> Line:
    what = "Abort asked" if event.abort else "Hold asked"
    return Line(verdict=mark("hold", what), subject=event.stop_id, reason=event.reason, actor=event.by)


def _stop_confirmed(event: e.StopConfirmed) -> Line:
    where = f"still at {words.place(event.pose)}" if event.pose is not None else "standstill measured"
    return Line(verdict=mark("held", "Stopped", "alarm"), subject=event.stop_id, change=where)


def _stop_unconfirmed(event: e.StopUnconfirmed) -> Line:
    return Line(
        verdict=mark("bad", "Stop not confirmed", "alarm"),
        subject=event.stop_id,
        change=f"no standstill within {event.waited_s:g} s",
    )


def _released(event: e.StopReleased) -> Line:
    return Line(verdict=mark("play", "Released"), subject=", ".join(event.stop_ids), actor=event.by)


def _guided(event: e.GuidanceGiven) -> Line:
    return Line(verdict=mark("ok", "Guided"), subject="planner", reason=event.text, actor=event.by)


def _refused(event: e.IntentRefused) -> Line:
    return Line(
        verdict=mark("reject", "Refused", "caution"),
        subject=event.action.replace("_", " "),
        change=event.code.replace("_", " "),
        reason=f"{event.message} {event.remedy}".strip(),
        actor=event.by,
    )


def _runner(event: e.RunnerStarted) -> Line:
    return Line(
        verdict=mark("run", "Runner started"), subject=f"epoch {event.epoch}", reason=event.code_version
    )


def _over(event: e.EpisodeEnded) -> Line:
    return Line(
        verdict=mark("done", "Ended"),
        subject=event.outcome,
        change=f"{event.delivered} of {event.total} delivered, {event.held or 'nothing'} held"
        if event.total
        else "",
        reason=event.message,
    )


def _kept(event: Any) -> Line:
    """An event of `SILENT`, where somebody asks for it all the same."""
    return Line(verdict=mark("ok", "Kept"), subject=e.kind_of(event))


_LINES: dict[type, Callable[[Any], Line]] = {
    e.EpisodeOpened: _opened,
    e.EvidenceJudged: _judged,
    e.StationAssigned: _assigned,
    e.PlanRequested: _requested,
    e.PlanProposed: _proposed,
    e.PlanRefused: _plan_refused,
    e.PlanInvalidated: _invalidated,
    e.PlanCompleted: _completed,
    e.PlanningWanted: _wanted,
    e.ApprovalRequested: _approval_requested,
    e.ApprovalGranted: _granted,
    e.ApprovalRejected: _rejected,
    e.ApprovalSuperseded: _superseded,
    e.ApprovalExpired: _expired,
    e.ApprovalConsumed: _consumed,
    e.StepDispatched: _dispatched,
    e.StepEnded: _ended,
    e.StepCancelAsked: _cancel_asked,
    e.DispatchInDoubt: _in_doubt,
    e.StopAsked: _stop_asked,
    e.StopConfirmed: _stop_confirmed,
    e.StopUnconfirmed: _stop_unconfirmed,
    e.StopReleased: _released,
    **CONN_LINES,
    **DIRECTION_LINES,
    **DEMONSTRATION_LINES,
    **MEMORY_LINES,
    e.GuidanceGiven: _guided,
    e.IntentRefused: _refused,
    e.RunnerStarted: _runner,
    e.EpisodeEnded: _over,
    e.ConnRenewed: _kept,
    e.ExchangeRecorded: _kept,
    e.NoteWritten: _kept,
    e.FramesRecorded: _kept,
    e.RobotObserved: _kept,
    e.SiteMapped: _kept,
}
