"""What the console is given: accounts, orders, inboxes, and the straight way to a bridge. Apart from
`backend.bootstrap`, so that a runner need not load the web.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

import msgspec
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.assets import asset
from backend.bootstrap import code_version, evaluation_version, frame_store, mission_files, planner_named
from backend.bridge.addresses import find_bridge, robot_home
from backend.bridge.direct import stop_directly
from backend.bridge.pictures import pixels_of
from backend.bridge.worlds import catalogue_of
from backend.config import ConfigError, Settings
from backend.domain.command.policy import meant, misnamed_skills
from backend.domain.mission.mission import Mission
from backend.domain.mission.survey import Survey
from backend.endpoints import PlannerEndpoints
from backend.evaluation.errors import EvaluationError, NoSuchEpisode, NotYetRebuilt
from backend.evaluation.rebuild import rebuild
from backend.evaluation.replays import ReplayingReader, Replays
from backend.evaluation.sealed import SealedInbox
from backend.experiments.desk import ExperimentDesk
from backend.experiments.threads import Daemons
from backend.library import MissionShelf, summary_of
from backend.missions import MissionError, with_memory
from backend.persistence.accounts import add_user, all_users, password_hash_of, user_named
from backend.persistence.alarms import SqlAlarms
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.attempts import SqlAttempts
from backend.persistence.errors import AccountRefused, FrameMissing, PersistenceError, UnknownEpisode
from backend.persistence.frames import FrameStore
from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox, clock_s
from backend.persistence.leases import commander_of
from backend.persistence.people import SqlAcknowledgements, SqlPreferences
from backend.persistence.reader import SqlReader
from backend.persistence.recordings import DatabaseRecordings
from backend.persistence.registry import SqlRegistry
from backend.persistence.replies import SqlReplies
from backend.persistence.results import DatabaseResults
from backend.persistence.retention.usage import SqlStorage
from backend.persistence.search.finding import SqlSearch
from backend.persistence.sessions import SqlAccounts
from backend.persistence.tokens import issue
from backend.rig import world_rig
from backend.shelf import survey_of
from backend.sites import SiteShelf
from backend.studies.desk import StudyDesk
from backend.studies.starting import Spawn
from backend.truth import telling
from backend.usecases.ordering import (
    PLANNERS,
    RunRequest,
    new_episode,
    refuse_planner,
    request_of,
    robot_shared,
    with_clock,
    with_policy,
)
from backend.web.deps import AS_MISSION, Deps, NewEpisode, OrderRefused
from backend.web.deps import Settings as WebSettings
from backend.web.pages.parts import Choice
from backend.written import WrittenError
from robot_bridge.tabletop.tasks import TASK_NAMES

SIGN_IN_WITHIN_S = 900.0
ASKING = 2
"""What-ifs that are asked at a time; the others wait."""
REBUILDING = 2
"""Episodes of evaluations that are played again at a time."""
FIRST = (
    "recycling-s6", "recycling-dn14", "recycling-d10", "recycling-live6", "recycling-reveal5",
    "recycling-arena", "recycling-ros", *(f"tabletop-{task}" for task in TASK_NAMES),
)  # fmt: skip
"""Missions that come along, the one to try first at the head; the home's own follow."""


