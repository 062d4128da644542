"""The console on a stand: the real application and database, and an episode's real loop, driven by a thread
or by hand.

What stands in for the rest of a Quarterdeck: the bridge is a grid in this process, and orders start nothing
but a row.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from pydantic import SecretStr
from sqlalchemy import Engine
from starlette.testclient import TestClient

from backend.bridge.in_process import InProcessBridge
from backend.bridge.pictures import pixels_of
from backend.bridge.worlds import WORLDS, catalogue_of
from backend.config import Settings as QuarterdeckSettings
from backend.console import replays_of, studies_of
from backend.domain.command.policy import Policy
from backend.domain.episode.events import Recorded, RunnerStarted
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import Mission, World
from backend.domain.mission.survey import Survey
from backend.endpoints import PlannerEndpoints
from backend.evaluation.errors import EvaluationError, NoSuchEpisode, NotYetRebuilt
from backend.evaluation.replays import ReplayingReader
from backend.evaluation.sealed import SealedInbox
from backend.experiments.desk import ExperimentDesk
from backend.library import MissionShelf
from backend.missions import MissionFiles
from backend.persistence import accounts, tokens
from backend.persistence.alarms import SqlAlarms
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.attempts import SqlAttempts
from backend.persistence.errors import AccountRefused, FrameMissing, PersistenceError, UnknownEpisode
from backend.persistence.frames import FrameStore
from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox, clock_s
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import Lease, claim
from backend.persistence.people import SqlAcknowledgements, SqlPreferences
from backend.persistence.reader import SqlReader
from backend.persistence.registry import SqlRegistry
from backend.persistence.replies import SqlReplies
from backend.persistence.results import DatabaseResults
from backend.persistence.retention.usage import SqlStorage
from backend.persistence.search.finding import SqlSearch
from backend.persistence.sessions import SqlAccounts
from backend.planners.policy import PolicyPlanner
from backend.processes.feed import Feed
from backend.shelf import DatabaseEdits, survey_of
from backend.sites import SiteShelf
from backend.truth import telling
from backend.usecases.inline import InlineExecutor
from backend.usecases.loop import EpisodeLoop
from backend.usecases.opening import opening
from backend.usecases.ports import BridgeUnreachable, Planner
from backend.web.app import create_app
from backend.web.deps import AS_MISSION, Deps, NewEpisode, OrderRefused, Settings
from backend.web.guard.passwords import hash_password
from backend.web.pages.parts import Choice
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from tests.support.checkout import ROOT

ORIGIN = "http://testserver"
HERE = {"sec-fetch-site": "same-origin"}
HX = {**HERE, "hx-request": "true"}
SETTINGS = Settings(
    templates=ROOT / "frontend", static=ROOT / "static", answer_within_s=5.0, stop_within_s=2.0
)
_numbers = itertools.count(1)


@dataclass
class Played:
    """One episode with its loop. `running` ticks it in a thread; or call `tick` by hand."""

    episode: str
    loop: EpisodeLoop
    bridge: InProcessBridge
    inbox: SqlInbox
    lease: Lease
    lock: threading.Lock = field(default_factory=threading.Lock)
    """A bridge answers one at a time; this one is called from two threads."""

    @property
    def state(self) -> State:
        return self.loop.state

    def tick(self, count: int = 1) -> Played:
        for _ in range(count):
            self.loop.tick()
        return self

    def loop_pause(self) -> None:
        """A moment for the thread that ticks it."""
        time.sleep(0.02)

    def until(self, reached: Any, ticks: int = 5000) -> Played:
        """Tick by hand until `reached(state)`."""
        for _ in range(ticks):
            if reached(self.loop.state):
                return self
            self.loop.tick()
        raise AssertionError(f"never reached, stuck at: {self.loop.state.asks_person or self.loop.state.seq}")

    @contextmanager
    def running(self, pause_s: float = 0.005) -> Iterator[Played]:
        """In a thread, as a runner would."""
        over = threading.Event()
        failed: list[Exception] = []

        def run() -> None:
            while not over.is_set():
                try:
                    with self.lock:
                        self.loop.tick()
                except Exception as error:
                    failed.append(error)
                    return
                over.wait(pause_s)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            over.set()
            thread.join(10)
            assert not failed, f"the loop failed: {failed[0]!r}"


@dataclass
class Stand:
    """`told`: the stops that went to a bridge directly, as (episode, stop_id, by). `spawned`: the commands of
    evaluation runs that were started.
    """

    engine: Engine
    frames: FrameStore
    settings: Settings = SETTINGS
    played: dict[str, Played] = field(default_factory=dict)
    told: list[tuple[str, str, str]] = field(default_factory=list)
    bridge_is_deaf: bool = False
    asking: Executor = field(default_factory=InlineExecutor)
    spawned: list[Sequence[str]] = field(default_factory=list)
    planner_settings: QuarterdeckSettings = field(
        default_factory=lambda: QuarterdeckSettings(planner_api_key=SecretStr("sk-very-secret"))
    )

    def deps(self, **more: Any) -> Deps:
        replays = replays_of(self.engine, self.frames)
        look = ReplayingReader(SqlReader(self.engine, self.frames), replays)
        given = Deps(
            settings=self.settings,
            reader=look,
            inbox=lambda episode: (
                SealedInbox(lambda: clock_s(self.engine))
                if look.is_sealed(episode)
                else SqlInbox(self.engine, episode)
            ),
            frames=self.frames,
            attempts=SqlAttempts(self.engine),
            registry=SqlRegistry(self.engine),
            replies=SqlReplies(self.engine),
            pixels=pixels_of,
            accounts=SqlAccounts(self.engine),
            acknowledgements=SqlAcknowledgements(self.engine),
            alarms=SqlAlarms(self.engine),
            preferences=SqlPreferences(self.engine),
            annotations=SqlAnnotations(self.engine),
            search=SqlSearch(self.engine),
            storage=SqlStorage(self.engine, self.frames, Path()),
            orders=self,
            missions=MissionShelf(self.engine, files_of(self.engine)),
            sites=SiteShelf(self.engine),
            endpoints=PlannerEndpoints(self.planner_settings, lambda: 1_800_000_000.0),
            experiments=ExperimentDesk(self.planner_settings, self.engine, look, self.asking),
            studies=studies_of(self.engine, replays, self.spawned.append),
            stop_directly=self.stop_directly,
            clock_s=lambda: clock_s(self.engine),
            truth=telling(DatabaseResults(self.engine)),
            missing=(UnknownEpisode, FrameMissing, NoSuchEpisode),
            denied=(AccountRefused,),
            failed=(PersistenceError, EvaluationError),
            pending=(NotYetRebuilt,),
        )
        return replace(given, **more)

    def stop_directly(self, episode: str, stop_id: str, by: str) -> bool:
        if episode not in self.played:
            return False
        if self.bridge_is_deaf:
            raise BridgeUnreachable("no answer within 1 s")
        self.told.append((episode, stop_id, by))
        with self.played[episode].lock:
            self.played[episode].bridge.stop(stop_id, by)
        return True

    def missions(self) -> Sequence[Choice]:
        return (Choice(value="s-6", label="S-6", text="6 containers."), Choice(value="d-10", label="D-10"))

    def planners(self) -> Sequence[Choice]:
        return (
            Choice(value="policy", label="Policy"),
            Choice(value="openai", label="Language model", text="No key is set.", available=False),
        )

    def sites(self) -> Sequence[Choice]:
        return (Choice(value="wet-yard", label="The wet yard", text="1 region closed."),)

    def start(self, asked: NewEpisode, by: str) -> str:
        if asked.mission not in SCENARIOS:
            raise OrderRefused("mission", f"There is no mission {asked.mission}.", "Choose s-6 or d-10.")
        policy = Policy() if asked.policy == AS_MISSION else Policy(mode=asked.policy)  # type: ignore[arg-type]
        policy = policy if asked.risk is None else replace(policy, risk=asked.risk)
        return (
            self.play(asked.mission, seed=asked.seed, policy=policy, by=by, shadow=asked.mode == "shadow")
            .tick(2)
            .episode
        )

    def ordered(self, by: str = "ada") -> str:
        """An episode that no runner has taken."""
        episode = f"e{next(_numbers)}"
        order_episode(self.engine, episode, {"mission": {"name": "s-6"}}, by)
        return episode

    def play(
        self,
        scenario: str = "s-6",
        *,
        seed: int = 1,
        policy: Policy = Policy(),  # noqa: B008  # frozen
        planner: str = "policy",
        answers: Planner | None = None,
        by: str = "ada",
        expires_s: float | None = None,
        lease_s: float = 600.0,
        memory: str = "attention",
        feed: Feed | None = None,
        episode: str = "",
        site: Survey | None = None,
        shadow: bool = False,
    ) -> Played:
        """`feed`: the runner's socket, whose address then stands in the lease row."""
        episode = episode or self.ordered(by)
        bridge = InProcessBridge(GridWorld(SCENARIOS[scenario], seed))
        hello = bridge.hello(1)
        mission = Mission(
            name=scenario,
            title=f"Recycle {scenario.upper()}",
            goal="Bring every container to its station.",
            completion="All containers stand at their stations and nothing is held.",
            world=World(name="grid", scenario=scenario),
            memory=NAMED[memory],
            policy=policy,
            approval_expires_s=expires_s,
            site=site,
            shadow=shadow,
        )
        lease = claim(
            self.engine,
            episode,
            [f"robot of {episode}"],
            "runner",
            address=feed.address if feed else "",
            ttl_s=lease_s,
        )
        journal = SqlJournal(self.engine, lease)
        first = opening(episode, mission, hello, planner=planner, seed=seed, code_version="test")
        second = Recorded(
            seq=2, met_s=0.0, actor="system", event=RunnerStarted(epoch=lease.epoch, code_version="test")
        )
        journal.append([first, second])
        inbox = SqlInbox(self.engine, episode)
        loop = EpisodeLoop(
            fold([first, second]),
            journal,
            inbox,
            answers or PolicyPlanner(),
            bridge,
            InlineExecutor(),
            monotonic=time.monotonic,
            on_commit=(lambda events, _: feed.events(events)) if feed else None,
        )
        loop.begin(hello.initial)
        self.played[episode] = Played(episode, loop, bridge, inbox, lease)
        return self.played[episode]

    @contextmanager
    def client(self, name: str | None = "op-1", **more: Any) -> Iterator[TestClient]:
        """The console, with the session of `name` in the cookie jar."""
        with TestClient(create_app(self.deps(**more)), base_url=ORIGIN, follow_redirects=False) as client:
            if name is not None:
                self.sign_in(client, name)
            yield client

    def sign_in(self, client: TestClient, name: str) -> None:
        link = tokens.issue(self.engine, name, "sign_in", 60.0)
        assert client.get(f"/signin?token={link}").status_code == 303


def files_of(engine: Engine) -> MissionFiles:
    """The missions that come along, with what was edited in this database."""
    return MissionFiles(
        (ROOT / "missions",), WORLDS, catalogue_of, edits=DatabaseEdits(engine), survey_of=survey_of(engine)
    )


def prepared(engine: Engine, folder: Path) -> Stand:
    """With the accounts that tests sign in with; `pat` has the password "correct horse battery"."""
    for name, role in (("op-1", "operator"), ("op-2", "operator"), ("watcher", "viewer"), ("boss", "admin")):
        accounts.add_user(engine, name, role, "test")  # type: ignore[arg-type]
    accounts.add_user(engine, "pat", "operator", "test", password_hash=hash_password("correct horse battery"))
    return Stand(engine, FrameStore(str(folder)))
