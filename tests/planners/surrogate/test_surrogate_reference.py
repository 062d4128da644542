"""Reference at the drawn table: which one was meant is remembered from what was shown."""

from __future__ import annotations

import pytest

from tests.planners.surrogate.playing import play


@pytest.mark.parametrize(
    ("name", "episode"),
    [("pick-highlight", 3), ("video-repick", 2), ("video-place-button", 3), ("video-place-order", 3)],
)
def test_a_reference_task_is_solved_with_full_memory(name: str, episode: int) -> None:
    assert play(name, episode).is_solved
