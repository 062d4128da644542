"""Headless through everything is the bare loop, to the step: seeds 12 to 19, on the other worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.golden import bare_row, run_row


@pytest.mark.parametrize("seed", range(12, 20))
def test_a_mission_through_journal_and_bridge_is_the_bare_loop_s(seed: int, tmp_path: Path) -> None:
    assert run_row(tmp_path, seed) == bare_row(seed)
