"""What `quarterdeck evaluate tabletop` was asked for as a study, and a study as that command again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backend.evaluation.choices import checked, chosen
from backend.evaluation.errors import WrongStudy
from backend.evaluation.tabletop_arms import BASELINES, DIFFICULTIES, MEMORIES, Setting, table_arm
from backend.usecases.results import Study
from robot_bridge.tabletop.tasks import TASK_NAMES
from robot_bridge.tabletop.tasks.seeds import TEST_EPISODES, difficulty_of

EPISODES = "4-19"
"""LogLook's memory swap: test episodes 4 to 19 of each task."""
_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def tabletop_study(tasks: str, memory: str, episodes: str, difficulty: str | None, setting: Setting) -> Study:
    """Every task under every memory over the same test episodes. Raises WrongStudy."""
    wanted = chosen(tasks, TASK_NAMES, "--tasks", "task")
    memories = _memories(memory, setting)
    if setting.planner in BASELINES and setting.executor != "delegate":
        raise WrongStudy(
            f"Planner {setting.planner} gives phrases to the learned executor.",
            field="--executor",
            remedy="Give --executor delegate.",
        )
    seeds = _of_difficulty(episodes_named(episodes), difficulty)
    first, last = seeds[0], seeds[-1]
    whole = seeds == tuple(range(first, last + 1))
    study = Study(
        kind="tabletop",
        name=_name(wanted, memories, setting, difficulty),
        arms=tuple(table_arm(task, each, setting) for task in wanted for each in memories),
        first_seed=first,
        seeds=last - first + 1,
        only=() if whole else seeds,
    )
    return checked(study)


def episodes_named(text: str) -> tuple[int, ...]:
    """Numbers and ranges parted by commas, such as 4-19 or 7,11,15-17. Raises WrongStudy."""
    found: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first = int(match[1]) if match else -1
        last = int(match[2] or match[1]) if match else -1
        if match is None or last < first:
            raise WrongStudy(
                f"{part.strip()[:40]!r} names no episodes.",
                field="--episodes",
                remedy=f"Write numbers or ranges parted by commas, such as {EPISODES}.",
            )
        if last >= TEST_EPISODES:
            raise WrongStudy(
                f"There is no test episode {last}.",
                field="--episodes",
                remedy=f"Each task has episodes 0 to {TEST_EPISODES - 1}.",
            )
        found |= set(range(first, last + 1))
    return tuple(sorted(found))


def _of_difficulty(seeds: Sequence[int], difficulty: str | None) -> tuple[int, ...]:
    if difficulty is None:
        return tuple(seeds)
    wanted = chosen(difficulty, DIFFICULTIES, "--difficulty", "difficulty")
    left = tuple(seed for seed in seeds if difficulty_of(seed) in wanted)
    if not left:
        raise WrongStudy(
            f"None of these episodes is {' or '.join(wanted)}.",
            field="--difficulty",
            remedy="Of four episodes in a row the last is hard, the one before it medium.",
        )
    return left


def _memories(text: str, setting: Setting) -> tuple[str, ...]:
    if setting.planner in BASELINES:
        return (BASELINES[setting.planner],)
    return chosen(text, MEMORIES, "--memory", "memory")


def _name(tasks: Sequence[str], memories: Sequence[str], setting: Setting, difficulty: str | None) -> str:
    told = [
        "all tasks" if tuple(tasks) == TASK_NAMES else ", ".join(tasks),
        ", ".join(memories),
        setting.planner,
    ]
    told += [difficulty] if difficulty else []
    told += [setting.executor] if setting.executor != "direct" else []
    told += [f"task notes {setting.task_notes}"] if setting.task_notes != "full" else []
    return "; ".join(told)
