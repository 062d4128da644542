"""The port Bridge over a WebSocket to the bridge process of one robot (`robot_bridge/contract.py`).

A thread reads; what it hears waits until `poll`. Every connection begins with `hello` under the runner's
epoch and with `resume`, so that nothing that was reported meanwhile is lost, and nothing is heard twice.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

import msgspec

from backend.bridge.channel import REPLY_S, Address, Channel, Message
from backend.bridge.messages import (
    evidence_in,
    outcome_in,
    pictures_in,
    shown_in,
    step_message,
    stopped_in,
    views_in,
)
from backend.bridge.translate import hello_from, map_in, picture_in
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.plans.plan import Step
from backend.usecases.ports import BridgeRefused, BridgeUnreachable, DispatchStatus, Hello, Picture, Reports
from robot_bridge.contract import CONTRACT_VERSION

log = logging.getLogger(__name__)

FENCED = "stale_epoch"
"""The bridge's code for a runner that another has taken over from."""
SILENT_S = 3.0
"""The bridge speaks once a second at least; a line that has been silent for so long is cut and made again."""

EVIDENCE_AT_ONCE = 200
"""Pieces that one poll gives, where the clock runs: more would keep a hold or a heartbeat waiting."""

OnTelemetry = Callable[[float, Sequence[Message]], None]
"""(met_s, the contract's ROBOT_NOW of each robot); called from the channel's thread."""


