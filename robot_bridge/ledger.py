"""The bridge's own memory: what it was told, what it began, how it ended, and what it has not yet got rid of.

Two implementations keep this contract: `MemoryLedger` here, which forgets with its process, and
`robot_bridge.sqlite_ledger.SqliteLedger`, whose every write is on disk before it returns.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, Protocol

KEPT_EVIDENCE = 5_000
"""Evidence that so many later reports follow is dropped unfetched; outcomes, stops and trips never."""

Message = dict[str, Any]


class LedgerError(Exception):
    """The ledger did not take a write or cannot be read; nothing of the write was kept."""


class Dispatch(NamedTuple):
    """`state` is running or ended; `executions` counts how often the bridge began to move for it."""

    id: str
    epoch: int
    step: Message
    state: str
    executions: int
    begun_s: float
    outcome: Message | None


class Stop(NamedTuple):
    """`latched` until released; `confirmed` once standstill was measured for it."""

    id: str
    actor: str
    latched: bool
    confirmed: bool


class Ledger(Protocol):
    """`lost`: an earlier ledger of this robot is gone, and an unknown dispatch may have run all the same."""

    id: str
    lost: bool

    def transaction(self) -> AbstractContextManager[None]:
        """The writes within are kept all or none. A single write needs none around it."""

    def highest_epoch(self) -> int: ...

    def raise_epoch(self, epoch: int) -> None: ...

    def dispatch(self, dispatch_id: str) -> Dispatch | None: ...

    def running(self) -> Dispatch | None: ...

    def begin(self, dispatch_id: str, epoch: int, step: Message, met_s: float) -> None:
        """Record that this dispatch is about to move. Each call counts as one execution."""

    def end(self, dispatch_id: str, outcome: Message) -> None: ...

    def bury(self, dispatch_id: str, epoch: int, outcome: Message) -> None:
        """Record a dispatch that never came as ended, so that it does not run when it comes late."""

    def executions(self) -> dict[str, int]:
        """How often each dispatch was begun."""

    def stop(self, stop_id: str) -> Stop | None: ...

    def stop_ids(self) -> set[str]:
        """Of every stop ever latched."""

    def latched(self) -> tuple[Stop, ...]:
        """The stops in force, oldest first."""

    def latch(self, stop_id: str, actor: str) -> None: ...

    def confirm(self, stop_id: str) -> None: ...

    def release(self, stop_id: str) -> None: ...

    def report(self, kind: str, met_s: float, body: Message) -> Message:
        """Number a report and keep it until it is acknowledged. The report as it is to be sent."""

    def kept_reports(self, after: int) -> list[Message]: ...

    def last_report(self) -> int:
        """The highest number given so far; 0 before the first."""

    def acknowledge(self, through: int) -> None: ...

    def save_world(self, state: Message) -> None: ...

    def load_world(self) -> Message | None: ...

    def keep_history(self, rows: list[Any]) -> None:
        """Of the world's past, what is new; it stands beside what `save_world` writes over and over."""

    def history(self) -> list[Any]:
        """All of it, oldest first."""


class MemoryLedger:
    """A ledger that lives as long as its process: for tests, and for worlds that end with the process too."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self.lost = False
        self._epoch = 0
        self._dispatches: dict[str, Dispatch] = {}
        self._stops: dict[str, Stop] = {}
        self._reports: dict[int, Message] = {}
        self._last_report = 0
        self._world: Message | None = None
        self._history: list[Any] = []

    @contextmanager
    def transaction(self) -> Iterator[None]:
        yield

    def highest_epoch(self) -> int:
        return self._epoch

    def raise_epoch(self, epoch: int) -> None:
        self._epoch = max(self._epoch, epoch)

    def dispatch(self, dispatch_id: str) -> Dispatch | None:
        return self._dispatches.get(dispatch_id)

    def running(self) -> Dispatch | None:
        return next((each for each in self._dispatches.values() if each.state == "running"), None)

    def begin(self, dispatch_id: str, epoch: int, step: Message, met_s: float) -> None:
        known = self._dispatches.get(dispatch_id)
        executions = 1 if known is None else known.executions + 1
        self._dispatches[dispatch_id] = Dispatch(dispatch_id, epoch, step, "running", executions, met_s, None)

    def end(self, dispatch_id: str, outcome: Message) -> None:
        self._dispatches[dispatch_id] = self._dispatches[dispatch_id]._replace(state="ended", outcome=outcome)

    def bury(self, dispatch_id: str, epoch: int, outcome: Message) -> None:
        self._dispatches[dispatch_id] = Dispatch(
            dispatch_id, epoch, {}, "ended", 0, outcome["ended_s"], outcome
        )

    def executions(self) -> dict[str, int]:
        return {each.id: each.executions for each in self._dispatches.values()}

    def stop(self, stop_id: str) -> Stop | None:
        return self._stops.get(stop_id)

    def stop_ids(self) -> set[str]:
        return set(self._stops)

    def latched(self) -> tuple[Stop, ...]:
        return tuple(each for each in self._stops.values() if each.latched)

    def latch(self, stop_id: str, actor: str) -> None:
        self._stops[stop_id] = Stop(stop_id, actor, latched=True, confirmed=False)

    def confirm(self, stop_id: str) -> None:
        self._stops[stop_id] = self._stops[stop_id]._replace(confirmed=True)

    def release(self, stop_id: str) -> None:
        self._stops[stop_id] = self._stops[stop_id]._replace(latched=False)

    def report(self, kind: str, met_s: float, body: Message) -> Message:
        self._last_report += 1
        message = {"report": self._last_report, "kind": kind, "met_s": met_s, **body}
        self._reports[self._last_report] = message
        old = self._reports.get(self._last_report - KEPT_EVIDENCE)
        if old is not None and old["kind"] == "evidence":
            del self._reports[old["report"]]
        return message

    def kept_reports(self, after: int) -> list[Message]:
        return [message for n, message in self._reports.items() if n > after]

    def last_report(self) -> int:
        return self._last_report

    def acknowledge(self, through: int) -> None:
        for n in [n for n in self._reports if n <= through]:
            del self._reports[n]

    def save_world(self, state: Message) -> None:
        self._world = state

    def load_world(self) -> Message | None:
        return self._world

    def keep_history(self, rows: list[Any]) -> None:
        self._history += rows

    def history(self) -> list[Any]:
        return list(self._history)
