"""Episodes a second on one core, through the loop that missions run on, and where their time goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any, NamedTuple
from unittest.mock import patch

from backend.evaluation.arms import arm
from backend.evaluation.bare import play
from backend.evaluation.chunks import Chunk, play_chunk
from backend.rig import grid_rig
from tests.bench.yardstick import yardstick

ROUNDS = 15
EPISODES_A_ROUND = 6
YARDSTICKS_A_ROUND = 20

RETRIEVAL = "backend.domain.decide.planning.retrieve"
ARBITRATION = "backend.domain.decide.perceiving.judge"


class Speed(NamedTuple):
    """`per_s`: the best round's. `yardsticks`: an episode's cost, of rounds timed side by side."""

    per_s: float
    yardsticks: float


class Shares(NamedTuple):
    """Of an episode's time, each 0 to 1."""

    retrieval: float
    arbitration: float
    rest: float


def speed(scenario: str, method: str) -> Speed:
    """Processor time, so that waiting for a busy core does not count."""
    chosen = arm(scenario, method)
    play(chosen, 0, grid_rig)
    costs, ratios = [], []
    for _ in range(ROUNDS):
        cost_s = _each_s(lambda: play_chunk(grid_rig, Chunk(0, chosen, tuple(range(EPISODES_A_ROUND)))))
        ruler_s = _each_s(lambda: [yardstick() for _ in range(YARDSTICKS_A_ROUND)])
        costs.append(cost_s)
        ratios.append(cost_s / ruler_s)
    return Speed(1 / min(costs), median(ratios))


def shares(scenario: str, method: str) -> Shares:
    """By timing every call; what the timing itself costs is measured and taken off."""
    chosen = arm(scenario, method)
    play(chosen, 0, grid_rig)
    with _timed(RETRIEVAL) as retrieval, _timed(ARBITRATION) as arbitration:
        begun_s = time.thread_time()
        for seed in range(2 * EPISODES_A_ROUND):
            play(chosen, seed, grid_rig)
        total_s = time.thread_time() - begun_s
    overhead_s = _overhead_s()
    total_s -= overhead_s * (len(retrieval) + len(arbitration))
    parts = [max(0.0, sum(each) - overhead_s / 2 * len(each)) / total_s for each in (retrieval, arbitration)]
    return Shares(*parts, 1 - sum(parts))


@contextmanager
def _timed(name: str) -> Iterator[list[float]]:
    """Every call of the function of that name, in seconds."""
    taken: list[float] = []
    module, _, function = name.rpartition(".")
    with patch(name, _timing(getattr(__import__(module, fromlist=[function]), function), taken)):
        yield taken


def _timing(function: Callable[..., Any], taken: list[float]) -> Callable[..., Any]:
    def timed(*arguments: Any) -> Any:
        begun_s = time.thread_time()
        result = function(*arguments)
        taken.append(time.thread_time() - begun_s)
        return result

    return timed


def _overhead_s() -> float:
    """What timing a call adds to it."""
    taken: list[float] = []
    calls = 20_000
    timed = _timing(lambda: None, taken)
    begun_s = time.thread_time()
    for _ in range(calls):
        timed()
    return (time.thread_time() - begun_s) / calls


def _each_s(work: Callable[[], Sequence[Any]]) -> float:
    begun_s = time.process_time()
    done = work()
    return (time.process_time() - begun_s) / len(done)
