"""What holds for the grid world whatever is asked of it."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from robot_bridge.world import Pose, Step

CELL = st.integers(0, 9)
CONTAINER = st.integers(0, 4)
NAMES = st.sampled_from(["s-6", "dn-14", "reveal-5"])
ASKED = st.one_of(
    st.tuples(st.just("navigate"), CELL, CELL),
    st.tuples(st.just("explore"), CELL, CELL),
    st.tuples(st.just("go to"), CONTAINER, CELL),
    st.tuples(st.just("grasp"), CONTAINER, CELL),
    st.tuples(st.just("deliver"), CONTAINER, st.integers(0, 1)),
    st.tuples(st.just("verify"), CONTAINER, CELL),
    st.tuples(st.just("wait"), CELL, CELL),
    st.tuples(st.just("halt"), CELL, CELL),
)
ASKS = st.lists(ASKED, max_size=25)


def step_of(world: GridWorld, asked: tuple[str, int, int]) -> Step:
    kind, first, second = asked
    if kind == "navigate":
        pose = Pose(first * world.layout.cell_m, second * world.layout.cell_m)
        return Step("navigate", {"to": [first, second]}, pose)
    if kind == "explore":
        return Step("explore", {"cell": [first, second]})
    target = world.ids[first]
    if kind == "go to":
        truth = world.truth(world.met_s)[first]["pose"]
        return Step("navigate", {"to": target}, Pose(**truth))
    if kind == "deliver":
        return Step("deliver", {"object": target, "station": world.layout.station_ids[second]})
    return Step(kind, {"target": target})


def play(
    world: GridWorld, asks: list[tuple[str, int, int]], interrupted: bool = False
) -> tuple[str, GridWorld]:
    """Everything told, as bytes. `interrupted`: the world is saved and brought back whenever it stands
    still.
    """
    told: list[Any] = [world.observe()]
    for asked in asks:
        if interrupted:
            saved = json.loads(json.dumps(world.save()))
            world = GridWorld(world.scenario, world.seed)
            world.restore(saved)
        if asked[0] == "wait":
            for _ in range(asked[1]):
                told += [world.advance(), world.observe()]
            continue
        step = step_of(world, asked if asked[0] != "halt" else ("navigate", *asked[1:]))
        if world.check(step) is not None:
            continue
        outcome = world.start(step)
        for _ in range(asked[1] if asked[0] == "halt" else 100):
            if outcome is None:
                outcome = world.advance()
                told += [world.observe(), world.telemetry()]
        told.append(outcome or world.halt("stopped"))
    return json.dumps([told, world.save()]), world


@given(name=NAMES, seed=st.integers(0, 2**63), asks=ASKS)
@settings(max_examples=60)
def test_the_same_seed_plays_the_same_episode_to_the_byte(name: str, seed: int, asks: list[Any]) -> None:
    scenario = SCENARIOS[name]

    assert play(GridWorld(scenario, seed), asks)[0] == play(GridWorld(scenario, seed), asks)[0]


@given(name=NAMES, seed=st.integers(0, 1000), asks=ASKS)
@settings(max_examples=60)
def test_a_world_brought_back_goes_on_as_if_it_had_never_gone(name: str, seed: int, asks: list[Any]) -> None:
    scenario = SCENARIOS[name]

    assert play(GridWorld(scenario, seed), asks, True)[0] == play(GridWorld(scenario, seed), asks)[0]


@given(name=NAMES, seed=st.integers(0, 1000), asks=ASKS)
@settings(max_examples=60)
def test_no_container_is_lost_doubled_or_in_a_wall(name: str, seed: int, asks: list[Any]) -> None:
    _, world = play(GridWorld(SCENARIOS[name], seed), asks)

    truth = world.truth(world.met_s)
    assert [each["entity"] for each in truth] == world.ids
    held = [each["entity"] for each in truth if each["state"] == "held"]
    assert held == ([] if world.held is None else [world.ids[world.held]])
    assert world.robot not in world.layout.obstacles
    assert not world.layout.obstacles.intersection(world.floor.cells)


@given(seed=st.integers(0, 1000), name=NAMES)
@settings(max_examples=20)
def test_what_a_skill_does_changes_no_chance(seed: int, name: str) -> None:
    """Methods are compared on the same events: those of a world that stands and of one that drives are the
    same.
    """
    standing, driving = (GridWorld(SCENARIOS[name], seed) for _ in range(2))
    driving.start(Step("explore", {"cell": [driving.layout.size - 1, 0]}))
    for _ in range(30):
        standing.advance()
        driving.advance()

    assert standing.truth(30) == driving.truth(30)
    assert [each for each in standing.observe() if each.source == "aerial"] == [
        each for each in driving.observe() if each.source == "aerial"
    ]
