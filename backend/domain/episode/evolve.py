"""evolve(state, recorded) -> state: one step of the fold.
It applies what an event says and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from backend.domain.command.approval import UNANSWERED, ApprovalStatus
from backend.domain.command.hold import Stop
from backend.domain.digests import digest
from backend.domain.episode import events as e
from backend.domain.episode.evolve_conn import (
    conn_asked,
    conn_given_up,
    conn_kept,
    conn_lapsed,
    conn_renewed,
    conn_taken,
)
from backend.domain.episode.evolve_correction import record_corrected, record_disputed, record_settled
from backend.domain.episode.evolve_demonstration import (
    demonstration_answered,
    demonstration_recorded,
    demonstration_refused,
    demonstration_shown,
)
from backend.domain.episode.evolve_memory import after_evidence
from backend.domain.episode.evolve_step import step_dispatched, step_ended
from backend.domain.episode.evolve_table import at_table
from backend.domain.episode.state import ActionFrames, Ending, Guidance, Request, Robot, State
from backend.domain.execution.notes import Note
from backend.domain.mission.assignment import fixed_assignments
from backend.domain.plans.validity import Cause


class FoldError(Exception):
    """The journal cannot be folded:
    it does not begin with `episode.opened`, or a sequence number is missing."""


def fold(events: Iterable[e.Recorded], state: State | None = None) -> State:
    """The state after `events`, continuing from `state` or from nothing. Raises FoldError on a gap."""
    for recorded in events:
        state = evolve(state, recorded)
    if state is None:
        raise FoldError("The journal is empty: an episode begins with episode.opened.")
    return state


def evolve(state: State | None, recorded: e.Recorded) -> State:
    if state is None:
        event = recorded.event
        if not isinstance(event, e.EpisodeOpened):
            raise FoldError(f"The journal begins with {e.kind_of(event)}, not with episode.opened.")
        return _opened(event, recorded.seq, recorded.met_s)
    if recorded.seq != state.seq + 1:
        raise FoldError(f"Event {recorded.seq} follows event {state.seq}: the journal has a gap.")
    return following(state, recorded)


def following(state: State, recorded: e.Recorded) -> State:
    """`evolve`, of an event that is known to be the next one."""
    event = recorded.event
    changes = _STEPS[type(event)](state, event, recorded)
    return replace(state, seq=recorded.seq, met_s=recorded.met_s, **changes)


def _opened(event: e.EpisodeOpened, seq: int, met_s: float) -> State:
    return State(
        seq=seq,
        met_s=met_s,
        episode=event.episode,
        mission=event.mission,
        site=event.site,
        catalogue=event.catalogue,
        catalogue_digest=digest(event.catalogue),
        planner=event.planner,
        seed=event.seed,
        code_version=event.code_version,
        robot=Robot(name=event.robot, pose=event.robot_pose, held=event.held),
        assignments=fixed_assignments(event.site),
        need=Cause(kind="first", message="First plan of the mission"),
        at_table=at_table(event),
    )


Changes = dict[str, Any]


def _evidence_judged(state: State, event: e.EvidenceJudged, recorded: e.Recorded) -> Changes:
    keeps_reports = state.mission.memory.entities == "unfiltered"
    return {"memory": after_evidence(state.memory, event, recorded.seq, keeps_reports=keeps_reports)}


def _station_assigned(state: State, event: e.StationAssigned, recorded: e.Recorded) -> Changes:
    return {"assignments": {**state.assignments, event.cls: event.station}}


def _plan_requested(state: State, event: e.PlanRequested, recorded: e.Recorded) -> Changes:
    tally, spent = state.tally, state.spent
    if event.attempt == 1:
        tally = replace(
            tally,
            context_units=tally.context_units + event.context_units,
            replans=tally.replans + event.cause.is_replan,
        )
        spent = replace(spent, decisions=spent.decisions + 1)
    request = Request(
        seq=recorded.seq,
        decision=event.decision,
        attempt=event.attempt,
        cause=event.cause,
        retrieval=event.retrieval,
        findings=event.findings,
        blocks=event.blocks,
    )
    changes: Changes = {"need": None, "request": request, "frames": (), "tally": tally, "spent": spent}
    if state.at_table is not None and event.attempt == 1:
        changes["at_table"] = replace(state.at_table, shown=state.frames)
    return changes


def _exchange_recorded(state: State, event: e.ExchangeRecorded, recorded: e.Recorded) -> Changes:
    usage, spent = event.exchange.usage, state.spent
    tokens = usage.total_tokens or (usage.input_tokens or 0) + (usage.output_tokens or 0)
    return {
        "spent": replace(
            spent, tokens=spent.tokens + tokens, money_usd=spent.money_usd + (event.exchange.cost_usd or 0.0)
        )
    }


def _note_written(state: State, event: e.NoteWritten, recorded: e.Recorded) -> Changes:
    note = Note(
        seq=recorded.seq, decision=event.decision, met_s=recorded.met_s, author=event.author, text=event.text
    )
    return {"notes": (*state.notes, note)}


def _plan_proposed(state: State, event: e.PlanProposed, recorded: e.Recorded) -> Changes:
    return {
        "plan": event.plan,
        "plans": event.plan.number,
        "cursor": 0,
        "excused": (),
        "request": None,
        "need": None,
        "asks_person": "",
        "owes_answer": event.plan.number if event.plan.edits is not None else None,
    }


def _plan_refused(state: State, event: e.PlanRefused, recorded: e.Recorded) -> Changes:
    tally = replace(state.tally, refusals=state.tally.refusals + 1)
    asks = "" if event.will_repair else event.failure or "The planner's plan broke the rules twice."
    return {"request": None, "tally": tally, "asks_person": asks}


def _plan_invalidated(state: State, event: e.PlanInvalidated, recorded: e.Recorded) -> Changes:
    return _without_plan(event.cause)


def _plan_completed(state: State, event: e.PlanCompleted, recorded: e.Recorded) -> Changes:
    return _without_plan(Cause(kind="completed", message=f"Plan {event.number} ran to its end"))


def _without_plan(cause: Cause) -> Changes:
    return {"plan": None, "cursor": 0, "excused": (), "need": cause}


def _approval_requested(state: State, event: e.ApprovalRequested, recorded: e.Recorded) -> Changes:
    return {"approval": event.approval, "approvals": state.approvals + 1, "asks_person": ""}


def _approval_becomes(status: ApprovalStatus) -> Callable[[State, Any, e.Recorded], Changes]:
    def step(state: State, event: Any, recorded: e.Recorded) -> Changes:
        if state.approval is None or state.approval.id != event.approval_id:
            return {}
        by = getattr(event, "by", None) or state.approval.decided_by
        reason = getattr(event, "reason", "")
        if isinstance(event, e.ApprovalSuperseded):
            reason = event.cause.message
        by_policy = status is ApprovalStatus.APPROVED and recorded.actor == "policy"
        approval = replace(
            state.approval,
            status=status,
            decided_by=by,
            by_policy=by_policy or state.approval.by_policy,
            reason=reason,
        )
        answered = status is ApprovalStatus.APPROVED and not by_policy
        return {"approval": approval, "owes_answer": None} if answered else {"approval": approval}

    return step


def _policy_changed(state: State, event: e.PolicyChanged, recorded: e.Recorded) -> Changes:
    """A plan that waits for a person's answer goes on waiting for it, whatever the policy becomes."""
    approval, plan = state.approval, state.plan
    waits = approval is not None and plan is not None and approval.plan_number == plan.number
    if waits and approval is not None and plan is not None and approval.status in UNANSWERED:
        return {"ruled": event.new, "owes_answer": plan.number}
    return {"ruled": event.new}


