"""What an episode at the table is played on: world and planner in this process, and where pictures go."""

from __future__ import annotations

import hashlib
from typing import Protocol

from backend.bridge.in_process import InProcessBridge
from backend.bridge.pictures import pixels_of
from backend.domain.execution.frames import Frame
from backend.evaluation.errors import WrongStudy
from backend.evaluation.tabletop_arms import scenario_at
from backend.evaluation.tabletop_measures import Happened
from backend.evaluation.tabletop_play import Table, table_mission
from backend.planners.oracle import OraclePlanner
from backend.planners.surrogate.planner import SurrogatePlanner
from backend.planners.surrogate.rewriting import Rates
from backend.task_notes import with_task_note
from backend.usecases.framing import FrameKeeper
from backend.usecases.ports import Planner
from backend.usecases.results import Arm
from robot_bridge.tabletop.scenarios import scenario_named
from robot_bridge.tabletop.tasks.seeds import seed_of


class Pictures(Protocol):
    """Keeps pictures by content, as the store of frames does."""

    def put(self, data: bytes) -> str: ...

    def get(self, sha256: str) -> bytes: ...


class PicturesInMemory:
    """Of one episode, gone with it."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        self._kept[sha256] = data
        return sha256

    def get(self, sha256: str) -> bytes:
        return self._kept[sha256]


def table_rig(arm: Arm, episode: int, pictures: Pictures | None = None) -> Table:
    """Of test episode `episode`; without `pictures` they are kept in memory. Raises WrongStudy."""
    try:
        # Only here: MuJoCo is an extra.
        from robot_bridge.tabletop.true_events import demonstrated, seen_by_rules
        from robot_bridge.tabletop.world import TabletopWorld
    except ImportError as error:
        raise WrongStudy(
            f"The table needs {error.name}.", field="scenario", remedy="Run: pip install 'quarterdeck[sim]'."
        ) from None
    seed = seed_of("test", arm.scenario, episode)
    scenario = scenario_named(scenario_at(arm, episode))
    world = TabletopWorld(scenario, seed, emits_truth=arm.planner == "oracle")
    store = pictures or PicturesInMemory()
    return Table(
        bridge=InProcessBridge(world, leaps=True),
        planner=_planner(arm, store, seed),
        keep=FrameKeeper(store.put, pixels_of),
        mission=with_task_note(table_mission(arm, episode)),
        seed=seed,
        happened=lambda: Happened(steps=seen_by_rules(world), demonstrated=demonstrated(world)),
    )


def _planner(arm: Arm, store: Pictures, seed: int) -> Planner:
    def load(frame: Frame) -> bytes:
        return store.get(frame.sha256)

    if arm.planner == "surrogate":
        rates = Rates(drop=float(arm.asked.get("drop", 0.0)), miscount=float(arm.asked.get("miscount", 0.0)))
        return SurrogatePlanner(load_picture=load, rates=rates, seed=seed)
    if arm.planner == "oracle":
        return OraclePlanner()
    raise WrongStudy(
        f"There is no planner {arm.planner[:60]!r} that could be played here.",
        field="planner",
        remedy="At the table it is surrogate or oracle.",
    )
