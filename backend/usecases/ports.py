"""The four ports of an episode: Journal, Inbox, Planner, Bridge. Doubles: `backend.usecases.doubles`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from backend.domain.command.intents import Intent, Settlement
from backend.domain.episode.events import Recorded
from backend.domain.execution.deprojection import Calibration
from backend.domain.execution.outcome import Measured, Outcome
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.mission.site import GridMap, Site
from backend.domain.mission.table import Table
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.plan import Step
from backend.domain.query.query import Query, Reply


class JournalError(Exception):
    """The journal did not take what was to be appended; nothing of it was written and nothing may move."""


class LostLease(JournalError):
    """Another runner holds this episode now, or this one's lease ran out: exit, and touch nothing."""


class StopPending(JournalError):
    """A hold arrived while a dispatch was being committed: take the inbox again before anything else."""


class IntentWithdrawn(JournalError):
    """The operator's request gave up while its intent was being decided: take the inbox again."""


class Journal(Protocol):
    """The append-only record of one episode, held under a lease (episode, epoch)."""

    def append(self, events: Sequence[Recorded], settled: Sequence[Settlement] = ()) -> None:
        """Write events and what became of the intents behind them in one transaction, or raise JournalError.

        Raises LostLease when seq or epoch are not the head's, StopPending when `events` holds a
        `step.dispatched` and a hold, abort or deny is still undecided in the inbox, IntentWithdrawn when a
        settled intent no longer is there.
        """

    def read(self, after: int = 0) -> Iterable[Recorded]:
        """Events with seq > `after`, in order."""


class Inbox(Protocol):
    """Operators' intents for one episode."""

    def take(self) -> tuple[Sequence[Intent], float]:
        """The undecided intents, oldest first, and the database's clock in epoch seconds. Takes none away."""


class Planner(Protocol):
    """Answers a query. May block until its own deadline; never raises for what a model does wrong."""

    def propose(self, query: Query) -> Reply: ...


class BridgeError(Exception):
    """The bridge refused or could not be reached."""


class BridgeUnreachable(BridgeError):
    """No answer within the bound. The command may or may not have arrived."""


class BridgeRefused(BridgeError):
    """The bridge answered no: `code`, the field, and the remedy are in its words."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Stopped(Struct, frozen=True, kw_only=True):
    """Standstill was measured for this stop."""

    stop_id: str
    measured: Measured = Measured()
    by: str = ""


class Picture(Struct, frozen=True, kw_only=True):
    """A frame as it came from the robot: a PNG of `camera` at world step `step`.

    `depth_png`: of the same size, 16 bits a pixel, millimetres; None where depth is not measured.
    """

    camera: str
    step: int
    png: bytes
    depth_png: bytes | None = None
    calibration: Calibration | None = None


class Reports(Struct, frozen=True, kw_only=True):
    """What the bridge had to say since last time. `through` is acknowledged once it is committed.

    `stopped` holds stops that the bridge made by itself too. `pictures`: dispatch id -> what its cameras
    recorded; `views`: what they saw right after it. `age_s`: how long ago the robot was last heard of.
    `relinked`: the connection was made anew since the last call, so that commands may have been lost, and
    these stops are in force; None where it was not. `robot_pose`: where the robot is now, where its bridge
    tells that between outcomes. `map`: the latest of a site that changes, where one was told since.
    """

    met_s: float
    evidence: tuple[Evidence, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    stopped: tuple[Stopped, ...] = ()
    pictures: Mapping[str, tuple[Picture, ...]] = {}
    views: Mapping[str, tuple[Picture, ...]] = {}
    through: int = 0
    age_s: float = 0.0
    relinked: tuple[str, ...] | None = None
    robot_pose: Pose | None = None
    map: GridMap | None = None


class Hello(Struct, frozen=True, kw_only=True):
    """What the bridge says of its robot and its world. `latched`: stops still in force.

    `table`: of a world that sets a task at one, without its views, which are still pictures in `views`.
    `demonstration`: how many frames are to be had of one.
    """

    robot: str
    robot_pose: Pose
    held: str | None
    met_s: float
    catalogue: Catalogue
    site: Site
    initial: tuple[Evidence, ...]
    total: int
    budget_steps: int | None
    ledger_id: str
    latched: tuple[str, ...] = ()
    table: Table | None = None
    views: tuple[Picture, ...] = ()
    demonstration: int = 0


class DispatchStatus(Struct, frozen=True, kw_only=True):
    """`state`: unknown, running, ended.

    `ledger_intact` False: the bridge has lost its memory and "unknown" means nothing. `pictures`, `views`:
    those that came with the outcome.
    """

    state: str
    ledger_intact: bool
    outcome: Outcome | None = None
    pictures: tuple[Picture, ...] = ()
    views: tuple[Picture, ...] = ()


class Bridge(Protocol):
    """One robot. Commands are idempotent by their ids; everything raises BridgeError when not taken."""

    def hello(self, epoch: int) -> Hello: ...

    def submit(
        self, epoch: int, dispatch_id: str, step: Step, goal: Pose | None, cameras: tuple[str, ...]
    ) -> None: ...

    def cancel(self, epoch: int, dispatch_id: str) -> None: ...

    def status(self, dispatch_id: str) -> DispatchStatus: ...

    def stop(self, stop_id: str, by: str) -> None: ...

    def release(self, epoch: int, stop_id: str) -> None: ...

    def poll(self) -> Reports:
        """Everything new. A world that waits advances by one step here while a skill runs."""

    def acknowledge(self, through: int) -> None: ...

    def heartbeat(self, epoch: int) -> None: ...

    def demonstration(self, first: int, count: int) -> tuple[Picture, ...]:
        """Frames `first` on of what was shown before the robot acts, at most `count`, itself at most 64."""
