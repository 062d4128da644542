"""Which parts of a task's note a planner is told, by level and executor."""

from __future__ import annotations

import pytest

from backend.domain.mission.task_notes import Executor, Level, told

NOTE = """# Bin fill

Measured on the train split.

## Meaning

Put the cubes in.
Then press.

## Criteria

A press counts from 5 mm.

## Delegate

Hover before you press.
"""
MEANING, CRITERIA, DELEGATE = (
    "Put the cubes in.\nThen press.",
    "A press counts from 5 mm.",
    "Hover before you press.",
)


@pytest.mark.parametrize(
    ("level", "executor", "parts"),
    [
        ("full", "direct", [MEANING, CRITERIA]),
        ("no_criteria", "direct", [MEANING]),
        ("none", "direct", []),
        ("full", "delegate", [MEANING, CRITERIA, DELEGATE]),
        ("no_criteria", "delegate", [MEANING, DELEGATE]),
        ("none", "delegate", []),
    ],
)
def test_a_level_leaves_its_parts_out(level: Level, executor: Executor, parts: list[str]) -> None:
    assert told(NOTE, level, executor) == "\n".join(parts)


def test_a_note_without_headings_tells_nothing() -> None:
    assert told("Just words.", "full", "direct") == ""
