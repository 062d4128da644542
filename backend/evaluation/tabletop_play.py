"""One episode at the table, as evaluations play it: the loop of missions, with its pictures in memory.

What ends it is the world's verdict, or a budget of LogLook's: 1300 steps, 80 decisions, 1.5 M tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from backend.domain.command.policy import Policy
from backend.domain.episode.events import Recorded
from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets
from backend.domain.mission.mission import Mission, World
from backend.evaluation.tabletop_arms import TOKENS, scenario_at, task_notes_of
from backend.evaluation.tabletop_measures import Happened, table_measures
from backend.usecases.framing import FrameKeeper
from backend.usecases.ports import Bridge, Planner
from backend.usecases.results import Arm, EpisodeResult

PLANNING = "motion planning"
"""The outcome of an episode that ended at a waypoint which no path reaches, a failure as in the benchmark."""
BUDGETS = Budgets(steps=1300, decisions=80, tokens=TOKENS)


class Table(Struct, frozen=True, kw_only=True):
    """What an episode is played on. `seed`: the world's, for the test episode that a row's seed numbers.

    `keep` stores what its cameras see, where `planner` finds it again; `happened`: the true events, once it
    is over.
    """

    bridge: Bridge
    planner: Planner
    keep: FrameKeeper
    mission: Mission
    seed: int
    happened: Callable[[], Happened]


def table_mission(arm: Arm, episode: int) -> Mission:
    """The mission that one test episode under `arm` is a run of."""
    return Mission(
        name=f"tabletop-{arm.scenario}",
        title=f"{arm.scenario}, test episode {episode}, {arm.method}",
        goal="Do what the instruction says.",
        completion="The world says when the task is solved.",
        world=World(name="tabletop", scenario=scenario_at(arm, episode), tick_s=0.05),
        memory=arm.memory,
        task_notes=task_notes_of(arm),
        policy=Policy(mode="auto"),
        budgets=BUDGETS,
    )


def table_result(
    state: State, journal: Sequence[Recorded], index: int, episode: int, happened: Happened
) -> EpisodeResult:
    """`context` is what was asked in tokens, `steps` the world's."""
    measures = table_measures(journal, happened)
    there = state.at_table
    return EpisodeResult(
        arm=index,
        seed=episode,
        success=state.ending is not None and state.ending.outcome == "completed",
        outcome=_outcome(state),
        steps=0 if there is None else there.table.step_at(state.met_s),
        context=int(measures["tokens"]),
        planner_calls=int(measures["calls"]),
        stale_visits=0,
        delivered=0,
        path_m=0.0,
        extra=measures,
    )


def _outcome(state: State) -> str:
    """Why it ended: of a task that failed the world's own reason."""
    if state.ending is None:
        return "asks a person"
    verdict = state.at_table.verdict if state.at_table is not None else None
    if verdict is None or state.ending.outcome != "failed":
        return state.ending.outcome
    if verdict.status == "error":
        return PLANNING
    return verdict.reason.replace("_", " ")
