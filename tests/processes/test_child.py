"""A child is started, heard, started again after growing waits, ended in order, and dies with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.processes.child import Child

PATIENCE_S = 20.0
PYTHON = [sys.executable, "-c"]


def wait_for(condition: Callable[[], object]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


@pytest.fixture
def started() -> Iterator[list[Child]]:
    children: list[Child] = []
    yield children
    for child in children:
        child.end()


def test_what_it_says_as_json_is_heard_and_the_newest_kept(started: list[Child]) -> None:
    heard: list[object] = []
    say = "print('starting'); print('{\"n\": 1}'); print('{\"n\": 2}')"
    child = Child("talker", [*PYTHON, say], {}, said=heard.append)
    started.append(child)
    child.start()

    wait_for(lambda: len(heard) == 2)

    assert child.last_words == {"n": 2}


def test_one_that_dies_is_started_again_after_waits_that_grow(started: list[Child]) -> None:
    clock = [0.0]
    child = Child("failing", [*PYTHON, "raise SystemExit(3)"], {}, monotonic=lambda: clock[0])
    started.append(child)
    child.start()
    for wait_s in (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0):
        wait_for(lambda: child.poll() == 3)
        clock[0] += wait_s - 0.01
        child.start_when_due()
        assert child.pid is None, wait_s
        clock[0] += 0.02
        child.start_when_due()
        assert child.pid is not None, wait_s


def test_one_that_had_settled_is_started_again_soon(started: list[Child]) -> None:
    clock = [0.0]
    child = Child("failing", [*PYTHON, "raise SystemExit(3)"], {}, monotonic=lambda: clock[0])
    started.append(child)
    for _ in range(4):
        child.start()
        clock[0] += 11.0
        wait_for(lambda: child.poll() == 3)

    clock[0] += 0.11
    child.start_when_due()

    assert child.pid is not None


def test_it_is_asked_to_end_and_killed_when_it_does_not(started: list[Child], tmp_path: Path) -> None:
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('{}', flush=True); time.sleep(60)"
    ready: list[object] = []
    child = Child("deaf", [*PYTHON, deaf], {}, said=ready.append)
    started.append(child)
    child.start()
    wait_for(lambda: ready)
    pid = child.pid
    assert pid is not None

    child.end(within_s=0.2)

    assert child.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_stderr_goes_to_the_log_file(started: list[Child], tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    child = Child("logger", [*PYTHON, "import sys; sys.stderr.write('told')"], {}, log_file=log)
    started.append(child)
    child.start()

    wait_for(lambda: log.read_text() == "told")


def test_it_dies_with_its_parent_however_that_went(tmp_path: Path) -> None:
    parent = """
import sys, time
from backend.processes.child import Child
child = Child("sleeper", [sys.executable, "-c", "import time; print('{}', flush=True); time.sleep(60)"], {})
child.start()
while not child.last_words == {} or child.pid is None: time.sleep(0.01)
print(child.pid, flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([*PYTHON, parent], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    pid = int(process.stdout.readline())

    process.send_signal(signal.SIGKILL)
    process.wait()

    wait_for(lambda: not is_alive(pid))
    process.stdout.close()


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
