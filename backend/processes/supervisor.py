"""What `quarterdeck serve` does: keeps the web process and every wanted episode going, until it is told to
stop.

Running episodes are adopted at start and as they are ordered. Whatever dies is started anew, after a wait
that grows; a runner that lives and renews its lease no more is killed first.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from sqlalchemy import Engine

from backend.config import Settings
from backend.persistence.errors import PersistenceError
from backend.persistence.heads import runnerless
from backend.processes.child import Child
from backend.processes.exits import Exit
from backend.processes.keeper import Keeper, KeptElsewhere
from backend.usecases.ordering import RunRequest

log = logging.getLogger(__name__)

ROUND_S = 0.1
ADOPT_EVERY_S = 0.5
STARTING_S = 50.0
"""A runner that has just been started is not yet expected to hold its lease: on a busy machine its
imports alone may take half a minute, and killing it for that would start them over for ever."""


class Supervisor:
    """For the main thread: children die with the thread that started them. `logs`: see Keeper."""

    def __init__(
        self, settings: Settings, engine: Engine, web: Child | None, *, logs: Path | None = None
    ) -> None:
        self._settings = settings
        self._engine = engine
        self._web = web
        self._logs = logs
        self._keepers: dict[str, Keeper] = {}
        self._started_s: dict[str, float] = {}
        self._adopted_s = 0.0
        self._refused: set[str] = set()

    def run(self, is_over: Callable[[], bool]) -> None:
        try:
            if self._web is not None:
                self._web.start()
            while not is_over():
                self._round()
                time.sleep(ROUND_S)
        finally:
            self._end()

    def _round(self) -> None:
        now_s = time.monotonic()
        if now_s - self._adopted_s >= ADOPT_EVERY_S:
            self._adopted_s = now_s
            self._adopt(now_s)
        for episode, keeper in list(self._keepers.items()):
            if keeper.tend() is Exit.OK:
                log.info("episode %s has ended", episode)
                self._drop(episode)
        if self._web is not None:
            code = self._web.poll()
            if code is not None:
                log.warning("the web process ended with code %s and is started anew", code)
            self._web.start_when_due()

    def _adopt(self, now_s: float) -> None:
        """Start a runner for each wanted episode that has none, and replace one that hangs."""
        try:
            orders = runnerless(self._engine)
        except PersistenceError as error:
            log.error("the list of episodes cannot be read: %s", error)
            return
        for order in orders:
            keeper = self._keepers.get(order.episode)
            if keeper is not None:
                self._replace_if_hung(order.episode, keeper, now_s)
            elif order.episode not in self._refused:
                self._keep(order.episode, order.request, now_s)

    def _replace_if_hung(self, episode: str, keeper: Keeper, now_s: float) -> None:
        if now_s - self._started_s[episode] > self._settings.lease_s + STARTING_S:
            log.warning("the runner of %s lives and holds no lease; it is killed", episode)
            keeper.runner.signal(signal.SIGKILL)
            self._started_s[episode] = now_s

    def _keep(self, episode: str, request: object, now_s: float) -> None:
        try:
            keeper = Keeper(self._settings, episode, msgspec.convert(request, RunRequest), logs=self._logs)
        except KeptElsewhere:
            return
        except (msgspec.ValidationError, OSError) as error:
            log.error("episode %s cannot be run here: %s", episode, error)
            self._refused.add(episode)
            return
        log.info("episode %s is given a runner", episode)
        keeper.start()
        self._keepers[episode] = keeper
        self._started_s[episode] = now_s

    def _drop(self, episode: str) -> None:
        self._keepers.pop(episode).end()
        self._started_s.pop(episode)

    def _end(self) -> None:
        log.info("stopping")
        for episode in list(self._keepers):
            self._drop(episode)
        if self._web is not None:
            self._web.end()
