"""The study with a live model: its arms, its query, its bounds (ADM-Planner, section V-B)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from backend.domain.execution.budgets import Budgets
from backend.domain.mission.mission import Mission
from backend.evaluation.arms import memory_of
from backend.evaluation.bare import mission_of
from backend.usecases.results import Arm

SCENARIO = "live-6"
METHODS = ("unfiltered", "attention")
"""The paper's two variants; any other method may be asked for as well."""
SEEDS = 3
TOKENS = 1_500_000
"""That one episode may use up."""


def live_arm(method: str, planner: str, asked: Mapping[str, str | int | float]) -> Arm:
    """The paper's query has five blocks, so that execution log and notes are switched off."""
    memory = replace(
        memory_of(SCENARIO, method), name=f"{method}, log off, notes off", log="off", notes="off"
    )
    return Arm(scenario=SCENARIO, method=method, memory=memory, planner=planner, asked=asked)


def live_mission(arm: Arm) -> Mission:
    """The world's own step budget, and what a model may cost."""
    tokens = int(arm.asked.get("tokens", TOKENS))
    return replace(mission_of(arm), budgets=Budgets(steps=None, tokens=tokens))
