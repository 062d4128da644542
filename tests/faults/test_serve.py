"""`quarterdeck serve`: what dies is started anew, running episodes are adopted, and it ends in good order."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from backend.bootstrap import DATABASE, open_engine
from backend.config import load_settings
from backend.persistence.reader import SqlReader
from backend.processes.exits import Exit
from backend.usecases.reading import Entry, EpisodeSummary
from tests.cli.program import clean_environment
from tests.support.homes import new_home

PATIENCE_S = 120.0
YARD = """
name: yard
title: Six containers, and a person who never decides
goal: Bring every container to its station.
completion: All stand at their stations.
world: {name: grid, scenario: s-6, clock: runs, tick_s: 0.2}
policy: every_plan
"""


class Serving:
    """A running `serve`, and what can be seen of it from outside."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home = home
        self.reader = SqlReader(opened(home))
        self.log = home / "serve.log"
        self.written = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "backend.cli", "serve", "--port", "0", *options],
                env={**clean_environment(), "QUARTERDECK_HOME": str(home), "QUARTERDECK_LEASE_S": "2"},
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def url(self) -> str:
        found = wait_for(lambda: re.search(r"http://127\.0\.0\.1:\d+", self.told()), self.told)
        return found.group()

    def told(self) -> str:
        with self.log.open() as log:
            log.seek(self.written)
            return log.read()

    def child(self, module: str) -> int:
        """The process id of the child that runs `module`, once it has taken the place of its tether."""
        return wait_for(lambda: next(iter(self._children(module)), None), self.told)

    def _children(self, module: str) -> Iterator[int]:
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
                command = stat.with_name("cmdline").read_bytes().split(b"\0")
            except (OSError, IndexError):
                continue
            if parent == self.process.pid and module.encode() in command and b"-S" not in command:
                yield int(stat.parent.name)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url()}/healthz", timeout=PATIENCE_S) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False

    def episode(self) -> EpisodeSummary | None:
        found = self.reader.episodes()
        return found[0] if found else None

    def runners(self) -> list[Entry]:
        found = self.episode()
        if found is None:
            return []
        return self.reader.events(found.episode, kinds=["runner.started"], limit=None)

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


def opened(home: Path) -> Engine:
    """The home's database; with a mission of its own, where the home is new."""
    if (home / DATABASE).exists():
        return open_engine(load_settings(home=home))
    _, engine = new_home(home)
    (home / "missions").mkdir()
    (home / "missions" / "yard.yaml").write_text(YARD)
    return engine


def wait_for(found: Callable[[], Any], told: Callable[[], str]) -> Any:
    """What `found` returns, once it is something."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not (value := found()):
        assert time.monotonic() < deadline_s, told()
        time.sleep(0.05)
    return value


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serve") / "home"


def test_what_is_killed_comes_back_and_the_episode_goes_on(home: Path) -> None:
    """In one go, as each part takes seconds: web, runner, the whole of it, and a clean end."""
    serving = Serving(home, "--start", "yard")
    try:
        wait_for(lambda: "/signin?" in serving.told(), serving.told)
        wait_for(serving.answers, serving.told)
        wait_for(lambda: serving.runners(), serving.told)

        web = serving.child("backend.processes.web")
        os.kill(web, signal.SIGKILL)
        # The listening socket is the parent's: the request waits for the new process, and is answered.
        wait_for(serving.answers, serving.told)
        assert serving.child("backend.processes.web") != web
        assert len(serving.runners()) == 1

        os.kill(serving.child("backend.processes.runner"), signal.SIGKILL)
        wait_for(lambda: len(serving.runners()) == 2, serving.told)

        modules = ("backend.processes.web", "backend.processes.runner", "robot_bridge")
        children = [serving.child(module) for module in modules]
        serving.process.kill()
        serving.process.wait()
        wait_for(lambda: all(is_gone(pid) for pid in children), serving.told)
    finally:
        serving.process.kill()
        serving.process.wait()

    again = Serving(home, "--start", "yard")
    try:
        wait_for(lambda: len(again.runners()) == 3, again.told)
        assert len(again.reader.episodes()) == 1, "it goes on with the episode of the same mission"
        episode = again.episode()
        assert episode is not None
        assert episode.outcome is None
        assert "another Quarterdeck" not in again.told()
        assert again.end() == 0
    finally:
        again.process.kill()
        again.process.wait()
    assert again.reader.episode(episode.episode).held_by == ""


def test_two_of_them_do_not_share_a_home(home: Path) -> None:
    first = Serving(home)
    try:
        wait_for(first.answers, first.told)
        second = Serving(home)
        assert second.process.wait(PATIENCE_S) == Exit.CANNOT_START
        assert "keeps home" in second.told()
        assert first.answers()
    finally:
        assert first.end() == 0
