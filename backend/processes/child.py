"""One child process: started, listened to, started again after a wait that grows, and ended in good order.

What a child prints on stdout is one JSON object a line, and the newest is kept: a bridge's address, a
runner's last words. Its stderr is the parent's, or a log file's.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from backend.processes import tether

log = logging.getLogger(__name__)

FIRST_BACKOFF_S = 0.1
LONGEST_BACKOFF_S = 5.0
SETTLED_S = 10.0
"""One that has lived so long is no longer failing to start."""
TERMINATION_S = 5.0
LAST_WORDS_S = 1.0
"""How long what an ended child still said may take to be read."""


class Child:
    """Start from the main thread only: the tether breaks when the thread that started the child ends."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        said: Callable[[dict[str, Any]], None] = lambda said: None,
        log_file: Path | None = None,
        pass_fds: Sequence[int] = (),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._command = command
        self._environment = environment
        self._said = said
        self._log_file = log_file
        self._pass_fds = pass_fds
        self._monotonic = monotonic
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._started_s = 0.0
        self._backoff_s = FIRST_BACKOFF_S
        self._not_before_s = 0.0
        self.last_words: dict[str, Any] = {}
        self.unsettled = 0
        """How often in a row it has ended before it had settled."""

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        self.last_words = {}
        self._started_s = self._monotonic()
        tethered = [sys.executable, "-I", "-S", tether.__file__, str(os.getpid()), *self._command]
        stderr = None if self._log_file is None else self._log_file.open("ab")
        try:
            self._process = subprocess.Popen(
                tethered,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env={**os.environ, **self._environment},
                pass_fds=self._pass_fds,
                process_group=0,  # Ctrl-C reaches the parent alone, which ends its children in order
            )
        finally:
            if stderr is not None:
                stderr.close()
        self._reader = threading.Thread(target=self._listen, args=(self._process,), daemon=True)
        self._reader.start()

    def poll(self) -> int | None:
        """The exit code of one that has ended since the last call; None while it runs, or waits to be started
        anew.
        """
        if self._process is None:
            return None
        code = self._process.poll()
        if code is None:
            return None
        self._process = None
        if self._reader is not None:
            self._reader.join(LAST_WORDS_S)
        now_s = self._monotonic()
        self.unsettled += 1
        if now_s - self._started_s > SETTLED_S:
            self._backoff_s = FIRST_BACKOFF_S
            self.unsettled = 0
        self._not_before_s = now_s + self._backoff_s
        self._backoff_s = min(2 * self._backoff_s, LONGEST_BACKOFF_S)
        return code

    def start_when_due(self) -> None:
        if self._process is None and self._monotonic() >= self._not_before_s:
            self.start()

    def last_line(self) -> str:
        """Of its log file; empty where stderr is the parent's."""
        if self._log_file is None:
            return ""
        lines = self._log_file.read_text("utf-8", "replace").splitlines()
        return lines[-1] if lines else ""

    def signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def end(self, within_s: float = TERMINATION_S) -> None:
        """SIGTERM, and SIGKILL for one that does not go in time."""
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(within_s)
        except subprocess.TimeoutExpired:
            log.warning("%s did not end within %g s and is killed", self.name, within_s)
            process.kill()
            process.wait()
        self._process = None

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                try:
                    said = json.loads(line)
                except ValueError:
                    said = None
                if isinstance(said, dict):
                    self.last_words = said
                    self._said(said)
