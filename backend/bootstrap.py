"""Puts the parts together: the only module that knows every adapter.

Each function gives one thing, ready to use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
from sqlalchemy import Engine

from backend.assets import asset
from backend.bridge.addresses import find_bridge, robot_home
from backend.bridge.link import LinkBridge, OnTelemetry
from backend.bridge.pictures import pixels_of
from backend.bridge.worlds import catalogue_of, worlds_of
from backend.config import PREFIX, ConfigError, Settings
from backend.domain.execution.frames import Frame
from backend.missions import MissionFiles
from backend.persistence import leases
from backend.persistence.connect import open_database, sqlite_url
from backend.persistence.errors import PersistenceError
from backend.persistence.frames import FrameStore
from backend.persistence.heard import sources_heard
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.persistence.reader import SqlReader
from backend.persistence.telemetry import TelemetryWriter
from backend.planners.errors import PlannerConfigurationError, PlannerError
from backend.planners.oracle import OraclePlanner
from backend.planners.policy import PolicyPlanner
from backend.planners.settings import OpenAISettings
from backend.shelf import DatabaseEdits, survey_of
from backend.usecases.framing import FrameKeeper
from backend.usecases.inline import InlineExecutor
from backend.usecases.ordering import PLANNERS, RunRequest
from backend.usecases.ports import Planner
from backend.usecases.reading import Reader

DATABASE = "quarterdeck.db"


def code_version() -> str:
    try:
        return version("quarterdeck")
    except PackageNotFoundError:
        return "unknown"


def evaluation_version() -> str:
    """The version, and a digest of the code that plays an episode: one table holds episodes of one such."""
    from backend.rig import code_digest

    return f"{code_version()}+{code_digest()}"


def prepare_home(settings: Settings) -> Path:
    """The home, made where it is missing. Raises ConfigError where it cannot be written."""
    home = settings.home
    try:
        home.mkdir(parents=True, exist_ok=True)
        probe = home / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ConfigError(
            f"The home {home} cannot be written: {error.strerror or error}."
            f" Make it writable, or name another with --home or {PREFIX}HOME."
        ) from error
    return home


def open_engine(settings: Settings) -> Engine:
    """Connects to nothing yet. Raises DatabaseUrlWrong."""
    file = settings.home.absolute() / DATABASE
    return open_database(settings.database_url or sqlite_url(file))


def ready_engine(settings: Settings) -> Engine:
    """A database at this version's tables, brought there if need be. Raises PersistenceError, ConfigError."""
    from backend.persistence import schema

    prepare_home(settings)
    engine = open_engine(settings)
    schema.upgrade(engine)
    return engine


def has_run(settings: Settings) -> bool:
    """Whether there is a database to look into; one that is named elsewhere is taken to be there."""
    return bool(settings.database_url) or (settings.home / DATABASE).is_file()


def checked_engine(settings: Settings) -> Engine:
    """One that is there, at this version's tables. Raises PersistenceError, ConfigError."""
    from backend.persistence import schema

    if not has_run(settings):
        raise ConfigError(
            f"Nothing has run in {settings.home} yet: it holds no database."
            f" Run quarterdeck serve, or name another home with --home or {PREFIX}HOME."
        )
    engine = open_engine(settings)
    schema.check(engine)
    return engine


def frame_store(settings: Settings) -> FrameStore:
    return FrameStore(str(settings.home.absolute() / "frames"))


def reader(settings: Settings, engine: Engine) -> Reader:
    return SqlReader(engine, frame_store(settings))


def mission_files(settings: Settings, engine: Engine | None = None) -> MissionFiles:
    """Those that come along, the home's own, which win, and before both what was edited in the console.

    Without `engine` the home's database is looked into, where there is one.
    """
    folders = (settings.home / "missions", asset("missions"))
    if engine is None and has_run(settings):
        engine = open_engine(settings)
    if engine is None:
        return MissionFiles(folders, worlds_of(settings.home), catalogue_of)
    return MissionFiles(
        folders,
        worlds_of(settings.home),
        catalogue_of,
        edits=DatabaseEdits(engine),
        survey_of=survey_of(engine),
    )


def planner_named(name: str, settings: Settings) -> Planner:
    """Raises ConfigError naming the setting that is missing or wrong."""
    try:
        return _planner(name, settings)
    except PlannerConfigurationError as error:
        told = in_words_of_settings(error)
    except PlannerError as error:
        told = str(error)
    raise ConfigError(f"Planner {name} cannot be used: {told}")


