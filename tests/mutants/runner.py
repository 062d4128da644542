"""Tries one rule after the other on copies of the checkout: the one being worked in is never touched."""

import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.mutants.disarm import disarm
from tests.mutants.rules import MutantsError, Rule

Verdict = Literal["noticed", "survived", "unfit"]

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "var", "__pycache__", ".*_cache", ".hypothesis", "build", "dist"
)
LIMIT_S = 300.0
TESTS_FAILED = 1  # pytest's exit code; any other but 0 means that no test ran to its end


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What became of a rule: noticed by its test, survived, or unfit to be tried, and why."""

    rule: Rule
    verdict: Verdict
    detail: str
    took_s: float


def try_rules(checkout: Path, rules: tuple[Rule, ...], jobs: int) -> Iterator[Trial]:
    """Yields a trial for each rule, in their order, `jobs` at a time, each on a copy of the checkout."""
    with tempfile.TemporaryDirectory(prefix="quarterdeck-mutants-") as folder:
        copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(jobs):
            copies.put(shutil.copytree(checkout, Path(folder) / f"copy-{number}", ignore=LEFT_OUT))
        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(lambda rule: _try_on_one_of(copies, rule), rules)


def _try_on_one_of(copies: queue.SimpleQueue[Path], rule: Rule) -> Trial:
    copy = copies.get()
    started_s = time.monotonic()
    try:
        verdict, detail = _try(copy, rule)
    except MutantsError as error:
        verdict, detail = "unfit", str(error)
    finally:
        copies.put(copy)
    return Trial(rule=rule, verdict=verdict, detail=detail, took_s=time.monotonic() - started_s)


def _try(copy: Path, rule: Rule) -> tuple[Verdict, str]:
    armed = _run_test(copy, rule.test)
    if armed.returncode:
        return "unfit", f"the test fails with the guard in place:\n{armed.stdout[-2000:]}"
    with _disarmed(copy / rule.guard_file, rule.guard):
        unarmed = _run_test(copy, rule.test)
    if unarmed.returncode == 0:
        return "survived", "the test passes without the guard"
    if unarmed.returncode != TESTS_FAILED:
        return "unfit", f"without the guard no test could run:\n{unarmed.stdout[-2000:]}"
    return "noticed", ""


@contextmanager
def _disarmed(file: Path, guard: str) -> Iterator[None]:
    if not file.is_file():
        raise MutantsError(f"there is no file {file.name} to find {guard} in")
    source = file.read_text("utf-8")
    file.write_text(disarm(source, guard), "utf-8")
    try:
        yield
    finally:
        file.write_text(source, "utf-8")


def _run_test(copy: Path, test: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # CI makes a skip a failure, and hypothesis repeat itself; no bytecode, lest a stale file hide the change.
    ours = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "CI": "true"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "", "-p", "no:cacheprovider", test]
    try:
        return subprocess.run(
            command, cwd=copy, env=inherited | ours, text=True, check=False, timeout=LIMIT_S,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise MutantsError(f"the test took longer than {LIMIT_S:.0f} s") from None
