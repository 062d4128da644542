"""Episodes on the stepped grid, played by the real loop in this process: what many tests start from."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import Any

from msgspec import Struct

from backend.bridge.in_process import InProcessBridge
from backend.domain.command.policy import Policy
from backend.domain.episode.evolve import evolve
from backend.domain.execution.budgets import Budgets
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import Mission, World
from backend.planners.policy import PolicyPlanner
from backend.usecases.doubles import MemoryEpisode, MemoryInbox
from backend.usecases.loop import EpisodeLoop
from backend.usecases.opening import opening
from backend.usecases.ports import Bridge, Planner
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld


class AtOnce(Executor):
    """Runs what it is given before `submit` returns."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Played(Struct):
    """A loop with everything that it stands on within reach."""

    loop: EpisodeLoop
    episode: MemoryEpisode
    inbox: MemoryInbox
    world: GridWorld
    clock: list[float]

    def run(self, ticks: int = 5000) -> Played:
        """Tick until the episode has ended; fails when it does not."""
        for _ in range(ticks):
            if self.loop.state.ending is not None:
                return self
            self.loop.tick()
        raise AssertionError(
            f"The episode did not end in {ticks} ticks: {self.loop.state.asks_person or 'stuck'}"
        )

    def kinds(self) -> list[str]:
        return [type(recorded.event).__name__ for recorded in self.episode.events]


def play(
    scenario: str = "s-6",
    *,
    memory: str = "attention",
    seed: int = 1,
    policy: str = "auto",
    planner: Planner | None = None,
    wrap: Any = None,
    expires_s: float | None = None,
) -> Played:
    """An episode opened and ready to tick. `wrap` may put a bridge of its own around the real one."""
    world = GridWorld(SCENARIOS[scenario], seed, emits_truth=memory == "oracle")
    bridge: Bridge = InProcessBridge(world)
    if wrap is not None:
        bridge = wrap(bridge)
    clock = [1000.0]
    episode = MemoryEpisode(lambda: clock[0])
    journal, hello = episode.claim(), bridge.hello(1)
    mission = Mission(
        name=scenario,
        title=scenario,
        goal="Bring every container to its station.",
        completion="All containers stand at their stations and nothing is held.",
        world=World(name="grid", scenario=scenario),
        memory=NAMED[memory],
        policy=Policy(mode=policy),  # type: ignore[arg-type]
        budgets=Budgets(decisions=None, tokens=None),
        approval_expires_s=expires_s,
    )
    first = opening("e1", mission, hello, planner="policy", seed=seed, code_version="test")
    journal.append([first])
    loop = EpisodeLoop(
        evolve(None, first),
        journal,
        MemoryInbox(episode),
        planner or PolicyPlanner(),
        bridge,
        AtOnce(),
        monotonic=lambda: clock[0],
    )
    loop.begin(hello.initial)
    return Played(loop=loop, episode=episode, inbox=MemoryInbox(episode), world=world, clock=clock)
