"""An Executor whose threads no process waits for: a what-if may ask for minutes, and its server end at any
time. What it had not kept by then is lost, and its row says so after a while."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Daemons(Executor):
    """At most `most` at a time, each in a daemon thread of its own; the others wait."""

    def __init__(self, most: int, name: str) -> None:
        self._places = threading.Semaphore(most)
        self._name = name

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def work() -> None:
            with self._places:
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    future.set_exception(error)

        threading.Thread(target=work, name=self._name, daemon=True).start()
        return future
