"""Where episodes are played: in this process, or on processes of this machine. Dask's is in `dask_pool`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from typing import Protocol

from backend.usecases.inline import InlineExecutor


class Pool(Protocol):
    """Opens an executor as often as one breaks. `room`: how many tasks it is given, waiting ones too."""

    @property
    def room(self) -> int: ...

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """What a future raises when its worker was lost, so that the task is to be done again."""

    def open(self) -> Executor: ...

    def close(self, executor: Executor) -> None:
        """Let what runs finish, and drop what waits."""

    def check(self) -> None:
        """Raises EvaluationError where the pool has silently stopped answering."""


WAITING_A_SLOT = 3
"""Tasks given to a worker at once: it must not run dry while results are stored."""


class InlinePool:
    room = 1
    lost = (BrokenExecutor,)

    def open(self) -> Executor:
        return InlineExecutor()

    def close(self, executor: Executor) -> None:
        """Nothing runs or waits."""

    def check(self) -> None:
        """It answers before it returns."""


class ProcessPool:
    """Worker processes that start clean, leave Ctrl-C to their parent, and end when it does."""

    lost = (BrokenExecutor,)

    def __init__(self, workers: int) -> None:
        self.room = WAITING_A_SLOT * workers
        self._workers = workers

    def open(self) -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, mp_context=context, initializer=_settle_in)

    def close(self, executor: Executor) -> None:
        executor.shutdown(wait=True, cancel_futures=True)

    def check(self) -> None:
        """A process that dies breaks the executor by itself."""


def pool_of(workers: int) -> Pool:
    return InlinePool() if workers == 1 else ProcessPool(workers)


def all_cores() -> int:
    """The processors that this process may use."""
    usable: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable is not None else os.cpu_count() or 1


def _settle_in() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A killed parent cannot tell its workers, and its queues do not close while they hold them open."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
