"""What an evaluation plays on: a grid or arena in this process, the planner an arm names, and which code.

It joins three adapters, so it stands above them. A worker process is told its functions by name.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec.structs import replace

import backend
import robot_bridge
from backend.bridge.in_process import InProcessBridge
from backend.domain.episode.events import EpisodeOpened, ExchangeRecorded, Recorded
from backend.domain.geometry import Pose
from backend.domain.hindsight.truth import Fact, Truth
from backend.domain.query.query import AttemptMeta
from backend.evaluation.errors import WrongStudy
from backend.evaluation.tabletop_arms import is_table
from backend.evaluation.tabletop_play import Table
from backend.planners.in_order import InOrderPlanner
from backend.planners.journalled import JournalledPlanner
from backend.planners.lookahead import LookaheadPlanner
from backend.planners.oracle import OraclePlanner
from backend.planners.policy import PolicyPlanner
from backend.planners.recording import Exchange
from backend.table_rig import Pictures, table_rig
from backend.usecases.ports import Bridge, Planner
from backend.usecases.results import Arm
from robot_bridge.arena.scenarios import SCENARIOS as ARENA
from robot_bridge.grid.scenarios import SCENARIOS as GRID
from robot_bridge.grid.scenarios import Scenario, ScenarioError, custom, scenario_named
from robot_bridge.grid.world import GridWorld
from robot_bridge.tabletop.scenarios import scenario_named as tabletop_named
from robot_bridge.world import World

PLANNERS: Mapping[str, Callable[[], Planner]] = {
    "policy": PolicyPlanner,
    "lookahead": LookaheadPlanner,
    "in_order": InOrderPlanner,
}


def world_rig(arm: Arm, seed: int, pictures: Pictures | None = None) -> tuple[Bridge, Planner] | Table:
    """World, whichever the arm's scenario is of, and planner of one episode.

    `pictures` keeps what is seen at a table. Raises WrongStudy where the arm's parameters make no world, or
    name a planner that is not known here.
    """
    if is_table(arm):
        return table_rig(arm, seed, pictures)
    if arm.scenario in ARENA:
        return _arena_bridge(arm, seed), _planner(arm)
    return grid_rig(arm, seed)


def grid_rig(arm: Arm, seed: int) -> tuple[Bridge, Planner]:
    """`world_rig`, of the grid."""
    return grid_bridge(arm, seed), _planner(arm)


def _planner(arm: Arm) -> Planner:
    if arm.planner not in PLANNERS:
        raise WrongStudy(
            f"There is no planner {arm.planner[:60]!r} that could be played here.",
            field="planner",
            remedy=f"This version plays {', '.join(PLANNERS)}.",
        )
    return PLANNERS[arm.planner]()


def _arena_bridge(arm: Arm, seed: int) -> Bridge:
    if arm.parameters:
        raise WrongStudy("The arena has no parameters.", field="parameters", remedy="Leave them out.")
    try:
        # Only here: MuJoCo is an extra.
        from robot_bridge.arena.world import ArenaWorld
    except ImportError as error:
        raise WrongStudy(
            f"The arena needs {error.name}.", field="scenario", remedy="Run: pip install 'quarterdeck[sim]'."
        ) from None
    world = ArenaWorld(ARENA[arm.scenario], seed, emits_truth=arm.memory.entities == "oracle")
    return InProcessBridge(world, leaps=True)


def grid_bridge(arm: Arm, seed: int) -> Bridge:
    """Raises WrongStudy as above."""
    world = GridWorld(scenario_of(arm), seed, emits_truth=arm.memory.entities == "oracle")
    return InProcessBridge(world, leaps=True)


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


class NotRunAgain(Exception):
    """A recorded episode's world cannot be run again here; the text says why."""


def recorded_world(opened: EpisodeOpened) -> InProcessBridge:
    """The world of a recorded episode as it was at its beginning. Raises NotRunAgain."""
    world = opened.mission.world
    if world.name == "tabletop" and world.clock == "waits":
        return InProcessBridge(_tabletop(opened))
    return InProcessBridge(recorded_simulation(opened))


