"""The tasks, memories and baselines of LogLook as arms of a study (sections 4 and 5).

An arm is a task under a memory; its seeds are the task's test episodes, each with the benchmark's difficulty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from backend.domain.memory.configuration import NAMED
from backend.usecases.results import Arm
from robot_bridge.tabletop.scenarios import Scenario
from robot_bridge.tabletop.tasks import SUITES, TASK_NAMES
from robot_bridge.tabletop.tasks.seeds import difficulty_of

MEMORIES = ("execution_grounded", "note_only", "no_log", "no_notes", "no_gating", "no_inspect")
"""The memory of LogLook, its baseline, and each of its four parts switched off."""
BASELINES: Mapping[str, str] = {"per_chunk": "note_only", "oracle": "execution_grounded"}
"""Planners of the learned executor alone, each with the memory that it goes with."""

Planner = Literal["surrogate", "openai", "recorded", "per_chunk", "oracle"]
TaskNotes = Literal["full", "no_criteria", "none"]
Executor = Literal["direct", "delegate"]
PLANNERS: tuple[Planner, ...] = get_args(Planner)
TASK_NOTES: tuple[TaskNotes, ...] = get_args(TaskNotes)
EXECUTORS: tuple[Executor, ...] = get_args(Executor)
DIFFICULTIES = ("easy", "medium", "hard")

DROP, MISCOUNT = 0.02, 0.05
"""What a surrogate's note loses per fact and rewrite, unless said otherwise; fixed before the first run."""
TOKENS = 1_500_000


class Setting(Struct, frozen=True, kw_only=True):
    """What all arms of a study share. `asked`: of a planner that is a model, or the run answered from."""

    planner: Planner = "surrogate"
    task_notes: TaskNotes = "full"
    executor: Executor = "direct"
    drop: float = DROP
    miscount: float = MISCOUNT
    asked: Mapping[str, str | int | float] = {}


def table_arm(task: str, memory: str, setting: Setting) -> Arm:
    losses = {"drop": setting.drop, "miscount": setting.miscount} if setting.planner == "surrogate" else {}
    return Arm(
        scenario=task,
        method=memory,
        memory=NAMED[memory],
        planner=setting.planner,
        asked={"task_notes": setting.task_notes, "executor": setting.executor, **losses, **setting.asked},
    )


def scenario_at(arm: Arm, episode: int) -> str:
    """The world's scenario text for one test episode."""
    executor: Executor = "delegate" if arm.asked.get("executor") == "delegate" else "direct"
    return Scenario(arm.scenario, difficulty_of(episode), executor).name


def task_notes_of(arm: Arm) -> TaskNotes:
    asked = arm.asked.get("task_notes")
    return next((level for level in TASK_NOTES if level == asked), "full")


def suite_of(task: str) -> str:
    return next((suite for suite, tasks in SUITES.items() if task in tasks), "")


def is_table(arm: Arm) -> bool:
    return arm.scenario in TASK_NAMES
