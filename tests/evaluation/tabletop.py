"""Rows and journals of episodes at the table, made by hand."""

from __future__ import annotations

from backend.evaluation.tabletop_arms import Setting
from backend.evaluation.tabletop_choices import tabletop_study
from backend.usecases.results import EpisodeResult, Study

COST = {
    "tokens": 100.0,
    "images": 10.0,
    "images_views": 6.0,
    "images_returned": 4.0,
    "images_demonstration": 0.0,
    "calls": 3.0,
}


def study(tasks: str = "bin-fill,move-cube", memory: str = "execution_grounded,note_only") -> Study:
    return tabletop_study(tasks, memory, "4-7", None, Setting())


def row(arm: int, seed: int, outcome: str = "completed", **extra: float) -> EpisodeResult:
    """Of arm `arm`; it succeeded where its outcome is `completed`."""
    return EpisodeResult(
        arm=arm,
        seed=seed,
        success=outcome == "completed",
        outcome=outcome,
        steps=100,
        context=100,
        planner_calls=3,
        stale_visits=0,
        delivered=0,
        path_m=0.0,
        extra={**COST, **extra},
    )