class MissionOrders:
    """What the console's form offers, and the start of an episode: a supervisor on this home gives it a
    runner.
    """

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._settings = settings
        self._engine = engine
        self._files = mission_files(settings, engine)
        self._sites = SiteShelf(engine)

    def missions(self) -> Sequence[Choice]:
        """A mission whose file is wrong is shown with what is wrong in it."""
        first = {name: place for place, name in enumerate(FIRST)}
        names = sorted(self._files.names(), key=lambda name: (first.get(name, len(FIRST)), name))
        return [self._choice(name) for name in names]

    def planners(self) -> Sequence[Choice]:
        return [_planner_choice(name, self._settings) for name in PLANNERS]

    def start(self, asked: NewEpisode, by: str) -> str:
        """The new episode's id. Raises OrderRefused."""
        try:
            mission = self._files.get(asked.mission)
        except MissionError as error:
            raise OrderRefused("mission", f"{error.file} {error.problem}.", error.remedy) from error
        try:
            planner_named(asked.planner, self._settings)
        except ConfigError as error:
            raise OrderRefused("planner", str(error), "Choose another planner.") from error
        refusal = refuse_planner(asked.planner, mission.world)
        if refusal is not None:
            raise OrderRefused("planner", refusal.message, refusal.remedy)
        if asked.memory not in ("", AS_MISSION, mission.memory.name, mission.memory.name.partition(",")[0]):
            try:
                mission = with_memory(mission, asked.memory)
            except MissionError as error:
                raise OrderRefused("memory", f"{error.file} {error.problem}.", error.remedy) from error
        if asked.policy not in ("", AS_MISSION):
            mission = with_policy(mission, asked.policy)
        if asked.risk is not None:
            mission = replace(mission, policy=replace(mission.policy, risk=asked.risk))
            catalogue = catalogue_of(mission.world)
            wrong = misnamed_skills(asked.risk, catalogue) if catalogue is not None else ()
            if catalogue is not None and wrong:
                said = f"This mission's robot has no skill {wrong[0]!r}."
                raise OrderRefused("skills", said, meant(wrong[0], catalogue))
        if asked.clock != AS_MISSION:
            mission = with_clock(mission, asked.clock)
        if asked.mode == "shadow":
            mission = replace(mission, shadow=True)
        if asked.site != AS_MISSION:
            mission = replace(mission, site=self._survey(asked.site))
        self._refuse_if_commanded(mission)
        episode = new_episode(mission.name)
        order_episode(self._engine, episode, request_of(episode, mission, asked.planner, asked.seed), by)
        return episode

    def _refuse_if_commanded(self, mission: Mission) -> None:
        """Raises OrderRefused where another episode has the robot; its lease would keep this one waiting."""
        robot = robot_shared(mission)
        other = None if robot is None else commander_of(self._engine, robot)
        if other is not None:
            said = f"Episode {other} commands robot {mission.world.scenario}, and one does at a time."
            raise OrderRefused("mission", said, "End that episode first, or choose another robot's mission.")

    def sites(self) -> Sequence[Choice]:
        return [
            Choice(
                value=each.name,
                label=each.title or each.name,
                text=each.error or each.summary,
                available=not each.error,
            )
            for each in self._sites.newest()
        ]

    def _survey(self, name: str) -> Survey:
        try:
            found = survey_of(self._engine)(name)
        except WrittenError as error:
            raise OrderRefused("site", f"{error.field} {error.problem}.", error.remedy) from error
        if found is None:
            raise OrderRefused("site", f"There is no site {name[:60]}.", "Choose one of those that are kept.")
        return found

    def _choice(self, name: str) -> Choice:
        try:
            mission = self._files.get(name)
        except MissionError as error:
            return Choice(value=name, label=name, text=str(error), available=False)
        return Choice(value=name, label=mission.title, text=summary_of(mission))


def _planner_choice(name: str, settings: Settings) -> Choice:
    labels = {
        "policy": "policy: the nearest sure container, no model",
        "openai": f"openai: {settings.planner_model}",
        "recorded": "recorded: answers on record, no model",
        "operator": "operator: you propose each plan",
        "surrogate": "surrogate: at a table, computed for measuring memories, no model",
        "per_chunk": f"per_chunk: at a table, after every chunk: {settings.planner_model}",
        "oracle": "oracle: at a table, subgoals by the truth, no model",
    }
    try:
        planner_named(name, settings)
    except ConfigError as error:
        return Choice(value=name, label=labels[name], text=str(error), available=False)
    return Choice(value=name, label=labels[name])


