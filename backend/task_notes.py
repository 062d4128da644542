"""The notes on tasks, one file each beside the missions, as a mission's planner is told them."""

from __future__ import annotations

from msgspec.structs import replace

from backend.assets import asset
from backend.domain.mission.mission import Mission
from backend.domain.mission.task_notes import Executor, Level, told

FOLDER = "task_notes"


def note_for(task: str, level: Level, executor: Executor) -> str:
    """What a planner is told of `task`; empty where nothing is written of it."""
    file = asset("missions") / FOLDER / f"{task}.md"
    return told(file.read_text("utf-8"), level, executor) if file.is_file() else ""


def with_task_note(mission: Mission) -> Mission:
    """A mission at a table with its task's note, before what the mission says itself. Others as they are."""
    if mission.world.name != "tabletop":
        return mission
    task, *rest = mission.world.scenario.split("/")
    executor: Executor = "delegate" if "delegate" in rest else "direct"
    note = note_for(task, mission.task_notes or "full", executor)
    return replace(mission, task_note="\n".join(part for part in (note, mission.task_note) if part))
