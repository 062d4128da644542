"""A mission at a table has its task's note; how much of it, the mission says."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend import task_notes
from backend.missions import read_mission

WORLDS = {"tabletop": ("bin-fill/easy", "bin-fill/easy/delegate", "stop-cube/easy"), "grid": ("s-6",)}


@pytest.fixture(autouse=True)
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "task_notes"
    folder.mkdir()
    folder.joinpath("bin-fill.md").write_text(
        "## Meaning\nFill.\n\n## Criteria\n5 mm.\n\n## Delegate\nHover.\n"
    )
    monkeypatch.setattr(task_notes, "asset", lambda name: tmp_path)


@pytest.mark.parametrize(
    ("world", "more", "note"),
    [
        ("{name: tabletop, scenario: bin-fill/easy}", "", "Fill.\n5 mm."),
        ("{name: tabletop, scenario: bin-fill/easy}", "task_notes: no_criteria", "Fill."),
        ("{name: tabletop, scenario: bin-fill/easy}", "task_notes: none", ""),
        ("{name: tabletop, scenario: bin-fill/easy/delegate}", "", "Fill.\n5 mm.\nHover."),
        ("{name: tabletop, scenario: bin-fill/easy}", "task_note: Slowly.", "Fill.\n5 mm.\nSlowly."),
        ("{name: tabletop, scenario: stop-cube/easy}", "", ""),
        ("{name: grid, scenario: s-6}", "task_note: Slowly.", "Slowly."),
    ],
    ids=["all", "no criteria", "none", "for an executor", "with the mission's own", "no file", "no table"],
)
def test_the_planner_of_a_mission_is_told_its_tasks_note(world: str, more: str, note: str) -> None:
    text = f"name: m\ntitle: M\ngoal: g\ncompletion: c\nworld: {world}\n{more}\n"

    assert read_mission(text.encode(), "m.yaml", WORLDS).task_note == note
