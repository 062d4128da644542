"""The arena's tape: the same for a seed, and nothing on it that a robot could not come up to."""

from __future__ import annotations

import math
from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from robot_bridge.arena.scenarios import CELLS, STATION_CELLS, spot_of
from robot_bridge.arena.tape import APART_M, draw, is_open
from tests.arena.support import ARENA


def test_a_seed_draws_the_same_tape_again_and_another_one_another() -> None:
    assert draw(ARENA, 7) == draw(ARENA, 7)
    assert draw(ARENA, 7) != draw(ARENA, 8)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**31 - 1))
@example(1003)  # a place drawn a twentieth of a millimetre from where it would be too near
def test_whatever_stands_somewhere_can_be_reached(seed: int) -> None:
    tape = draw(ARENA, seed)
    places = [*tape.initial, *(place for each in tape.destinations for place in each)]

    assert all(is_open(place, tape.obstacles) for place in places)
    assert min(math.dist(a, b) for a, b in combinations(tape.initial, 2)) >= APART_M
    assert len(tape.obstacles) == ARENA.obstacles
    assert all(0 < x < CELLS - 1 and 0 < y < CELLS - 1 for x, y in tape.obstacles)
    assert all(max(abs(a - c), abs(b - d)) > 1 for (a, b), (c, d) in combinations(tape.obstacles, 2))


def test_one_container_is_moved_a_minute_and_the_rates_are_those_of_dn14() -> None:
    tapes = [draw(ARENA, seed) for seed in range(10)]
    seen = [flag for tape in tapes for row in tape.detected for flag in row]
    false = [flag for tape in tapes for row in tape.is_false for flag in row]

    assert {len(tape.relocated) for tape in tapes} == {9}
    assert abs(sum(seen) / len(seen) - 0.68) < 0.03
    assert abs(sum(false) / len(false) - 0.30) < 0.03


def test_nothing_stands_in_a_station() -> None:
    assert all(not is_open(spot_of(cell), ()) for cell in STATION_CELLS)
