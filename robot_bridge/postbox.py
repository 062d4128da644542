"""Reports on their way out: written to the ledger first, then sent, kept until acknowledged."""

from __future__ import annotations

from typing import Any

from robot_bridge import wire
from robot_bridge.ledger import Ledger, Message
from robot_bridge.world import Outcome, Sighting


class Postbox:
    """What was posted waits until a write succeeds: a ledger that fails for a while loses nothing."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._unwritten: list[tuple[str, Message]] = []
        self._outbox: list[Message] = []

    @property
    def is_behind(self) -> bool:
        return bool(self._unwritten)

    def latch(self, stop_id: str, actor: str) -> None:
        """No report by itself: the ledger is to know of the stop in the same write as of what it ended."""
        self._unwritten.append(("latch", {"stop_id": stop_id, "actor": actor}))

    def stopped(self, stop_id: str, actor: str, measured: Message) -> None:
        body = {"stop_id": stop_id, "actor": actor, "standstill": True, "measured": measured}
        self._unwritten.append(("stopped", body))

    def tripped(self, stop_id: str, silent_s: float, measured: Message) -> None:
        body = {"stop_id": stop_id, "silent_s": round(silent_s, 3), "measured": measured}
        self._unwritten.append(("watchdog", body))

    def ended(self, dispatch_id: str, outcome: Outcome) -> None:
        self._unwritten.append(("outcome", {"outcome": wire.outcome(dispatch_id, outcome)}))

    def sighted(self, sightings: list[Sighting]) -> None:
        self._unwritten += [("evidence", {"evidence": wire.evidence(each)}) for each in sightings]

    def passed(self, rows: list[Any]) -> None:
        """Of the world's past, what is new. It is reported to nobody."""
        if rows:
            self._unwritten.append(("history", {"rows": rows}))

    def write(self, met_s: float, world: Message) -> None:
        """Everything unwritten, and the state of the world that brought it about, in one transaction."""
        with self._ledger.transaction():
            written = [self._written(kind, met_s, body) for kind, body in self._unwritten]
            self._ledger.save_world(world)
        self._unwritten.clear()
        self._outbox += [report for report in written if report is not None]

    def send_unkept(self, report: Message) -> None:
        """Telemetry: the next one makes up for one that was lost."""
        self._outbox.append(report)

    def drain(self) -> list[Message]:
        outbox, self._outbox = self._outbox, []
        return outbox

    def _written(self, kind: str, met_s: float, body: Message) -> Message | None:
        if kind == "latch":
            self._ledger.latch(body["stop_id"], body["actor"])
            return None
        if kind == "history":
            self._ledger.keep_history(body["rows"])
            return None
        if kind == "outcome":
            self._ledger.end(body["outcome"]["dispatch_id"], body["outcome"])
        if kind == "stopped":
            self._ledger.confirm(body["stop_id"])
        return self._ledger.report(kind, met_s, body)
