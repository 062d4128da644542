"""The one episode loop: gather, decide, commit, then act. Missions and evaluation run it alike.

Only the ports differ: a journal in memory or in a database, a world in process or behind a bridge, a planner
that answers at once or in a while. The loop is synchronous and never waits for a planner; whoever runs it
calls `tick` again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Doubt, Inputs, StandstillReport
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.memory.evidence import Evidence
from backend.domain.plans.plan import Watch
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, Reply
from backend.usecases.coalescing import Key, Said, coalesce
from backend.usecases.failpoints import failpoint
from backend.usecases.ports import (
    Bridge,
    BridgeRefused,
    BridgeUnreachable,
    Inbox,
    IntentWithdrawn,
    Journal,
    Picture,
    Planner,
    Reports,
    Stopped,
    StopPending,
)

FrameKeeper = Callable[[tuple[Picture, ...], Watch | None, str], WatchedFrames | None]
"""Stores pictures and decides which are returned: (pictures, watch, the configuration's `frames` switch)."""


class EpisodeLoop:
    """Drives one episode from `state`. Not thread-safe: one thread calls `tick`."""

    def __init__(
        self,
        state: State,
        journal: Journal,
        inbox: Inbox,
        planner: Planner,
        bridge: Bridge,
        executor: Executor,
        *,
        monotonic: Callable[[], float],
        keep_frames: FrameKeeper | None = None,
        render: bool = True,
        on_commit: Callable[[Sequence[e.Recorded], State], None] | None = None,
    ) -> None:
        self.state = state
        self._journal = journal
        self._inbox = inbox
        self._planner = planner
        self._bridge = bridge
        self._executor = executor
        self._monotonic = monotonic
        self._keep_frames = keep_frames
        self._render = render
        self._on_commit = on_commit
        self._answer: Future[Reply] | None = None
        self._undecided: list[Reports] = []
        self._unsure: str | None = None
        self._doubts: tuple[Doubt, ...] = ()
        self._evidence: tuple[Evidence, ...] = ()
        self._stop_asked_s: dict[str, float] = {}
        self._undelivered: tuple[str, ...] = ()
        self._said: Mapping[Key, Said] = {}
        self._coalesces = state.mission.world.clock == "runs"

    def begin(self, initial: tuple[Evidence, ...]) -> None:
        """Offer the world's initial records to the first tick."""
        self._evidence = initial

    def resume(self, latched: tuple[str, ...] = ()) -> None:
        """Take up an episode that another process left: what was in flight is in doubt until the bridge
        answers.

        `latched`: the stops that the bridge says are in force; one that the journal does not know holds as
        well.
        """
        self._poll()
        self._take_up(latched)
        self._ask_planner()

    def _take_up(self, latched: tuple[str, ...]) -> None:
        """Commands may have been lost with a process or a line.

        Stops and cancels are sent again, steps never are.
        """
        known = {stop.id for stop in self.state.stops}
        known |= {stop.stop_id for report in self._undecided for stop in report.stopped}
        unknown = tuple(Stopped(stop_id=s, by="the bridge's latch") for s in latched if s not in known)
        if unknown:
            self._undecided.insert(0, Reports(met_s=self.state.met_s, stopped=unknown))
        if self.state.dispatch is not None and not self.state.dispatch.in_doubt:
            self._unsure = self.state.dispatch.id
        for stop in self.state.stops:
            self._send_stop(stop.id, stop.asked_by)
        if self.state.dispatch is not None and self.state.dispatch.cancel_asked:
            self._send_cancel(self.state.dispatch.id)

    def tick(self) -> bool:
        """One pass. True when something was committed. Raises JournalError when nothing may go on."""
        inputs, through, said = self._gather()
        result = tick(self.state, inputs, render=self._render)
        if result.events or result.settled:
            failpoint("before-commit")
            try:
                self._journal.append(result.events, result.settled)
            except (StopPending, IntentWithdrawn):
                return True
            failpoint("after-commit")
        self._undecided.clear()
        self._doubts = ()
        self._evidence = ()
        self._said = said
        self._took_reply(inputs.replies)
        self.state = result.state
        if self._undelivered:
            again, self._undelivered = self._undelivered, ()
            self._release(again)
        self._act(result.events)
        if through:
            failpoint("before-acknowledge")
            self._bridge.acknowledge(through)
            failpoint("after-acknowledge")
        if result.events and self._on_commit is not None:
            self._on_commit(result.events, result.state)
        self._heartbeat()
        return bool(result.events)

    def _gather(self) -> tuple[Inputs, int, Mapping[Key, Said]]:
        intents, now_s = self._inbox.take()
        if self._unsure is not None:
            self._clear_doubt()
        self._poll()
        report = _merged(self._undecided, self.state.met_s)
        evidence = self._evidence + report.evidence if self._evidence else report.evidence
        times: tuple[int, ...] = ()
        said = self._said
        if self._coalesces:
            told = coalesce(said, evidence, self.state.memory, self.state.site.metric, report.met_s)
            evidence, times, said = told.evidence, told.times, told.said
        answer = self._answer
        inputs = Inputs(
            met_s=report.met_s,
            now_s=now_s,
            intents=tuple(intents),
            outcomes=self._with_frames(report) if report.pictures else report.outcomes,
            standstills=_standstills(report) if report.stopped else (),
            evidence=evidence,
            times=times,
            replies=(self._reply_in(answer),) if answer is not None and answer.done() else (),
            doubts=self._doubts,
            stop_waits_s=self._stop_waits_s() if self.state.stops else {},
        )
        return inputs, report.through, said

    def _poll(self) -> None:
        try:
            reports = self._bridge.poll()
        except BridgeUnreachable:
            return
        self._undecided.append(reports)
        if reports.relinked is not None:
            self._take_up(reports.relinked)

    def _with_frames(self, report: Reports) -> tuple[Outcome, ...]:
        """The outcomes, each with what is kept of the pictures that came with it."""
        return tuple([self._framed(each, report.pictures.get(each.dispatch_id)) for each in report.outcomes])

    def _framed(self, outcome: Outcome, pictures: tuple[Picture, ...] | None) -> Outcome:
        dispatch = self.state.dispatch
        if not pictures or self._keep_frames is None or dispatch is None:
            return outcome
        watched = self._keep_frames(pictures, dispatch.step.watch, self.state.mission.memory.frames)
        return replace(outcome, frames=watched)

    def _reply_in(self, answer: Future[Reply]) -> Reply:
        """A planner that breaks is a planner that failed: a person is asked, the loop goes on."""
        error = answer.exception()
        if error is None:
            return answer.result()
        request = self.state.request
        broke = Attempt(verdict="failed", detail=f"The planner broke: {type(error).__name__}: {error}")
        return Reply(
            decision=request.decision if request is not None else 0,
            attempt=request.attempt if request is not None else 0,
            proposal=None,
            attempts=(broke,),
        )

    def _took_reply(self, replies: tuple[Reply, ...]) -> None:
        if replies:
            self._answer = None

    def _act(self, events: Sequence[e.Recorded]) -> None:
        """Effects of what was committed, in order; none of them decides anything. The planner comes last."""
        asked = False
        for recorded in events:
            kind = type(recorded.event)
            if kind is e.PlanRequested:
                asked = True
            elif kind in _EFFECTS:
                _EFFECTS[kind](self, recorded.event)
        if asked:
            self._ask_planner()

    def _cancel(self, event: e.StepCancelAsked) -> None:
        self._send_cancel(event.dispatch_id)

    def _stop(self, event: e.StopAsked) -> None:
        self._stop_asked_s[event.stop_id] = self._monotonic()
        self._send_stop(event.stop_id, event.by)

    def _submit(self, event: e.StepDispatched) -> None:
        cameras = self.state.catalogue.cameras if self.state.mission.memory.frames != "off" else ()
        failpoint("before-submit")
        try:
            self._bridge.submit(event.epoch, event.dispatch_id, event.step, event.goal, cameras)
        except BridgeUnreachable:
            self._unsure = event.dispatch_id
        except BridgeRefused as refused:
            self._undecided.append(self._not_executed(event.dispatch_id, refused.code, str(refused)))
        failpoint("after-submit")

    def _not_executed(self, dispatch_id: str, code: str, message: str) -> Reports:
        dispatch = self.state.dispatch
        outcome = Outcome(
            dispatch_id=dispatch_id,
            skill=dispatch.step.skill if dispatch is not None else "",
            result=Result.NOT_EXECUTED,
            reason=code,
            message=message,
            started_s=self.state.met_s,
            ended_s=self.state.met_s,
            measured=Measured(pose=self.state.robot.pose, held=self.state.robot.held),
        )
        return Reports(met_s=self.state.met_s, outcomes=(outcome,))

    def _clear_doubt(self) -> None:
        """Ask the bridge what became of a dispatch whose answer was lost. Never sends it again."""
        unsure, dispatch = self._unsure, self.state.dispatch
        if unsure is None or dispatch is None or dispatch.id != unsure:
            self._unsure = None
            return
        try:
            status = self._bridge.status(unsure)
        except BridgeUnreachable:
            return
        self._unsure = None
        if status.state == "unknown" and not status.ledger_intact:
            reason = "The bridge has lost its ledger: say what the robot did."
            self._doubts = (Doubt(dispatch_id=unsure, reason=reason),)
        elif status.state == "unknown":
            self._bury(unsure)
        elif status.outcome is not None:
            self._undecided.append(Reports(met_s=self.state.met_s, outcomes=(status.outcome,)))

    def _bury(self, dispatch_id: str) -> None:
        """The bridge never saw it. A cancel makes sure that it does not run should it still come."""
        try:
            self._bridge.cancel(self.state.epoch, dispatch_id)
            outcome = self._bridge.status(dispatch_id).outcome
        except BridgeUnreachable:
            self._unsure = dispatch_id
            return
        if outcome is None:
            message = "The bridge never saw this step."
            self._undecided.append(self._not_executed(dispatch_id, "not_executed", message))
        else:
            self._undecided.append(Reports(met_s=self.state.met_s, outcomes=(outcome,)))

    def _send_cancel(self, dispatch_id: str) -> None:
        failpoint("before-cancel")
        try:
            self._bridge.cancel(self.state.epoch, dispatch_id)
        except (BridgeUnreachable, BridgeRefused):
            self._unsure = dispatch_id
        failpoint("after-cancel")

    def _send_stop(self, stop_id: str, by: str) -> None:
        """Failure shows as a stop that is not confirmed; the web process told the bridge as well."""
        self._stop_asked_s.setdefault(stop_id, self._monotonic())
        failpoint("before-stop")
        with suppress(BridgeUnreachable, BridgeRefused):
            self._bridge.stop(stop_id, by)
        failpoint("after-stop")

    def _released(self, event: e.StopReleased) -> None:
        self._release(event.stop_ids)

    def _release(self, stop_ids: tuple[str, ...]) -> None:
        """A release that does not arrive leaves the robot held; it is sent again until it does."""
        for stop_id in stop_ids:
            self._stop_asked_s.pop(stop_id, None)
            failpoint("before-release")
            try:
                self._bridge.release(self.state.epoch, stop_id)
            except BridgeUnreachable:
                self._undelivered = (*self._undelivered, stop_id)
            except BridgeRefused:
                continue  # it knows of no such stop: none is in force
            failpoint("after-release")

    def _ask_planner(self) -> None:
        request = self.state.request
        if request is None or self.state.planner == "operator":
            return
        failpoint("before-ask")
        self._answer = self._executor.submit(self._planner.propose, query_of(self.state, request))

    def _stop_waits_s(self) -> dict[str, float]:
        now_s = self._monotonic()
        return {stop_id: now_s - asked_s for stop_id, asked_s in self._stop_asked_s.items()}

    def _heartbeat(self) -> None:
        try:
            self._bridge.heartbeat(self.state.epoch)
        except BridgeUnreachable:
            return


_EFFECTS: dict[type, Callable[[EpisodeLoop, Any], None]] = {
    e.StepDispatched: EpisodeLoop._submit,
    e.StepCancelAsked: EpisodeLoop._cancel,
    e.StopAsked: EpisodeLoop._stop,
    e.StopReleased: EpisodeLoop._released,
}


def _merged(reports: list[Reports], met_s: float) -> Reports:
    """What several polls brought, as one; mostly there is but one."""
    if len(reports) == 1:
        return reports[0]
    return Reports(
        met_s=reports[-1].met_s if reports else met_s,
        evidence=tuple([piece for report in reports for piece in report.evidence]),
        outcomes=tuple([outcome for report in reports for outcome in report.outcomes]),
        stopped=tuple([stop for report in reports for stop in report.stopped]),
        pictures={key: pictures for report in reports for key, pictures in report.pictures.items()},
        through=max([report.through for report in reports], default=0),
    )


def _standstills(report: Reports) -> tuple[StandstillReport, ...]:
    return tuple(
        [
            StandstillReport(stop_id=stop.stop_id, pose=stop.measured.pose, by=stop.by)
            for stop in report.stopped
        ]
    )
