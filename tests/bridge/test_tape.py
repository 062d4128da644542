"""The event tape: every draw as the benchmark fixes it."""

from dataclasses import asdict

import numpy as np
import pytest

from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.tape import draw
from tests.bridge.support import tape_digest

PINNED = {
    ("s-6", 0): "0aad51fd7d414a60",
    ("s-6", 1): "e34262309c85a5fd",
    ("s-6", 41): "0af6bac4720e5820",
    ("d-10", 0): "ede0a9c038fd31b2",
    ("d-10", 1): "2d7387faf8de0b4f",
    ("d-10", 41): "158137e294b60ad2",
    ("dn-14", 0): "043c3c73f8c48576",
    ("dn-14", 1): "4c662f54c9fab8cf",
    ("dn-14", 41): "c9ea8c301ff10af0",
    ("live-6", 0): "2d82189c95190848",
    ("live-6", 1): "a33ff185af1871d0",
    ("live-6", 41): "e5beb3af4500aca2",
    ("reveal-5", 0): "cf24de88d8de41ce",
    ("reveal-5", 1): "671fa6a41fd58228",
    ("reveal-5", 41): "2f2843eed14f8000",
}


@pytest.mark.parametrize(("name", "seed"), PINNED, ids=lambda value: str(value))
def test_a_seed_draws_the_tape_it_always_drew(name: str, seed: int) -> None:
    assert tape_digest(name, seed) == PINNED[name, seed]


def test_draws_come_in_the_order_that_the_benchmark_fixes() -> None:
    """Written out a second time, one draw a line, so that a reordering cannot pass unseen."""
    scenario = SCENARIOS["dn-14"]
    tape = draw(scenario, 7)
    chance = np.random.Generator(np.random.PCG64([7, 2]))
    cells = [(x, y) for y in range(8) for x in range(8) if (x, y) not in {(0, 0), (7, 7)}]

    assert tape.initial_cells == [cells[i] for i in chance.permutation(62)[:14]]
    assert tape.types == list(chance.integers(0, 2, 14))
    assert tape.relocates == list(chance.random(240) < 0.025)
    assert tape.relocated == list(chance.integers(0, 14, 240))
    assert tape.destinations == [cells[i] for i in chance.integers(0, 62, 240)]
    assert tape.detected == (chance.random((48, 14)) < 0.68).tolist()
    assert tape.is_false == (chance.random((48, 14)) < 0.30).tolist()
    assert tape.false_cells == [[cells[i] for i in row] for row in chance.integers(0, 62, (48, 14))]
    assert tape.true_confidence == chance.uniform(0.5, 1.0, (48, 14)).tolist()
    assert tape.false_confidence == chance.uniform(0.2, 0.6, (48, 14)).tolist()
    assert tape.pick_fails == list(chance.random(240) < 0.05)
    assert not any(tape.place_fails)


def test_reveal_5_hides_four_containers_and_blocks_cells_that_hold_none() -> None:
    for seed in range(30):
        tape = draw(SCENARIOS["reveal-5"], seed)

        assert tape.revealed_at[0] == 0
        assert tape.revealed_at[1:] == sorted(tape.revealed_at[1:])
        assert all(15 <= step < 150 for step in tape.revealed_at[1:])
        used = {*tape.initial_cells, *tape.destinations, *(cell for row in tape.false_cells for cell in row)}
        assert not used & tape.obstacles
        assert len(tape.obstacles) == 14


def test_seeds_and_scenarios_differ() -> None:
    drawn = [asdict(draw(SCENARIOS[name], seed)) for name in SCENARIOS for seed in range(3)]

    assert all(a != b for index, a in enumerate(drawn) for b in drawn[:index])
