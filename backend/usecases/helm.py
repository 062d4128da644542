"""The loop's hand on the robot: commands after their commit, and the answers that got lost on the way.

Stops, cancels and releases are sent until they arrive; a step is sent once. What became of it is asked, never
guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from backend.domain.decide.turn import Doubt
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.usecases.failpoints import failpoint
from backend.usecases.ports import Bridge, BridgeRefused, BridgeUnreachable, DispatchStatus, Reports, Stopped

LEDGER_LOST = "The bridge has lost its ledger: say what the robot did."


class Helm:
    """`state` is the loop's: the last one committed. Nothing is decided here."""

    def __init__(self, bridge: Bridge, state: State, monotonic: Callable[[], float]) -> None:
        self.state = state
        self.doubts: tuple[Doubt, ...] = ()
        self._bridge = bridge
        self._monotonic = monotonic
        self._undecided: list[Reports] = []
        self._unsure: str | None = None
        self._stop_asked_s: dict[str, float] = {}
        self._undelivered: tuple[str, ...] = ()

    def take_up(self, latched: tuple[str, ...], ledger_id: str = "") -> None:
        """Commands may have been lost with a process or a line: stops and cancels go again, steps never do.

        `latched`: the stops that the bridge says are in force. One that the journal does not know holds too.
        """
        known = {stop.id for stop in self.state.stops}
        known |= {stop.stop_id for report in self._undecided for stop in report.stopped}
        unknown = tuple(Stopped(stop_id=s, by="the bridge's latch") for s in latched if s not in known)
        if unknown:
            self._undecided.insert(0, Reports(met_s=self.state.met_s, stopped=unknown))
        dispatch = self.state.dispatch
        if dispatch is not None and not dispatch.in_doubt:
            if ledger_id and dispatch.ledger_id not in ("", ledger_id):
                self.doubts = (Doubt(dispatch_id=dispatch.id, reason=LEDGER_LOST),)
            else:
                self._unsure = dispatch.id
        for stop in self.state.stops:
            self._send_stop(stop.id, stop.asked_by)
        if self.state.dispatch is not None and self.state.dispatch.cancel_asked:
            self._send_cancel(self.state.dispatch.id)

    def gather(self) -> Reports:
        """Everything that no tick has decided yet, as one report."""
        if self._unsure is not None:
            self._clear_doubt()
        self.poll()
        return _merged(self._undecided, self.state.met_s)

    def poll(self) -> None:
        try:
            reports = self._bridge.poll()
        except BridgeUnreachable:
            return
        self._undecided.append(reports)
        if reports.relinked is not None:
            self.take_up(reports.relinked)

    def committed(self, state: State) -> None:
        """A tick decided all that was gathered."""
        self.state = state
        self._undecided.clear()
        self.doubts = ()
        if self._undelivered:
            again, self._undelivered = self._undelivered, ()
            self._release(again)

    def act(self, events: Sequence[e.Recorded]) -> None:
        """The effects of what was committed, in order."""
        for recorded in events:
            effect = _EFFECTS.get(type(recorded.event))
            if effect is not None:
                effect(self, recorded.event)

    def acknowledge(self, through: int) -> None:
        failpoint("before-acknowledge")
        self._bridge.acknowledge(through)
        failpoint("after-acknowledge")

    def heartbeat(self) -> None:
        with suppress(BridgeUnreachable):
            self._bridge.heartbeat(self.state.epoch)

    def stop_waits_s(self) -> dict[str, float]:
        now_s = self._monotonic()
        return {stop_id: now_s - asked_s for stop_id, asked_s in self._stop_asked_s.items()}

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
            self.doubts = (Doubt(dispatch_id=unsure, reason=LEDGER_LOST),)
        elif status.state == "unknown":
            self._bury(unsure)
        elif status.outcome is not None:
            self._undecided.append(self._ended(unsure, status.outcome, status))

    def _ended(self, dispatch_id: str, outcome: Outcome, status: DispatchStatus) -> Reports:
        """As the report that was lost would have told it, pictures and all."""
        return Reports(
            met_s=self.state.met_s,
            outcomes=(outcome,),
            pictures={dispatch_id: status.pictures} if status.pictures else {},
            views={dispatch_id: status.views} if status.views else {},
        )

    def _bury(self, dispatch_id: str) -> None:
        """The bridge never saw it. A cancel makes sure that it does not run should it still come."""
        try:
            self._bridge.cancel(self.state.epoch, dispatch_id)
            status = self._bridge.status(dispatch_id)
        except BridgeUnreachable:
            self._unsure = dispatch_id
            return
        if status.outcome is None:
            message = "The bridge never saw this step."
            self._undecided.append(self._not_executed(dispatch_id, "not_executed", message))
        else:
            self._undecided.append(self._ended(dispatch_id, status.outcome, status))

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


_EFFECTS: dict[type, Callable[[Helm, Any], None]] = {
    e.StepDispatched: Helm._submit,
    e.StepCancelAsked: Helm._cancel,
    e.StopAsked: Helm._stop,
    e.StopReleased: Helm._released,
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
        views={key: views for report in reports for key, views in report.views.items()},
        through=max([report.through for report in reports], default=0),
        robot_pose=reports[-1].robot_pose if reports else None,
        map=next((report.map for report in reversed(reports) if report.map is not None), None),
    )
