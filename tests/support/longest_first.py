"""What starts processes and browsers comes first, so that the quick tests fill the workers to the end.

A module stays on one worker, and pytest-xdist would otherwise begin with the modules of many small tests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LONGEST = ("faults", "browser", "cli", "evaluation", "bridge")
"""Folders whose tests wait for real processes; those that take longest first."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _rank(item.path))


def _rank(path: Path) -> int:
    folder = path.relative_to(TESTS).parts[0] if path.is_relative_to(TESTS) else ""
    return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)