def _instructions_changed(state: State, event: e.InstructionsChanged, recorded: e.Recorded) -> Changes:
    return {"told": event.text}


def _step_cancel_asked(state: State, event: e.StepCancelAsked, recorded: e.Recorded) -> Changes:
    return {"dispatch": replace(state.dispatch, cancel_asked=True)} if state.dispatch is not None else {}


def _dispatch_in_doubt(state: State, event: e.DispatchInDoubt, recorded: e.Recorded) -> Changes:
    if state.dispatch is None:
        return {}
    return {"dispatch": replace(state.dispatch, in_doubt=True), "asks_person": event.reason}


def _frames_recorded(state: State, event: e.FramesRecorded, recorded: e.Recorded) -> Changes:
    return {"frames": (*state.frames, ActionFrames(action=len(state.log), watched=event.watched))}


def _stop_asked(state: State, event: e.StopAsked, recorded: e.Recorded) -> Changes:
    if any(stop.id == event.stop_id for stop in state.stops):
        return {"stops": tuple(_abort_of(stop, event) for stop in state.stops)}
    stop = Stop(
        id=event.stop_id,
        asked_by=event.by,
        asked_seq=recorded.seq,
        asked_s=recorded.met_s,
        reason=event.reason,
        abort=event.abort,
    )
    return {"stops": (*state.stops, stop), "hold_owed": ""}


def _abort_of(stop: Stop, event: e.StopAsked) -> Stop:
    """A hold that is asked for again as an abort keeps what was measured of it."""
    if stop.id != event.stop_id:
        return stop
    return replace(stop, asked_by=event.by, reason=event.reason, abort=stop.abort or event.abort)


