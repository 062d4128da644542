"""Real processes start slowly on a busy machine: their tests get longer before they count as hung."""

from pathlib import Path

import pytest

SLOW = {Path(__file__).parent, Path(__file__).parent.parent / "cli"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent in SLOW:
            item.add_marker(pytest.mark.timeout(300))
