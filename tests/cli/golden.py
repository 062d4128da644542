"""DN-14 by the runner's own code: a journal in SQLite and a bridge process, without pictures."""

from __future__ import annotations

import time
from pathlib import Path

from msgspec.structs import replace

from backend.bootstrap import mission_files, reader
from backend.domain.memory.configuration import NAMED
from backend.evaluation.arms import arm
from backend.evaluation.bare import play
from backend.persistence.heads import order_episode
from backend.processes.exits import Exit
from backend.processes.keeper import Keeper
from backend.processes.runner import Runner
from backend.rig import grid_rig
from backend.usecases.ordering import request_of, with_policy
from tests.support.homes import new_home

PATIENCE_S = 120.0
Row = tuple[int, int, int, int]
"""Steps, context, planner calls, stale visits."""


def bare_row(seed: int) -> Row:
    """The same seed by the bare loop, in process and in memory."""
    result = play(arm("dn-14", "attention"), seed, grid_rig)
    return result.steps, result.context, result.planner_calls, result.stale_visits


def run_row(home: Path, seed: int) -> Row:
    settings, engine = new_home(home)
    mission = with_policy(mission_files(settings).get("recycling-dn14"), "auto")
    world = replace(mission.world, clock="waits")
    mission = replace(mission, world=world, memory=NAMED["attention"])
    episode = f"seed-{seed}"
    request = request_of(episode, mission, "policy", seed)
    order_episode(engine, episode, request, "mara")
    keeper = Keeper(settings, episode, request, logs=home)
    keeper.bridge.start()
    try:
        wait_ready(keeper)
        assert Runner(settings, episode, "test").run() is Exit.OK
    finally:
        keeper.end()
    ended = reader(settings, engine).episode(episode)
    return ended.steps, ended.context_units, ended.decisions, ended.stale_visits


def wait_ready(keeper: Keeper) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while "address" not in keeper.bridge.last_words:
        assert time.monotonic() < deadline_s, "the bridge did not come up"
        time.sleep(0.01)