def in_words_of_settings(error: PlannerConfigurationError) -> str:
    """The planner names its own fields first; an operator sets them by variables of the environment."""
    setting, _, rest = str(error).partition(" ")
    rest = re.sub(r"\b(base_url|api_key)\b", lambda found: f"{PREFIX}PLANNER_{found[0].upper()}", rest)
    return f"{PREFIX}PLANNER_{setting.upper()} {rest}"


def executor_for(planner: str) -> Executor:
    """A planner that computes answers at once; one that waits for a server, or reads many pictures, does so
    beside the loop."""
    computes = planner in ("policy", "oracle")
    return InlineExecutor() if computes else ThreadPoolExecutor(1, thread_name_prefix="planner")


def _planner(name: str, settings: Settings) -> Planner:
    if name in ("policy", "operator"):
        return PolicyPlanner()
    if name in ("openai", "per_chunk"):
        return _model(name, settings)
    if name == "surrogate":
        from backend.planners.surrogate.planner import SurrogatePlanner

        return SurrogatePlanner(load_picture=pictures_of(settings))
    if name == "oracle":
        return OraclePlanner()
    if name == "recorded":
        from backend.planners.recorded import RecordedPlanner
        from backend.planners.recording import load

        if settings.planner_recording is None:
            raise PlannerConfigurationError(
                "recording is not set. Name the file of exchanges to answer from."
            )
        return RecordedPlanner(load(settings.planner_recording))
    raise ConfigError(f"Planner {name[:80]!r} is unknown. Choose one of {', '.join(PLANNERS)}.")


def _model(name: str, settings: Settings) -> Planner:
    # Here, as it takes longer to import than all the rest, and a runner must be back within two seconds.
    from backend.planners.manner import USUAL
    from backend.planners.openai import OpenAIPlanner
    from backend.planners.per_chunk import PER_CHUNK
    from backend.planners.recording import RecordingPlanner

    manner = PER_CHUNK if name == "per_chunk" else USUAL
    planner = OpenAIPlanner(openai_settings(settings), load_picture=pictures_of(settings), manner=manner)
    to = settings.planner_record_to
    return planner if to is None else RecordingPlanner(planner, to)


def pictures_of(settings: Settings) -> Callable[[Frame], bytes]:
    """Reads stored frames, as planners want them: KeyError where one is missing."""
    store = frame_store(settings)

    def picture(frame: Frame) -> bytes:
        try:
            return store.get(frame.sha256)
        except PersistenceError as error:
            raise KeyError(str(error)) from error

    return picture


def openai_settings(settings: Settings) -> OpenAISettings:
    names = [field.name for field in msgspec.structs.fields(OpenAISettings)]
    values = {name: getattr(settings, f"planner_{name}") for name in names}
    return OpenAISettings(**{**values, "api_key": settings.planner_api_key.get_secret_value()})


@dataclass(frozen=True)
class Seat:
    """Everything that a runner holds of its episode besides the lease."""

    episode: str
    request: RunRequest
    engine: Engine
    inbox: SqlInbox
    bridge: LinkBridge
    planner: Planner
    executor: Executor
    keep_frames: FrameKeeper
    telemetry: TelemetryWriter
    lease_s: float

    def claim(self, holder: str, address: str) -> leases.Lease:
        """Raises LeaseTaken."""
        return leases.claim(
            self.engine, self.episode, self.request.robots, holder, address=address, ttl_s=self.lease_s
        )

    def renew(self, lease: leases.Lease) -> leases.Lease:
        """Raises LostLease."""
        return leases.renew(self.engine, lease, ttl_s=self.lease_s)

    def release(self, lease: leases.Lease) -> None:
        leases.release(self.engine, lease)

    def journal(self, lease: leases.Lease) -> SqlJournal:
        return SqlJournal(self.engine, lease)

    def heard(self) -> Mapping[str, float]:
        """By source, how many seconds ago it last reported, whoever ran the episode then."""
        return sources_heard(self.engine, self.episode)


def seat(settings: Settings, episode: str, *, on_telemetry: OnTelemetry, on_news: Callable[[], None]) -> Seat:
    """Raises ConfigError, UnknownEpisode, StorageFailure. Who starts a runner has checked the database."""
    engine = open_engine(settings)
    request = msgspec.convert(reader(settings, engine).episode(episode).request, RunRequest)
    folder = robot_home(settings.home, request.robot)
    return Seat(
        episode=episode,
        request=request,
        engine=engine,
        inbox=SqlInbox(engine, episode),
        bridge=LinkBridge(lambda: find_bridge(folder), on_telemetry=on_telemetry, on_news=on_news),
        planner=planner_named(request.planner, settings),
        executor=executor_for(request.planner),
        keep_frames=FrameKeeper(frame_store(settings).put, pixels_of),
        telemetry=TelemetryWriter(engine, episode),
        lease_s=settings.lease_s,
    )
