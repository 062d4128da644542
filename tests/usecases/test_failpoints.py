"""A failpoint kills at its n-th pass, once, and costs nothing unarmed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PASSES = """
from backend.usecases.failpoints import failpoint
for n in range(1, 6):
    failpoint("before-submit")
    print(n, flush=True)
"""


def run(tmp_path: Path, **armed: str) -> tuple[int, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUARTERDECK_")}
    command = [sys.executable, "-c", PASSES]
    done = subprocess.run(command, env={**environment, **armed}, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.replace("\n", " ").strip()


@pytest.mark.parametrize(
    ("point", "code", "passed"),
    [
        ("", 0, "1 2 3 4 5"),
        ("after-submit", 0, "1 2 3 4 5"),
        ("before-submit", -signal.SIGKILL, ""),
        ("before-submit:1", -signal.SIGKILL, ""),
        ("before-submit:4", -signal.SIGKILL, "1 2 3"),
        ("before-submit:6", 0, "1 2 3 4 5"),
    ],
    ids=["unset", "another point", "first", "first by number", "fourth", "never reached"],
)
def test_it_kills_at_the_pass_it_names(point: str, code: int, passed: str, tmp_path: Path) -> None:
    assert run(tmp_path, QUARTERDECK_FAILPOINT=point) == (code, passed)


def test_with_once_it_kills_a_single_process(tmp_path: Path) -> None:
    armed = {"QUARTERDECK_FAILPOINT": "before-submit", "QUARTERDECK_FAILPOINT_ONCE": str(tmp_path / "killed")}

    assert run(tmp_path, **armed)[0] == -signal.SIGKILL
    assert run(tmp_path, **armed)[0] == 0
    assert (tmp_path / "killed").read_text().isdigit()
