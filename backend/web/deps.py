"""What the web is given, as one frozen object. It opens nothing itself and knows no other adapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backend.domain.access.attempts import Kind
from backend.domain.access.floods import Sent
from backend.domain.command.alarms import Alarm, Upkeep
from backend.domain.command.intents import Intent, Settlement
from backend.domain.command.policy import RiskRules
from backend.domain.episode.events import EpisodeOpened
from backend.domain.hindsight.truth import Handled, Truth
from backend.domain.refusal import Refusal
from backend.usecases.reading import Evaluated, Reader
from backend.web.access import Registry, Replies
from backend.web.annotations import Annotations
from backend.web.documents import Documents, Sites
from backend.web.endpoints import Endpoints
from backend.web.experiments import WhatIfs
from backend.web.live.link import RunnerLink, connect
from backend.web.pages.chrome import Chrome, User
from backend.web.pages.evaluation import (
    CellPage,
    ComparePage,
    PathsPage,
    Progress,
    RunList,
    RunPage,
    StartForm,
)
from backend.web.pages.parts import Choice, FieldError
from backend.web.searching import Search
from backend.web.storage import Storage

Role = Literal["viewer", "operator", "admin"]


class Account(Protocol):
    """Who has signed in."""

    @property
    def name(self) -> str: ...

    @property
    def role(self) -> Role: ...


class Session(Account, Protocol):
    """A sign-in. `session` is its name; `cookie`: to be sent in place of the one that came, or empty."""

    @property
    def session(self) -> str: ...

    @property
    def cookie(self) -> str: ...


class Bearer(Account, Protocol):
    """Who comes with an API token, and for what. `token` is the token's id."""

    @property
    def scopes(self) -> tuple[str, ...]: ...

    @property
    def token(self) -> str: ...


class Accounts(Protocol):
    """Sign-in links, passwords, sessions and API tokens. All are secrets: stored hashed and shown once."""

    def follow(self, code: str) -> Account | None:
        """Whose sign-in link `code` is, the first time that it is followed; None ever after."""

    def password_hash(self, name: str) -> str | None:
        """None for an unknown or inactive account, and for one without a password."""

    def open_session(self, name: str, ttl_s: float, address: str = "") -> str:
        """A new session's cookie."""

    def who(self, cookie: str, ttl_s: float) -> Session | None:
        """Whose session this is, kept open for another `ttl_s`; None when it ran out or was ended."""

    def is_open(self, session: str, ttl_s: float) -> bool:
        """Whether the session of this name goes on, whatever its cookie is by now."""

    def end_session(self, cookie: str) -> None: ...

    def bearer(self, token: str) -> Bearer | None:
        """Who comes with this API token; None when it ran out or was revoked."""


class Attempts(Protocol):
    """How often somebody tried to sign in, counted for all web processes together."""

    def begin(self, keys: Mapping[Kind, str]) -> Refusal | None:
        """Counts one more, or says how long to wait."""

    def failed(self, keys: Mapping[Kind, str]) -> None: ...

    def succeeded(self, keys: Mapping[Kind, str]) -> None: ...


class Inbox(Protocol):
    """The side of an episode's inbox that the web writes to, and reads to show what still waits."""

    def take(self) -> tuple[Sequence[Intent], float]:
        """The undecided intents, and the database's clock in epoch seconds."""

    def put(self, intent: Intent) -> None: ...

    def outcome(self, intent_id: str) -> Settlement | None: ...

    def withdraw(self, intent_id: str) -> bool: ...

    def came_s(self, intent_id: str) -> float | None:
        """When this intent was put, on the database's clock; None where it never was."""

    def lately(self, actor: str, within_s: float) -> tuple[Sequence[Sent], float]:
        """What that person sent in the last `within_s`, as far as it is bounded, oldest first; and the
        database's clock."""