class LinkBridge:
    """`find` says where the bridge listens. `on_news` is called when `poll` has something new to give.

    Raises BridgeUnreachable within `reply_s`, and BridgeRefused with code `FENCED` once another runner has
    the robot.
    """

    def __init__(
        self,
        find: Callable[[], Address],
        *,
        on_telemetry: OnTelemetry | None = None,
        on_news: Callable[[], None] = lambda: None,
        reply_s: float = REPLY_S,
    ) -> None:
        self._channel = Channel(find, self, reply_s=reply_s)
        self._reply_s = reply_s
        self._on_telemetry = on_telemetry
        self._on_news = on_news
        self._lock = threading.Lock()
        self._waiting: list[Message] = []
        self._epoch = 0
        self._hello: Hello | None = None
        self._waits = False
        self._running: str | None = None
        self._met_s = 0.0
        self._robot_pose: Pose | None = None
        self._through = 0
        self._relinked: tuple[str, ...] | None = None
        self._missed = False
        self._given = 0
        self._sent = ("", "")
        self._trips: dict[str, str] = {}
        self._refusal: BridgeRefused | None = None

    @property
    def age_s(self) -> float:
        """How long ago the robot was last heard of."""
        return self._channel.age_s

    @property
    def is_open(self) -> bool:
        return self._channel.is_open

    @property
    def moves_when_polled(self) -> bool:
        """A world that waits takes its next step in `poll`: there is a reason to call it at once."""
        return self._waits and self._running is not None

    def hello(self, epoch: int) -> Hello:
        """Connects under `epoch`, once. Raises BridgeUnreachable when that fails, and may be called again."""
        if self._epoch == 0:
            self._epoch = epoch
            self._channel.open()
        deadline_s = time.monotonic() + self._reply_s
        while self._refusal is None and not self._channel.wait_open(0.02):
            if time.monotonic() > deadline_s:
                break
        if self._refusal is not None:
            raise self._refusal
        if self._hello is None or not self._channel.is_open:
            raise BridgeUnreachable(f"The bridge cannot be reached: {self._channel.why_not}.")
        return self._hello

    def close(self) -> None:
        self._channel.close()

    def submit(
        self, epoch: int, dispatch_id: str, step: Step, goal: Pose | None, cameras: tuple[str, ...]
    ) -> None:
        message = step_message(step, goal, cameras)
        with self._lock:
            self._running = dispatch_id
            self._sent = (dispatch_id, "" if self._hello is None else self._hello.ledger_id)
        try:
            self._channel.ask("submit", epoch=epoch, dispatch_id=dispatch_id, step=message)
        except BridgeRefused as refusal:
            self._ended(dispatch_id)
            self._note(refusal)
            raise

    def cancel(self, epoch: int, dispatch_id: str) -> None:
        self._channel.ask("cancel", epoch=epoch, dispatch_id=dispatch_id)

    def status(self, dispatch_id: str) -> DispatchStatus:
        reply = self._channel.ask("status", dispatch_id=dispatch_id)
        if reply["state"] == "running":
            self._running = dispatch_id
        else:
            self._ended(dispatch_id)
        outcome = reply["outcome"]
        pictures, views = shown_in(outcome)
        return DispatchStatus(
            state=reply["state"],
            ledger_intact=reply["ledger"] == "intact" and not self._is_other_ledger(dispatch_id),
            outcome=None if outcome is None else outcome_in(outcome),
            pictures=pictures,
            views=views,
        )

    def _is_other_ledger(self, dispatch_id: str) -> bool:
        """A new ledger, whole as it is, knows nothing of what was sent to the one before."""
        sent_id, ledger_id = self._sent
        return sent_id == dispatch_id and self._hello is not None and self._hello.ledger_id != ledger_id

    def stop(self, stop_id: str, by: str) -> None:
        self._channel.ask("stop", stop_id=stop_id, actor=by)

    def release(self, epoch: int, stop_id: str) -> None:
        self._channel.ask("release", epoch=epoch, stop_id=stop_id)

    def poll(self) -> Reports:
        if self._refusal is not None:
            raise self._refusal
        if self._channel.is_open and self._channel.age_s > SILENT_S:
            self._channel.cut()
        if self._missed:
            self._ask_anew()
        if self.moves_when_polled:
            self._advance()
        with self._lock:
            waiting, self._waiting = self._due()
            relinked, self._relinked = self._relinked, None
        if not waiting and relinked is None and not self._channel.is_open:
            raise BridgeUnreachable(f"The bridge cannot be reached: {self._channel.why_not}.")
        if self._waiting:
            self._on_news()
        return self._reports(waiting, relinked)

    def acknowledge(self, through: int) -> None:
        """A lost acknowledgement is made up for by the next."""
        self._channel.post("acknowledge", through=through)

    def heartbeat(self, epoch: int) -> None:
        self._channel.post("heartbeat", epoch=epoch)

    def demonstration(self, first: int, count: int) -> tuple[Picture, ...]:
        reply = self._channel.ask("demonstration", first=first, count=count)
        try:
            return tuple(picture_in(frame) for frame in reply["frames"])
        except ValueError as error:
            raise BridgeRefused("bad_demonstration", f"The demonstration cannot be read: {error}.") from error

    # What the channel calls, from its own thread.

    def greet(self, channel: Channel) -> None:
        try:
            reply = channel.ask_in_greeting("hello", epoch=self._epoch, contract=CONTRACT_VERSION)
            latched = tuple(reply["latched"])
            hello = hello_from(reply, reply["met_s"], reply["ledger_id"], latched, reply["tick_s"])
        except BridgeRefused as refusal:
            self._note(refusal)
            raise
        with self._lock:
            known, self._hello = self._hello, hello
            self._waits = reply["clock"] == "waits"
            self._put_map({"report": 0, "kind": "map", "map": reply["site"]["map"]})
            self._met_s = reply["met_s"]
            if known is not None and known.ledger_id != hello.ledger_id:
                self._through = self._given = 0
                for message in self._waiting:
                    message["report"] = 0  # the new ledger's count begins again
        channel.ask_in_greeting("resume", after=self._through)
        if known is not None:
            with self._lock:
                self._relinked = hello.latched
            self._on_news()

    def report(self, message: Message) -> None:
        number, kind = message["report"], message["kind"]
        with self._lock:
            self._met_s = message["met_s"]
            if kind == "map":
                self._put_map(message)
            elif 0 < number <= self._through:
                return
            elif number:
                self._through = number
                self._waiting.append(message)
        if kind == "outcome":
            self._ended(message["outcome"]["dispatch_id"])
        if kind == "telemetry":
            self._robot_now(message["met_s"], message["robots"])
        if number or kind == "map":
            self._on_news()

    def _robot_now(self, met_s: float, robots: Sequence[Message]) -> None:
        hello = self._hello
        mine = [each for each in robots if hello is not None and each["name"] == hello.robot]
        if mine:
            self._robot_pose = msgspec.convert(mine[0]["pose"], Pose)
        if self._on_telemetry is not None:
            self._on_telemetry(met_s, robots)

    def _put_map(self, message: Message) -> None:
        if not self._waits:
            self._waiting = [each for each in self._waiting if each["kind"] != "map"] + [message]

    def fault(self, problem: str) -> None:
        """What was skipped may have been an outcome or a stop: the next poll asks."""
        log.warning("the bridge sent what breaks the contract; it is skipped: %s", problem)
        self._missed = self._hello is not None
        self._on_news()

    def refused(self, operation: str, refusal: BridgeRefused) -> None:
        log.warning("the bridge refused %s: %s", operation, refusal)
        self._note(refusal)
        self._on_news()

    def _note(self, refusal: BridgeRefused) -> None:
        if refusal.code == FENCED:
            self._refusal = refusal

    def _due(self) -> tuple[list[Message], list[Message]]:
        """What this poll gives and what waits for the next, both in order.

        Outcomes and stops wait for nothing, but what came before them is not acknowledged past what waits.
        """
        evidence = [message for message in self._waiting if message["kind"] == "evidence"]
        if self._waits or len(evidence) <= EVIDENCE_AT_ONCE:
            return self._waiting, []
        later = evidence[EVIDENCE_AT_ONCE:]
        kept = {id(message) for message in later}
        return [message for message in self._waiting if id(message) not in kept], later

    def _ask_anew(self) -> None:
        """Which stops are in force now: those of the greeting may have been released since."""
        latched: tuple[str, ...] = ()
        try:
            reply = self._channel.ask("hello", epoch=self._epoch, contract=CONTRACT_VERSION)
            latched = tuple(reply["latched"])
        except BridgeRefused as refusal:
            self._note(refusal)
        except BridgeUnreachable as error:
            log.warning("which stops are in force is not known: %s", error)
        self._missed = False
        with self._lock:
            if self._relinked is None:
                self._relinked = latched

    def _advance(self) -> None:
        """One step of the world. Its reports are here when the reply is."""
        try:
            reply = self._channel.ask("advance", epoch=self._epoch)
        except BridgeUnreachable:
            return
        except BridgeRefused as refusal:
            self._note(refusal)
            self._running = None
            return
        self._met_s = reply["met_s"]

    def _ended(self, dispatch_id: str) -> None:
        with self._lock:
            if self._running == dispatch_id:
                self._running = None

    def _reports(self, waiting: list[Message], relinked: tuple[str, ...] | None) -> Reports:
        evidence: list[Evidence] = []
        outcomes, stopped, grid = [], [], None
        pictures: dict[str, tuple[Picture, ...]] = {}
        views: dict[str, tuple[Picture, ...]] = {}
        for message in waiting:
            kind = message["kind"]
            try:
                if kind == "evidence":
                    evidence.append(evidence_in(message["evidence"]))
                elif kind == "outcome":
                    outcome = outcome_in(message["outcome"])
                    outcomes.append(outcome)
                    pictures[outcome.dispatch_id] = pictures_in(message["outcome"])
                    views[outcome.dispatch_id] = views_in(message["outcome"])
                elif kind == "stopped" and message["standstill"]:
                    stopped.append(stopped_in(message, self._trips))
                elif kind == "map" and self._hello is not None:
                    grid = map_in(message["map"], self._hello.site.map)
                elif kind == "watchdog":
                    silent_s = message["silent_s"]
                    self._trips[message["stop_id"]] = (
                        f"Watchdog: nothing heard of the runner for {silent_s:.1f} s"
                    )
            except (msgspec.ValidationError, ValueError) as error:
                self.fault(f"report {message['report']}: {error}")
        return Reports(
            met_s=self._met_s,
            evidence=tuple(evidence),
            outcomes=tuple(outcomes),
            stopped=tuple(stopped),
            pictures={dispatch: kept for dispatch, kept in pictures.items() if kept},
            views={dispatch: kept for dispatch, kept in views.items() if kept},
            through=self._done_through(waiting),
            robot_pose=self._robot_pose,
            map=grid,
            age_s=self._channel.age_s,
            relinked=relinked,
        )

    def _done_through(self, given: list[Message]) -> int:
        """The last report up to which none waits; 0 where this poll gives none."""
        self._given = max([self._given, *[message["report"] for message in given]])
        with self._lock:
            first_waiting = min((message["report"] for message in self._waiting), default=self._given + 1)
        return max(0, min(self._given, first_waiting - 1)) if given else 0
