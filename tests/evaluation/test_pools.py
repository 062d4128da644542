"""Worker processes: they end with their parent, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

BUSY = """
import time
from backend.evaluation.pools import ProcessPool
from tests.evaluation.rigs import pid_after
if __name__ == "__main__":
    executor = ProcessPool(2).open()
    pids = list(executor.map(pid_after, [1.0, 1.0]))
    print(*pids, flush=True)
    time.sleep(600)
"""
BOUND_S = 20.0


def test_workers_end_when_their_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(set(pids)) == 2

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    until = time.monotonic() + BOUND_S
    while any(map(_runs, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    assert [pid for pid in pids if _runs(pid)] == []
    parent.stdout.close()


def _runs(pid: int) -> bool:
    """Neither gone nor waiting to be reaped."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