def web_deps(settings: Settings, engine: Engine) -> Deps:
    """What the console is given. Where accounts have passwords it asks for them, else for the link."""
    replays, clock = replays_of(engine, frame_store(settings)), partial(clock_s, engine)
    look = ReplayingReader(SqlReader(engine, frame_store(settings)), replays)

    @lru_cache(maxsize=1000)
    def robot_home_of(episode: str) -> Path:
        """Kept once known, so that a hold needs no database."""
        return robot_home(settings.home, msgspec.convert(look.episode(episode).request, RunRequest).robot)

    is_sealed = lru_cache(maxsize=10_000)(look.is_sealed)

    def stop(episode: str, stop_id: str, by: str) -> bool:
        if is_sealed(episode):
            return False
        return stop_directly(find_bridge(robot_home_of(episode)), stop_id, by).standstill

    return Deps(
        settings=WebSettings(
            templates=asset("frontend"),
            static=asset("static"),
            sign_in="account" if accounts_with_password(engine) else "link",
            hosts=settings.known_hosts,
            is_https=settings.https,
            version=code_version(),
            session_idle_s=settings.session_idle_s,
        ),
        reader=look,
        inbox=lambda episode: SealedInbox(clock) if is_sealed(episode) else SqlInbox(engine, episode),
        frames=frame_store(settings),
        pixels=pixels_of,
        accounts=SqlAccounts(engine, settings.session_max_s),
        attempts=SqlAttempts(engine),
        registry=SqlRegistry(engine),
        replies=SqlReplies(engine),
        acknowledgements=SqlAcknowledgements(engine),
        alarms=SqlAlarms(engine),
        preferences=SqlPreferences(engine),
        annotations=SqlAnnotations(engine),
        search=SqlSearch(engine),
        storage=SqlStorage(engine, frame_store(settings), settings.home),
        orders=MissionOrders(settings, engine),
        missions=MissionShelf(engine, mission_files(settings, engine)),
        sites=SiteShelf(engine),
        endpoints=PlannerEndpoints(settings, clock),
        experiments=ExperimentDesk(settings, engine, look, Daemons(ASKING, "what-if")),
        studies=studies_of(engine, replays, partial(start_beside, settings.home)),
        stop_directly=stop,
        clock_s=clock,
        truth=telling(DatabaseResults(engine)),
        missing=(UnknownEpisode, FrameMissing, NoSuchEpisode),
        denied=(AccountRefused,),
        failed=(PersistenceError, EvaluationError),
        pending=(NotYetRebuilt,),
    )


def replays_of(engine: Engine, frames: FrameStore) -> Replays:
    """`frames` takes what an episode at a table sees when it is played again, for its pages to show."""
    results, version = DatabaseResults(engine), evaluation_version()
    executor = ThreadPoolExecutor(REBUILDING, thread_name_prefix="rebuild")
    rig = partial(world_rig, pictures=frames)
    return Replays(lambda place: rebuild(place, results, rig, version), executor)


def studies_of(engine: Engine, replays: Replays, spawn: Spawn) -> StudyDesk:
    return StudyDesk(
        DatabaseResults(engine),
        DatabaseRecordings(engine),
        replays,
        annotated=SqlAnnotations(engine).of_each,
        version=evaluation_version(),
        clock_s=partial(clock_s, engine),
        spawn=spawn,
    )


def start_beside(home: Path, words: Sequence[str]) -> None:
    """`quarterdeck WORDS` in a session of its own, so that it goes on when the console is started anew."""
    with (home / "evaluation.log").open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "backend.cli", *words, "--home", str(home)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def accounts_with_password(engine: Engine) -> int:
    return sum(password_hash_of(engine, user.name) is not None for user in all_users(engine) if user.active)


def sign_in_code(engine: Engine, name: str) -> str:
    """A code that signs in once, within a quarter of an hour, as the person at this machine."""
    return issue(engine, local_user(engine, name), "sign_in", SIGN_IN_WITHIN_S)


def local_user(engine: Engine, name: str) -> str:
    """The account of the person at this machine: an admin, for who may write the database is one anyway."""
    if user_named(engine, name) is None:
        add_user(engine, name, "admin", "quarterdeck")
    return name