def _stop_confirmed(state: State, event: e.StopConfirmed, recorded: e.Recorded) -> Changes:
    stops = tuple(replace(s, confirmed=True) if s.id == event.stop_id else s for s in state.stops)
    robot = state.robot if event.pose is None else replace(state.robot, pose=event.pose)
    return {"stops": stops, "robot": robot}


def _robot_observed(state: State, event: e.RobotObserved, recorded: e.Recorded) -> Changes:
    return {"robot": replace(state.robot, pose=event.pose, arrived=None)}


def _site_mapped(state: State, event: e.SiteMapped, recorded: e.Recorded) -> Changes:
    return {"site": replace(state.site, map=event.map, version=event.version)}


def _stop_unconfirmed(state: State, event: e.StopUnconfirmed, recorded: e.Recorded) -> Changes:
    return {
        "stops": tuple(
            replace(s, unconfirmed_alarm=True) if s.id == event.stop_id else s for s in state.stops
        )
    }


def _stop_released(state: State, event: e.StopReleased, recorded: e.Recorded) -> Changes:
    return {"stops": tuple(stop for stop in state.stops if stop.id not in event.stop_ids)}


def _guidance_given(state: State, event: e.GuidanceGiven, recorded: e.Recorded) -> Changes:
    return {"guidance": (*state.guidance, Guidance(seq=recorded.seq, by=event.by, text=event.text))}


def _planning_wanted(state: State, event: e.PlanningWanted, recorded: e.Recorded) -> Changes:
    return {"need": event.cause, "asks_person": "", "request": None}


def _intent_refused(state: State, event: e.IntentRefused, recorded: e.Recorded) -> Changes:
    return {}


def _runner_started(state: State, event: e.RunnerStarted, recorded: e.Recorded) -> Changes:
    return {"epoch": event.epoch, "ledger_id": event.ledger_id}


def _episode_ended(state: State, event: e.EpisodeEnded, recorded: e.Recorded) -> Changes:
    return {
        "ending": Ending(outcome=event.outcome, message=event.message),
        "need": None,
        "request": None,
        "asks_person": "",
    }


_STEPS: dict[type, Callable[[State, Any, e.Recorded], Changes]] = {
    e.EvidenceJudged: _evidence_judged,
    e.StationAssigned: _station_assigned,
    e.PlanRequested: _plan_requested,
    e.ExchangeRecorded: _exchange_recorded,
    e.NoteWritten: _note_written,
    e.PlanProposed: _plan_proposed,
    e.PlanRefused: _plan_refused,
    e.PlanInvalidated: _plan_invalidated,
    e.PlanCompleted: _plan_completed,
    e.PlanningWanted: _planning_wanted,
    e.ApprovalRequested: _approval_requested,
    e.ApprovalGranted: _approval_becomes(ApprovalStatus.APPROVED),
    e.ApprovalRejected: _approval_becomes(ApprovalStatus.REJECTED),
    e.ApprovalEdited: _approval_becomes(ApprovalStatus.EDITED),
    e.ApprovalSuperseded: _approval_becomes(ApprovalStatus.SUPERSEDED),
    e.ApprovalExpired: _approval_becomes(ApprovalStatus.EXPIRED),
    e.ApprovalConsumed: _approval_becomes(ApprovalStatus.CONSUMED),
    e.StepDispatched: step_dispatched,
    e.StepEnded: step_ended,
    e.StepCancelAsked: _step_cancel_asked,
    e.DispatchInDoubt: _dispatch_in_doubt,
    e.FramesRecorded: _frames_recorded,
    e.StopAsked: _stop_asked,
    e.StopConfirmed: _stop_confirmed,
    e.StopUnconfirmed: _stop_unconfirmed,
    e.StopReleased: _stop_released,
    e.RobotObserved: _robot_observed,
    e.SiteMapped: _site_mapped,
    e.ConnTaken: conn_taken,
    e.ConnRenewed: conn_renewed,
    e.ConnGivenUp: conn_given_up,
    e.ConnAsked: conn_asked,
    e.ConnKept: conn_kept,
    e.ConnLapsed: conn_lapsed,
    e.GuidanceGiven: _guidance_given,
    e.InstructionsChanged: _instructions_changed,
    e.PolicyChanged: _policy_changed,
    e.IntentRefused: _intent_refused,
    e.RecordCorrected: record_corrected,
    e.RecordDisputed: record_disputed,
    e.RecordSettled: record_settled,
    e.DemonstrationRecorded: demonstration_recorded,
    e.DemonstrationShown: demonstration_shown,
    e.DemonstrationAnswered: demonstration_answered,
    e.DemonstrationRefused: demonstration_refused,
    e.RunnerStarted: _runner_started,
    e.EpisodeEnded: _episode_ended,
}