class Acknowledgements(Protocol):
    """Who has seen which occurrence of what needs a person."""

    def of(self, episodes: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """By episode and the concern's key, who saw it first."""

    def acknowledge(self, episode: str, concern: str, by: str) -> None: ...


class Alarms(Protocol):
    """Those that hold, and those that are over although nobody has seen them."""

    def known(self) -> Sequence[Alarm]: ...

    def keep(self, changed: Upkeep) -> None: ...


class Preferences(Protocol):
    """How each person likes the console."""

    def of(self, user: str) -> Mapping[str, str]: ...

    def put(self, user: str, name: str, value: str) -> None: ...


class Frames(Protocol):
    def get(self, sha256: str) -> bytes: ...


AS_MISSION = "mission"


class NewEpisode(Struct, frozen=True, kw_only=True):
    """What a person asked to be run, as far as the form can check it. `memory`, `policy`, `site`, `clock`
    and `mode` are AS_MISSION where the mission says it; `risk`: rules in place of the mission's."""

    mission: str
    seed: int
    planner: str
    memory: str = AS_MISSION
    policy: str = AS_MISSION
    site: str = AS_MISSION
    clock: str = AS_MISSION
    mode: str = AS_MISSION
    risk: RiskRules | None = None


class OrderRefused(Exception):
    """The episode cannot be started as asked. `field` of the form, empty where it concerns none of them."""

    def __init__(self, field: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.remedy = remedy


class Orders(Protocol):
    """Missions that can be run here, planners that can be asked, and the start of an episode."""

    def missions(self) -> Sequence[Choice]: ...

    def planners(self) -> Sequence[Choice]: ...

    def sites(self) -> Sequence[Choice]:
        """Those that are kept here, besides what bridges declare."""

    def start(self, asked: NewEpisode, by: str) -> str:
        """The new episode's id. Raises OrderRefused."""


class Studies(Protocol):
    """What evaluation runs measured, as pages. Each raises NotThere for a run, cell or seed that is not."""

    def runs(self) -> RunList: ...

    def report(self, chrome: Chrome, run: int, compared: str | None) -> RunPage:
        """`compared`: the method whose differences are told. Raises Malformed where the run lacks it."""

    def start_form(
        self, name: str = "", seeds: str = "100", errors: tuple[FieldError, ...] = ()
    ) -> StartForm:
        """What the form of a new run offers, with what was typed."""

    def start(self, name: str, seeds: str, by: str) -> int | FieldError:
        """The number of the run. Raises TooLate while another is under way."""

    def go_on(self, run: int) -> None:
        """Raises TooLate where it cannot."""

    def progress(self, run: int, user: User) -> Progress | None:
        """None for a run that is finished."""

    def cell(self, chrome: Chrome, run: int, arm: int, page: int) -> CellPage: ...

    def paths(self, chrome: Chrome, run: int, arm: int, seed: int) -> PathsPage: ...

    def compare(self, chrome: Chrome, first: int, second: int) -> ComparePage: ...

    def export(self, run: int, as_csv: bool) -> Iterable[str]:
        """Lines, read as they are taken."""


StopDirectly = Callable[[str, str, str], bool]
"""(episode, stop_id, by): tells the episode's bridge to stop, past its runner; whether the robot stood still
already. Raises BridgeError."""

Pixels = Callable[[bytes], NDArray[np.uint8]]
"""A stored picture as height × width × 3. Raises UnreadablePicture."""

Connect = Callable[[str], AbstractAsyncContextManager[RunnerLink]]
"""(address): opens the runner's socket. Raises OSError when nobody listens there."""


TellTruth = Callable[[EpisodeOpened, Sequence[Handled], Evaluated | None], Truth]
"""Where everything was in an ended episode, or why nobody can tell."""


def untold(opened: EpisodeOpened, handled: Sequence[Handled], evaluated: Evaluated | None) -> Truth:
    return Truth(why_not="No simulator is at hand that could tell where things really were.")


class Settings(Struct, frozen=True, kw_only=True):
    """`sign_in`: by the one-time link that `serve` prints, or with an account and password.

    `hosts`: names and addresses under which the console may be reached, without port; empty: any.
    `is_https`: cookies are sent over TLS alone.
    """

    templates: Path
    static: Path
    sign_in: Literal["link", "account"] = "link"
    hosts: tuple[str, ...] = ()
    is_https: bool = False
    version: str = ""
    session_idle_s: float = 12 * 3600.0
    answer_within_s: float = 5.0
    stop_within_s: float = 1.5


class Deps(Struct, frozen=True, kw_only=True):
    """`clock_s`: epoch seconds on the database's clock. `missing`: the store's errors for an unknown id;
    `failed`: its other errors, each with `message` and `remedy`. `pending`:
    what will be there in a while."""

    settings: Settings
    reader: Reader
    inbox: Callable[[str], Inbox]
    frames: Frames
    pixels: Pixels
    accounts: Accounts
    attempts: Attempts
    registry: Registry
    replies: Replies
    acknowledgements: Acknowledgements
    alarms: Alarms
    preferences: Preferences
    annotations: Annotations
    search: Search
    storage: Storage
    orders: Orders
    missions: Documents
    sites: Sites
    endpoints: Endpoints
    studies: Studies
    experiments: WhatIfs
    stop_directly: StopDirectly
    clock_s: Callable[[], float]
    connect: Connect = connect
    truth: TellTruth = untold
    missing: tuple[type[Exception], ...] = ()
    denied: tuple[type[Exception], ...] = ()
    failed: tuple[type[Exception], ...] = ()
    pending: tuple[type[Exception], ...] = ()
