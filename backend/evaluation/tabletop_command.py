"""A tabletop study as the command that plays it, or goes on with it."""

from __future__ import annotations

from collections.abc import Sequence

from backend.evaluation.tabletop_arms import BASELINES, DROP, MISCOUNT
from backend.usecases.results import Study
from robot_bridge.tabletop.tasks import TASK_NAMES


def tabletop_command(study: Study) -> str:
    """That plays this study, or goes on with it."""
    asked, planner = study.arms[0].asked, study.arms[0].planner
    tasks = tuple(dict.fromkeys(arm.scenario for arm in study.arms))
    memories = ",".join(dict.fromkeys(arm.method for arm in study.arms))
    options = {
        "--tasks": "all" if tasks == TASK_NAMES else ",".join(tasks),
        "--memory": memories if planner not in BASELINES else "",
        "--planner": planner,
        "--model": str(asked.get("model", "")) if planner != "recorded" else "",
        "--from": str(asked.get("from", "")),
        "--task-notes": _unless(asked.get("task_notes"), "full"),
        "--executor": _unless(asked.get("executor"), "direct"),
        "--episodes": _listed(study.each_seed),
        "--drop": _unless(asked.get("drop"), DROP),
        "--miscount": _unless(asked.get("miscount"), MISCOUNT),
    }
    told = " ".join(f"{name} {value}" for name, value in options.items() if value)
    return f"quarterdeck evaluate tabletop {told}"


def _unless(value: str | float | None, usual: str | float) -> str:
    return "" if value is None or value == usual else f"{value}"


def _listed(seeds: Sequence[int]) -> str:
    whole = len(seeds) > 1 and seeds[-1] - seeds[0] + 1 == len(seeds)
    return f"{seeds[0]}-{seeds[-1]}" if whole else ",".join(map(str, seeds))
