"""Headless through everything is the bare loop, to the step: three seeds; a slow test takes twenty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.golden import bare_row, run_row


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_mission_through_journal_and_bridge_is_the_bare_loop_s(seed: int, tmp_path: Path) -> None:
    assert run_row(tmp_path, seed) == bare_row(seed)
