"""A running Quarterdeck for a browser: `quarterdeck serve` on a home of its own, with the missions a test
writes there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

STARTS_WITHIN_S = 60.0


@dataclass(frozen=True)
class Served:
    """`link` signs in once; `url` is the console's root. `pid`: of the supervisor."""

    link: str
    home: Path
    log: Path
    pid: int

    @property
    def url(self) -> str:
        return self.link.partition("/signin")[0]


def web_process(supervisor: int) -> int:
    """The process that answers browsers, a child of the supervisor; waited for while it is started anew."""
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline:
        for found in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((found / "stat").read_text().rpartition(")")[2].split()[1])
                is_web = b"backend.processes.web" in (found / "cmdline").read_bytes()
            except (OSError, ValueError, IndexError):
                continue  # it has ended meanwhile
            if parent == supervisor and is_web:
                return int(found.name)
        time.sleep(0.05)
    raise AssertionError("the supervisor keeps no web process")


@contextmanager
def served(home: Path, missions: dict[str, str]) -> Iterator[Served]:
    """`missions`: name -> YAML. The server has ended when this returns, and its children with it."""
    folder = home / "missions"
    folder.mkdir(parents=True)
    for name, text in missions.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    log = home / "serve.log"
    environment = {**os.environ, "QUARTERDECK_HOME": str(home)}
    command = [sys.executable, "-m", "backend.cli", "serve", "--port", "0"]
    with log.open("wb") as written:
        server = subprocess.Popen(command, stderr=written, stdout=written, env=environment)
    try:
        yield Served(_link(server, log), home, log, server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _link(server: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        found = re.search(r"http://\S+/signin\?\S+", log.read_text("utf-8"))
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {log.read_text('utf-8')[-2000:]}")
