"""Counting at the drawn table: solved where the log is kept, and lost where a note is all there is."""

from __future__ import annotations

import pytest

from backend.planners.surrogate.rewriting import Rates
from tests.planners.surrogate.playing import Play, drawn_table, play

UNCOUNTED = Rates(miscount=1.0)


def told(played: Play) -> str:
    assert played.scene.ended is not None
    return played.scene.ended[1]


@pytest.mark.parametrize("name", ["bin-fill", "pick-xtimes", "swing-xtimes", "stop-cube"])
def test_a_counting_task_is_solved_with_full_memory(name: str) -> None:
    assert told(play(name, 1)) == "done"


def episode_that_says(words: str) -> int:
    """Of PickXtimes."""
    return next(e for e in range(50) if words in drawn_table("pick-xtimes", e).instruction)


def test_a_count_that_a_note_loses_is_kept_by_the_log() -> None:
    episode = episode_that_says("five times")
    grounded = play("pick-xtimes", episode, "execution_grounded", UNCOUNTED)
    noted = play("pick-xtimes", episode, "note_only", UNCOUNTED)

    assert told(grounded) == "done"
    assert told(noted) == "too_many"
    assert any(reply.attempts[0].response["miscounted"] for reply in noted.replies)


def test_the_log_of_the_last_eight_actions_counts_while_it_shows_the_first() -> None:
    """What the note missed is then seen in the log."""
    short = play("pick-xtimes", episode_that_says("once"), "no_log", UNCOUNTED)

    assert len(short.log) <= 8
    assert told(short) == "done"
