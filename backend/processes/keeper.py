"""Keeps one episode going: its bridge process and its runner process, each started anew when it dies.

A lock in the robot's folder makes sure that of several keepers on one home a single one does so.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from backend.bridge.addresses import TOKEN_VARIABLE, announce, robot_home, withdraw
from backend.bridge.channel import Address
from backend.bridge.worlds import ROBOTS, bridge_command
from backend.config import Settings
from backend.processes.child import Child
from backend.processes.exits import Exit
from backend.usecases.ordering import RunRequest

log = logging.getLogger(__name__)


BRIDGE_CANNOT_START = 2
"""The bridge's own exit code for that."""

BROKEN_AFTER = 5
"""A runner that broke so often in a row, each time at once, breaks over something that stays."""


class KeptElsewhere(Exception):
    """Another process does so already, on this home."""


class Keeper:
    """Raises KeptElsewhere when made.

    `logs`: the folder for the children's stderr; None leaves it the parent's.
    """

    def __init__(
        self, settings: Settings, episode: str, request: RunRequest, *, logs: Path | None = None
    ) -> None:
        self.episode = episode
        self.message = ""
        self._folder = robot_home(settings.home.absolute(), request.robot)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(self._folder / "keeper.lock", f"episode {episode}")
        token = secrets.token_urlsafe(24)
        environment = settings.environment()

        def ready(said: dict[str, Any]) -> None:
            announce(self._folder, Address(said["address"], token))

        world = request.mission.world
        self.bridge = Child(
            f"bridge {request.robot}",
            bridge_command(
                world,
                seed=request.seed,
                home=self._folder,
                oracle=request.mission.memory.entities == "oracle" or request.planner == "oracle",
                robots=settings.home.absolute() / ROBOTS,
            ),
            {**environment, TOKEN_VARIABLE: token},
            said=ready,
            log_file=None if logs is None else logs / f"{episode}.bridge.log",
        )
        runner = [sys.executable, "-m", "backend.processes.runner", "--episode", episode]
        self.runner = Child(
            f"runner {episode}",
            [*runner, "--holder", holder_of(settings)],
            environment,
            log_file=None if logs is None else logs / f"{episode}.runner.log",
        )

    def start(self) -> None:
        withdraw(self._folder)
        self.bridge.start()
        self.runner.start()

    def tend(self) -> Exit | None:
        """Start again what died. The runner's exit when the episode has ended, or no runner can help it."""
        code = self.bridge.poll()
        if code is not None:
            log.warning("%s ended with code %s and is started anew", self.bridge.name, code)
            withdraw(self._folder)
            if code == BRIDGE_CANNOT_START:
                self.message = self.bridge.last_line() or "The bridge cannot start; its log says why."
                return Exit.CANNOT_START
        code = self.runner.poll()
        if code == Exit.OK:
            return Exit.OK
        if code is not None:
            self.message = str(self.runner.last_words.get("message", ""))
            log.warning("%s ended with code %s and is started anew: %s", self.runner.name, code, self.message)
            if code in (Exit.BAD_INPUT, Exit.CANNOT_START, Exit.STORAGE, Exit.LEASE_TAKEN):
                self.start_when_due()
                return Exit(code)
            if code == Exit.BROKE and self.runner.unsettled >= BROKEN_AFTER:
                self.start_when_due()
                self.message = f"The runner broke {self.runner.unsettled} times in a row: {self.message}"
                return Exit.BROKE
        self.start_when_due()
        return None

    def start_when_due(self) -> None:
        self.bridge.start_when_due()
        self.runner.start_when_due()

    def end(self) -> None:
        """The runner first: it gives its lease back, and the robot is halted by a bridge that still runs."""
        self.runner.end()
        self.bridge.end()
        withdraw(self._folder)
        self._lock.close()


def holder_of(settings: Settings) -> str:
    """The same for every keeper of this home, so that a runner started anew need not wait for its
    predecessor's lease.
    """
    return f"{socket.gethostname()}:{settings.home.absolute()}"


@contextlib.contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Raises KeptElsewhere while another process holds the lock."""
    with _lock(path, what):
        yield


def _lock(path: Path, what: str) -> IO[bytes]:
    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise KeptElsewhere(
            f"Another Quarterdeck (process {_owner(path)}) keeps {what}. End it, or give another --home."
        ) from None
    path.write_text(str(os.getpid()))
    return file


def _owner(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip() or "unknown"
    except OSError:
        return "unknown"