def _tabletop(opened: EpisodeOpened) -> World:
    told = opened.mission.memory.entities == "oracle" or opened.planner == "oracle"
    try:
        from robot_bridge.tabletop.world import TabletopWorld
    except ImportError as error:
        raise NotRunAgain(f"Its world needs {error.name}: pip install 'quarterdeck[sim]'.") from None
    try:
        return TabletopWorld(tabletop_named(opened.mission.world.scenario), opened.seed, emits_truth=told)
    except ValueError as error:
        raise NotRunAgain(f"Its world is none that can be run here: {error}") from None


def recorded_simulation(opened: EpisodeOpened) -> World:
    """The same world without a bridge before it. Raises NotRunAgain."""
    world, told = opened.mission.world, opened.mission.memory.entities == "oracle"
    if world.clock == "runs":
        raise NotRunAgain("Its world's clock ran by itself: what happened when is not to be had again.")
    if world.name == "grid" and world.scenario in GRID:
        return GridWorld(GRID[world.scenario], opened.seed, emits_truth=told)
    if world.name == "arena" and world.scenario in ARENA:
        try:
            from robot_bridge.arena.world import ArenaWorld
        except ImportError as error:
            raise NotRunAgain(f"Its world needs {error.name}: pip install 'quarterdeck[sim]'.") from None
        return ArenaWorld(ARENA[world.scenario], opened.seed, emits_truth=told)
    raise NotRunAgain(f"World {world.name[:60]} {world.scenario[:60]} is none that can be run here.")


def told_by(bridge: InProcessBridge, until_s: float) -> Truth:
    """Where everything was, second by second, of a world that has been run again up to `until_s`."""
    facts: dict[str, list[Fact]] = {}
    for second in range(math.floor(until_s) + 1):
        for each in bridge.truth(float(second)):
            fact = Fact(
                from_s=float(second),
                cls=each["cls"],
                condition=each["state"],
                pose=msgspec.convert(each["pose"], Pose),
            )
            told = facts.setdefault(each["entity"], [])
            if not told or replace(told[-1], from_s=fact.from_s) != fact:
                told.append(fact)
    return Truth(facts={entity: tuple(told) for entity, told in facts.items()})


def answering(journal: Sequence[Recorded]) -> Planner:
    """The planner that gives a journal's answers again and asks nobody; one that computes computes again."""
    # Here, as it brings the HTTP client along, which workers that compute do not need.
    from backend.planners.manner import USUAL
    from backend.planners.per_chunk import PER_CHUNK
    from backend.planners.recorded import RecordedPlanner

    opened = journal[0].event
    if isinstance(opened, EpisodeOpened) and opened.planner in PLANNERS:
        return PLANNERS[opened.planner]()
    if isinstance(opened, EpisodeOpened) and opened.planner == "oracle":
        return OraclePlanner()
    if isinstance(opened, EpisodeOpened) and opened.planner == "surrogate":
        return JournalledPlanner(journal)
    asked = [(each.event, each.meta) for each in journal if isinstance(each.event, ExchangeRecorded)]
    replies = groupby(asked, key=lambda each: (each[0].decision, each[0].attempt))
    manner = PER_CHUNK if isinstance(opened, EpisodeOpened) and opened.planner == "per_chunk" else USUAL
    return RecordedPlanner((_exchange(list(reply)) for _, reply in replies), manner=manner)


def _exchange(tries: list[tuple[ExchangeRecorded, Mapping[str, object] | None]]) -> Exchange:
    return Exchange(
        attempts=tuple([event.exchange for event, _ in tries]),
        metas=tuple([msgspec.convert(meta or {}, AttemptMeta) for _, meta in tries]),
    )


PLAYING = ("domain", "usecases", "bridge", "planners", "evaluation", "rig.py", "table_rig.py")
"""The parts of `backend` that decide how an episode goes, beside the worlds in `robot_bridge`."""


@cache
def code_digest() -> str:
    """Of the sources that play an episode: two runs under the same one can stand in one table."""
    here, worlds = Path(backend.__file__).parent, Path(robot_bridge.__file__).parent
    return digest_of_sources([*(here / part for part in PLAYING), worlds])


def digest_of_sources(roots: Sequence[Path]) -> str:
    """Of every Python file in or under each of `roots`, by its path from there and its bytes."""
    found = hashlib.sha256()
    for root in roots:
        for file in [root] if root.is_file() else sorted(root.rglob("*.py")):
            found.update(f"{root.name}/{file.relative_to(root).as_posix()}\n".encode())
            found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:12]
