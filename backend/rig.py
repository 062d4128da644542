"""What an evaluation plays on: a stepped grid in this process, and the planner that an arm names.

It joins three adapters, so it stands above them. A worker process is told its functions by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

from backend.bridge.in_process import InProcessBridge
from backend.evaluation.errors import WrongStudy
from backend.planners.in_order import InOrderPlanner
from backend.planners.lookahead import LookaheadPlanner
from backend.planners.policy import PolicyPlanner
from backend.usecases.ports import Bridge, Planner
from backend.usecases.results import Arm
from robot_bridge.grid.scenarios import Scenario, ScenarioError, custom, scenario_named
from robot_bridge.grid.world import GridWorld

PLANNERS: Mapping[str, Callable[[], Planner]] = {
    "policy": PolicyPlanner,
    "lookahead": LookaheadPlanner,
    "in_order": InOrderPlanner,
}


def grid_rig(arm: Arm, seed: int) -> tuple[Bridge, Planner]:
    """World and planner of one episode. Raises WrongStudy where the arm's parameters make no world."""
    world = GridWorld(scenario_of(arm), seed, emits_truth=arm.memory.entities == "oracle")
    return InProcessBridge(world, leaps=True), PLANNERS[arm.planner]()


def scenario_of(arm: Arm) -> Scenario:
    """The arm's scenario; with parameters, a custom one that differs from it in these. Raises WrongStudy."""
    try:
        scenario = scenario_named(arm.scenario)
        if not arm.parameters:
            return scenario
        values = asdict(scenario)
        del values["name"], values["code"]
        return custom(
            {**{name: value for name, value in values.items() if value is not None}, **arm.parameters}
        )
    except ScenarioError as error:
        raise WrongStudy(f"{arm.scenario} cannot be played: {error}", field="parameters") from None
