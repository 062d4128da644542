"""A real bridge process and a client on its socket, for tests that kill, freeze and flood it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from robot_bridge import contract
from robot_bridge.world import Step
from tests.bridge.support import step_message

PATIENCE_S = 20.0
"""How long a busy machine may take before a test gives up; nothing waits that long otherwise."""


class Process:
    def __init__(self, home: Path, *options: str, environment: dict[str, str] | None = None) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "robot_bridge", "--home", str(home), "--seed", "1", *options],
            stdout=subprocess.PIPE,
            stderr=(home.parent / f"{home.name}.log").open("a"),
            text=True,
            env={**os.environ, **(environment or {})},
        )
        self.ready = json.loads(self._line())

    def _line(self) -> str:
        assert self.popen.stdout is not None
        readable, _, _ = select.select([self.popen.stdout], [], [], PATIENCE_S)
        assert readable, "the bridge did not come up"
        return self.popen.stdout.readline()

    def send_signal(self, number: int) -> None:
        os.kill(self.popen.pid, number)

    def kill(self) -> None:
        self.popen.kill()
        self.popen.wait(PATIENCE_S)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.send_signal(signal.SIGCONT)
        self.kill()
        assert self.popen.stdout is not None
        self.popen.stdout.close()


class Client:
    """One connection. Replies are matched by id; reports are collected on the way."""

    def __init__(self, connection: ClientConnection, epoch: int) -> None:
        self.connection = connection
        self.epoch = epoch
        self.reports: list[dict[str, Any]] = []
        self._id = 0

    def send(self, operation: str, **fields: Any) -> dict[str, Any]:
        self._id += 1
        self.connection.send(json.dumps({"op": operation, "id": self._id, **fields}))
        while True:
            message = self.receive()
            if "re" in message:
                assert message["re"] == self._id
                return contract.check_reply(operation, message)

    def receive(self, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        message = json.loads(self.connection.recv(timeout_s))
        if "report" in message:
            self.reports.append(contract.check_report(message))
        return message

    def wait_for(self, found: Callable[[dict[str, Any]], bool], beating: bool = False) -> dict[str, Any]:
        """The first report, of those heard before and yet to come, that is what the test waits for."""
        deadline_s = time.monotonic() + PATIENCE_S
        looked = 0
        while time.monotonic() < deadline_s:
            while looked < len(self.reports):
                if found(self.reports[looked]):
                    return self.reports[looked]
                looked += 1
            if beating:
                self.send("heartbeat", epoch=self.epoch)
            with contextlib.suppress(TimeoutError):
                self.receive(0.2)
        raise AssertionError(f"no such report among {self.reports}")

    def hello(self) -> dict[str, Any]:
        return self.send("hello", epoch=self.epoch, contract=contract.CONTRACT_VERSION)

    def submit(self, dispatch_id: str, step: Step) -> dict[str, Any]:
        return self.send("submit", epoch=self.epoch, dispatch_id=dispatch_id, step=step_message(step))

    def numbered(self) -> list[dict[str, Any]]:
        return [each for each in self.reports if each["report"]]


@contextlib.contextmanager
def bridge(home: Path, *options: str, environment: dict[str, str] | None = None) -> Iterator[Process]:
    process = Process(home, *options, environment=environment)
    try:
        yield process
    finally:
        process.close()


@contextlib.contextmanager
def client(process: Process, epoch: int = 1, token: str | None = None) -> Iterator[Client]:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    with connect(process.ready["address"], additional_headers=headers, max_size=None) as connection:
        yield Client(connection, epoch)


def is_kind(kind: str) -> Callable[[dict[str, Any]], bool]:
    return lambda report: report["kind"] == kind
