"""The child from this side: started, fed and listened to, started again after a wait that grows, killed when
it does not go.

A thread reads its frames; what came is taken with `take`. No method blocks for longer than a pipe is full,
and a child that does not read is killed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from robot_bridge.contract import ContractError
from robot_bridge.ros.child import launch
from robot_bridge.ros.child.framing import FramingError, frames, pack
from robot_bridge.ros.child.messages import TO_PARENT, VERSION, check
from robot_bridge.ros.places import RosPlace

log = logging.getLogger(__name__)

FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 0.1, 2.0
SETTLED_S = 5.0
GRACE_S = 10.0
"""More than the child's own last stop may take."""
SILENT_S = 3.0
"""It speaks 20 times a second; one that is silent for so long hangs, and is killed."""
STARTING_S = 20.0
BEAT_EVERY_S = 0.25
STREAMS = ("state", "map")
MOST_WAITING = 5_000

Message = dict[str, Any]


class Child:
    """`configuration`: what it is sent first. `monotonic` injected, for its waits."""

    def __init__(
        self,
        place: RosPlace,
        configuration: Message,
        environment: Mapping[str, str],
        *,
        log_file: Path | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = [place.python, launch.__file__, "robot_bridge.ros.child"]
        self._environment = {**place.environment(), **environment}
        self._configuration = configuration
        self._log_file = log_file
        self._monotonic = monotonic
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._streams: dict[str, tuple[Message, bytes]] = {}
        self._kept: list[tuple[Message, bytes]] = []
        self._heard_s = 0.0
        self._started_s = 0.0
        self._beaten_s = 0.0
        self._backoff_s = FIRST_BACKOFF_S
        self._not_before_s = 0.0
        self._ending_s: float | None = None
        self._is_told = False
        """Why the present one ends is known."""
        self.has_begun = True
        self.is_ready = False
        self.lives = 0
        """How often one has become ready."""
        self.why_not = "it has not been started yet"

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def begin(self) -> None:
        """Somebody asked for the robot. A robot is there whoever asks."""

    def tend(self) -> None:
        """Start it when due, beat, and end one that hangs or has lost its pipe. Several times a second."""
        now_s = self._monotonic()
        process = self._process
        if process is None:
            if now_s >= self._not_before_s:
                self._start(now_s)
            return
        if process.poll() is not None:
            self._gone(process, now_s)
            return
        if self._ending_s is not None:
            if now_s - self._ending_s > GRACE_S:
                log.warning("the ROS side did not end within %g s and is killed", GRACE_S)
                process.kill()
            return
        allowed_s = SILENT_S if self.is_ready else STARTING_S
        if now_s - max(self._heard_s, self._started_s) > allowed_s:
            self._give_up(f"it has said nothing for {allowed_s:g} s")
            process.kill()
        elif now_s - self._beaten_s >= BEAT_EVERY_S:
            self._beaten_s = now_s
            self.send("beat")

    def send(self, kind: str, **fields: Any) -> bool:
        """False when it cannot be sent: then nothing of it was."""
        process = self._process
        if process is None or process.stdin is None or self._ending_s is not None:
            return False
        try:
            data = pack({"kind": kind, **fields})
            if os.write(process.stdin.fileno(), data) < len(data):
                raise FramingError("it is full")  # half a frame went: what follows cannot be read
        except (OSError, ValueError, FramingError) as error:  # ValueError: closed by its listener just now
            self._give_up(f"its pipe takes nothing: {error}")
            return False
        return True

    def take(self) -> list[tuple[Message, bytes]]:
        """What came since the last call: of each stream the latest, of everything else all, in order."""
        with self._lock:
            kept, self._kept = self._kept, []
            streams, self._streams = self._streams, {}
        return kept + list(streams.values())

    def close(self) -> None:
        """Close its pipe, so that it stops the robot and ends; wait for it no longer than the grace."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self, now_s: float) -> None:
        self._started_s, self.is_ready, self._ending_s, self._is_told = now_s, False, None, False
        stderr = subprocess.DEVNULL if self._log_file is None else self._log_file.open("ab")
        try:
            self._process = process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=self._environment,
                bufsize=0,
            )
        except OSError as error:
            self.why_not = f"it cannot be started: {error}"
            self._wait(now_s)
            return
        finally:
            if not isinstance(stderr, int):
                stderr.close()
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        threading.Thread(target=self._listen, args=(process,), name="ROS side", daemon=True).start()
        self._configure(process)

    def _configure(self, process: subprocess.Popen[bytes]) -> None:
        """The configuration may be longer than a pipe takes at once; the child reads it as it comes."""
        assert process.stdin is not None
        data = memoryview(pack({"kind": "configure", "version": VERSION, "robot": self._configuration}))
        until_s = time.monotonic() + 5.0
        while data and time.monotonic() < until_s and process.poll() is None:
            try:
                data = data[os.write(process.stdin.fileno(), data) :]
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                return

    def _gone(self, process: subprocess.Popen[bytes], now_s: float) -> None:
        log.warning("the ROS side ended with code %s: %s", process.returncode, self.why_not)
        if not self._is_told:
            where = "" if self._log_file is None else f"; {self._log_file.name} may say why"
            self.why_not = f"it ended with code {process.returncode} and is started anew{where}"
        if now_s - self._started_s > SETTLED_S:
            self._backoff_s = FIRST_BACKOFF_S
        if process.stdin is not None:
            process.stdin.close()
        self._process, self.is_ready = None, False
        self._wait(now_s)

    def _wait(self, now_s: float) -> None:
        self._not_before_s = now_s + self._backoff_s
        self._backoff_s = min(2 * self._backoff_s, LONGEST_BACKOFF_S)

    def _give_up(self, reason: str) -> None:
        """Its pipe is closed, which stops the robot; `tend` sees to the rest."""
        if self._ending_s is not None or self._process is None:
            return
        log.warning("the ROS side is given up: %s", reason)
        self.why_not, self.is_ready, self._is_told = reason, False, True
        self._ending_s = self._monotonic()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout:
            try:
                for message, blob in frames(process.stdout.fileno()):
                    self._heard(process, check(message, TO_PARENT), message, blob)
            except (FramingError, ContractError, OSError) as error:
                if process is self._process and process.poll() is None:
                    self._give_up(f"it sent what breaks the protocol: {error}")

    def _heard(self, process: subprocess.Popen[bytes], kind: str, message: Message, blob: bytes) -> None:
        with self._lock:
            if process is not self._process:
                return
            self._heard_s = self._monotonic()
            if kind == "ready":
                self.is_ready, self.why_not = True, ""
                self.lives += 1
            elif kind == "bye":
                self.is_ready, self.why_not, self._is_told = False, str(message["reason"]), True
            elif kind in STREAMS:
                self._streams[kind] = (message, blob)
            elif len(self._kept) < MOST_WAITING or kind != "detections":
                self._kept.append((message, blob))
