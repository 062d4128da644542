"""Ground truth of a recorded episode, where its world can tell it: the grid, from its tape and what was
handled. Nothing is run again, and nothing of it is told to a planner or while an episode goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from backend.domain.episode.events import EpisodeOpened
from backend.domain.geometry import Pose
from backend.domain.hindsight.truth import Condition, Fact, Handled, Truth
from backend.usecases.reading import Evaluated
from backend.usecases.results import Results
from robot_bridge.grid.course import ELSEWHERE, DoesNotFit, Handling, course
from robot_bridge.grid.floor import DELIVERED, FLOOR, HELD
from robot_bridge.grid.obstacles import draw_obstacles
from robot_bridge.grid.scenarios import SCENARIOS, Scenario, ScenarioError, custom

NOT_RECORDED = "Its world keeps no record of where things really were."
IN_PHYSICS = (
    "Where things really were lies in the arena's physics; running it again tells:"
    " quarterdeck episodes hindsight EPISODE --run-again"
)
_CONDITIONS: Mapping[str, Condition] = {FLOOR: "floor", HELD: "held", DELIVERED: "delivered"}


def truth_of(
    opened: EpisodeOpened, handled: Sequence[Handled], parameters: Mapping[str, int | float] | None = None
) -> Truth:
    """`parameters`: those of an evaluation's arm, where they differ from the scenario as published."""
    world = opened.mission.world
    if world.name == "arena":
        return Truth(why_not=IN_PHYSICS)
    if world.name != "grid" or world.scenario not in SCENARIOS:
        return Truth(why_not=NOT_RECORDED)
    try:
        scenario = _scenario(SCENARIOS[world.scenario], parameters or {})
    except ScenarioError as error:
        return Truth(why_not=f"Its world cannot be told here: {error}")
    if not _is_its_site(opened, scenario):
        return Truth(why_not="Its map is another one than this version's scenario of that name has.")
    try:
        told = course(scenario, opened.seed, list(_handlings(opened, scenario, handled)))
    except DoesNotFit as error:
        return Truth(why_not=f"Its journal does not fit the world's tape. {error}")
    facts: dict[str, tuple[Fact, ...]] = {}
    for from_s, entity, cls, state, pose in told:
        fact = Fact(from_s=from_s, cls=cls, condition=_CONDITIONS[state], pose=Pose(*pose))
        facts[entity] = (*facts.get(entity, ()), fact)
    return Truth(facts=facts)


def _scenario(scenario: Scenario, parameters: Mapping[str, int | float]) -> Scenario:
    """Raises ScenarioError."""
    if not parameters:
        return scenario
    values = {name: value for name, value in asdict(scenario).items() if name not in ("name", "code")}
    return custom({**{name: value for name, value in values.items() if value is not None}, **parameters})


def _is_its_site(opened: EpisodeOpened, scenario: Scenario) -> bool:
    """A person's survey may block further cells; it takes none away."""
    grid = opened.site.map
    obstacles = draw_obstacles(scenario, opened.seed)
    same = (grid.width, grid.height, grid.cell_m) == (scenario.size, scenario.size, scenario.cell_m)
    return same and obstacles <= {(x, y) for x, y in grid.occupied}


def _handlings(opened: EpisodeOpened, scenario: Scenario, handled: Sequence[Handled]) -> Iterator[Handling]:
    """What changed hands between one measurement and the next. A step of the world ends a second later."""
    held = opened.held
    for each in handled:
        cell = _cell(scenario, each.pose)
        t = max(0, round(each.ended_s) - 1)
        if each.missed:
            yield Handling(round(each.started_s), each.missed, "miss", cell)
        if each.held == held:
            continue
        if held is not None:
            what = "deliver" if each.station else "drop"
            yield Handling(t, held, what, cell, each.station)
        if each.held is not None:
            yield Handling(t, each.held, "grasp", cell)
        held = each.held


def _cell(scenario: Scenario, pose: Pose | None) -> tuple[int, int]:
    if pose is None:
        return ELSEWHERE
    return round(pose.x_m / scenario.cell_m), round(pose.y_m / scenario.cell_m)


def telling(results: Results) -> Callable[[EpisodeOpened, Sequence[Handled], Evaluated | None], Truth]:
    """`truth_of`, which finds an evaluation's parameters by itself."""

    def tell(opened: EpisodeOpened, handled: Sequence[Handled], evaluated: Evaluated | None) -> Truth:
        if evaluated is None:
            return truth_of(opened, handled)
        run = results.run(evaluated.run)
        if run is None or evaluated.arm >= len(run.study.arms):
            return Truth(why_not="The evaluation that measured it is gone, and its world's parameters too.")
        return truth_of(opened, handled, run.study.arms[evaluated.arm].parameters)

    return tell
