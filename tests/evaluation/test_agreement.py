"""`evaluate memory` and `mission run` are one: same mission, method and seed, same episode to the step."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backend.assets import asset
from backend.bridge.worlds import WORLDS
from backend.domain.episode.state import State
from backend.domain.mission.mission import Mission
from backend.evaluation.arms import METHODS, arm
from backend.evaluation.bare import play, play_into
from backend.missions import MissionFiles, with_memory
from backend.rig import grid_rig
from backend.usecases.doubles import MemoryEpisode, MemoryInbox
from backend.usecases.ordering import with_policy
from backend.usecases.results import EpisodeResult

SEEDS = range(20)
MISSION = "recycling-dn14"


@pytest.fixture(scope="module")
def mission() -> Mission:
    return MissionFiles([asset("missions")], WORLDS).get(MISSION)


@pytest.mark.parametrize("method", METHODS)
def test_the_mission_s_own_memory_and_budgets_change_no_episode(mission: Mission, method: str) -> None:
    """As `mission run --memory METHOD` has it, but for processes, database and pictures."""
    chosen = with_policy(with_memory(mission, method), "auto")
    chosen = replace(chosen, memory=replace(chosen.memory, frames="off"))

    for seed in SEEDS:
        journalled = _recorded(chosen, method, seed)
        measured = play(arm("dn-14", method), seed, grid_rig)
        assert _row_of_state(journalled) == _row(measured), f"seed {seed}"


def test_a_mission_run_gives_the_evaluation_s_row(tmp_path: Path) -> None:
    assert mission_run(tmp_path, "attention", 1) == _row(play(arm("dn-14", "attention"), 1, grid_rig))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("method", METHODS)
def test_twenty_mission_runs_give_the_evaluation_s_rows(tmp_path: Path, method: str) -> None:
    for seed in SEEDS:
        assert mission_run(tmp_path, method, seed) == _row(play(arm("dn-14", method), seed, grid_rig))


def mission_run(home: Path, method: str, seed: int) -> tuple[int, ...]:
    command = [
        "mission",
        "run",
        MISSION,
        "--memory",
        method,
        "--seed",
        str(seed),
        "--home",
        str(home),
        "--json",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "from backend.cli import main; main()", *command],
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    ended: dict[str, Any] = json.loads(done.stdout)
    names = ("steps", "context", "planner_calls", "stale_visits", "delivered")
    return tuple(ended[name] for name in names)


def _recorded(mission: Mission, method: str, seed: int) -> State:
    episode = MemoryEpisode(clock_s=lambda: 0.0)
    return play_into(
        episode.claim(),
        MemoryInbox(episode),
        arm("dn-14", method),
        seed,
        *grid_rig(arm("dn-14", method), seed),
        mission=mission,
    )


def _row_of_state(state: State) -> tuple[int, ...]:
    return (
        int(state.met_s),
        state.tally.context_units,
        state.spent.decisions,
        state.tally.stale_visits,
        len(state.delivered),
    )


def _row(result: EpisodeResult) -> tuple[int, ...]:
    return (result.steps, result.context, result.planner_calls, result.stale_visits, result.delivered)
