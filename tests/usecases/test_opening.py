"""The first event: everything the episode rests on, as the bridge declares it."""

from __future__ import annotations

from msgspec.structs import replace

from backend.bridge.in_process import InProcessBridge
from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Inputs
from backend.domain.episode.events import EpisodeOpened
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.mission.mission import Mission, World
from backend.domain.query.build import query_of
from backend.planners.policy import PolicyPlanner
from backend.usecases.opening import opening
from backend.usecases.ports import Hello
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld

MISSION = Mission(name="m", title="", goal="", completion="", world=World(name="grid"))


def hello(*, held: int | None = None) -> Hello:
    """Of a grid whose robot holds that container already."""
    world = GridWorld(SCENARIOS["s-6"], 1)
    world.held = held
    return InProcessBridge(world).hello(1)


def opened(said: Hello, mission: Mission = MISSION) -> State:
    return evolve(None, opening("e1", mission, said, planner="policy", seed=1, code_version="test"))


def test_the_world_fills_in_what_the_mission_leaves_open() -> None:
    event = opening("e1", MISSION, hello(), planner="policy", seed=1, code_version="test").event

    assert isinstance(event, EpisodeOpened)
    assert (event.mission.total, event.mission.budgets.steps, event.held) == (6, 80, None)
    assert opened(hello(), replace(MISSION, total=2)).mission.total == 2


def test_an_episode_that_begins_with_something_in_the_gripper_delivers_that_first() -> None:
    said = hello(held=2)
    asked = tick(opened(said), Inputs(met_s=0.0, evidence=said.initial)).state
    assert asked.request is not None

    robot = next(block for block in asked.request.blocks if block.name == "robot")
    planned = tick(
        asked, Inputs(met_s=0.0, replies=(PolicyPlanner().propose(query_of(asked, asked.request)),))
    )

    assert f"Holding: {said.held} (class " in robot.text
    assert planned.state.plan is not None
    assert [step.skill for step in planned.state.plan.steps] == ["navigate", "deliver"]


def test_what_is_held_and_not_known_is_told_all_the_same() -> None:
    asked = tick(opened(replace(hello(), held="crate_7")), Inputs(met_s=0.0)).state
    assert asked.request is not None

    assert "Holding: crate_7 (class unknown)\n" in asked.request.blocks[1].text
