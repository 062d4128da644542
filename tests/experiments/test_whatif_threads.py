"""No process waits for a what-if, and no more are asked at a time than may be."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from backend.experiments.threads import Daemons
from tests.support.checkout import ROOT

PATIENCE_S = 60.0


def test_no_more_at_a_time_than_may_be() -> None:
    pool, going, let_go = Daemons(2, "what-if"), threading.Semaphore(0), threading.Event()

    def work(number: int) -> int:
        going.release()
        assert let_go.wait(PATIENCE_S)
        return number

    asked = [pool.submit(work, number) for number in range(3)]
    assert going.acquire(timeout=PATIENCE_S)
    assert going.acquire(timeout=PATIENCE_S)
    assert not going.acquire(timeout=0.1)
    let_go.set()

    assert [each.result(PATIENCE_S) for each in asked] == [0, 1, 2]


def test_what_breaks_comes_out_of_its_future() -> None:
    def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Daemons(1, "what-if").submit(work).result(PATIENCE_S)


def test_a_process_ends_though_one_is_under_way() -> None:
    code = (
        "import time; from backend.experiments.threads import Daemons;"
        "Daemons(1, 'what-if').submit(time.sleep, 900)"
    )

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=PATIENCE_S, check=True)
