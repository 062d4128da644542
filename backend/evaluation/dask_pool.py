"""Episodes on a Dask cluster: its client gives an Executor. Needs the extra `dask`."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from backend.evaluation.errors import SchedulerLost, WrongStudy
from backend.evaluation.pools import WAITING_A_SLOT

CONNECT_S = 10.0
SILENT_S = 20.0
"""How long the scheduler may be gone before the sweep gives up."""


class DaskPool:
    """A worker that dies is the scheduler's business first: it plays the chunk elsewhere, some times over."""

    def __init__(self, address: str, *, monotonic: Callable[[], float]) -> None:
        """Raises SchedulerLost where none answers, WrongStudy where Dask is not installed."""
        self._address = address
        self._monotonic = monotonic
        self._client, self.lost = _connected(address)
        self._gone_since_s: float | None = None
        self.room = WAITING_A_SLOT

    def open(self) -> Executor:
        """Connects anew where the connection broke. Raises SchedulerLost."""
        if not self._is_there():
            self.leave()
            self._client, self.lost = _connected(self._address)
        try:
            self.room = WAITING_A_SLOT * max(1, sum(self._client.nthreads().values()))
            executor: Executor = self._client.get_executor(pure=False)
        except OSError as error:
            raise _scheduler_lost(self._address) from error
        return executor

    def close(self, executor: Executor) -> None:
        if self._is_there():
            with suppress(OSError):
                executor.shutdown(wait=False)

    def check(self) -> None:
        if self._is_there():
            self._gone_since_s = None
            return
        now_s = self._monotonic()
        if self._gone_since_s is None:
            self._gone_since_s = now_s
        if now_s - self._gone_since_s >= SILENT_S:
            raise _scheduler_lost(self._address)

    def leave(self) -> None:
        with suppress(OSError):
            self._client.close(timeout=1)

    def _is_there(self) -> bool:
        return bool(self._client.status == "running")


def _connected(address: str) -> tuple[Any, tuple[type[BaseException], ...]]:
    """A client, and what its futures raise when a task was given up or the connection broke."""
    try:
        from distributed import Client
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise WrongStudy(
            "Dask is not installed here.", field="--dask", remedy="Run: pip install 'quarterdeck[dask]'"
        ) from None
    _reach(address)
    # It logs tracebacks of what we tell in a sentence.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    connect: Any = Client
    try:
        return connect(address, timeout=CONNECT_S), (KilledWorker, CancelledError, CommClosedError)
    except (OSError, ValueError) as error:
        raise _scheduler_lost(address) from error


def _reach(address: str) -> None:
    """A client that finds nobody leaves a thread behind that gets in the way of the next one."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if not parts.hostname or not parts.port:
            raise ValueError(address)
        socket.create_connection((parts.hostname, parts.port), timeout=CONNECT_S).close()
    except (OSError, ValueError) as error:
        raise _scheduler_lost(address) from error


def _scheduler_lost(address: str) -> SchedulerLost:
    return SchedulerLost(
        f"No Dask scheduler answers at {address[:200]}.",
        field="--dask",
        remedy="Check that it runs and can be reached. What is finished is kept; the same command goes on.",
    )
