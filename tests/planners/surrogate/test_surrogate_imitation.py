"""Imitation at the simulated table: what a demonstration did is read off its frames, or missed."""

from __future__ import annotations

import pytest

from backend.domain.memory.configuration import NAMED
from backend.planners.surrogate.tasks.route import legs_of
from tests.planners.surrogate.playing import Play
from tests.planners.surrogate.simulated import SimulatedTable


@pytest.mark.parametrize(
    ("track", "legs"),
    [
        ([(0, 0.0, 0.0), (8, 0.5, 0.09), (16, 1.0, 0.0)], [(0, True, True)]),
        ([(0, 1.0, 0.0), (8, 0.4, -0.09), (16, 0.0, 0.0)], [(0, False, False)]),
        (
            [(0, 0.0, 0.0), (8, 0.6, -0.08), (16, 1.0, 0.0), (24, 0.4, 0.08), (32, 0.0, 0.0)],
            [(0, True, False), (0, False, True)],
        ),
        ([(0, 0.0, 0.01), (40, 2.0, 0.01)], [(0, True, True), (1, True, True)]),
    ],
    ids=["past the near side", "back past the far side", "there and back", "two legs between two frames"],
)
def test_a_route_is_told_by_the_sticks_it_passes(
    track: list[tuple[int, float, float]], legs: list[tuple[int, bool, bool]]
) -> None:
    assert legs_of(track, 3) == legs


@pytest.mark.parametrize("name", ["pattern-lock", "insert-peg"])
def test_an_imitation_task_is_solved_with_full_memory(name: str) -> None:
    played = Play(SimulatedTable(name, 0), NAMED["execution_grounded"]).to_its_end()

    assert played.is_solved
