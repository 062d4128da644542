"""What one tick is given: everything that arrived since the last one, and the clocks.
And what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backend.domain.command.intents import Intent, Settlement
from backend.domain.episode.events import Recorded
from backend.domain.episode.evolve import following
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Outcome
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.mission.site import GridMap
from backend.domain.query.query import Reply


class StandstillReport(Struct, frozen=True, kw_only=True):
    """The bridge measured standstill for a stop.
    `by` names the bridge's own reason where it stopped by itself."""

    stop_id: str
    pose: Pose | None = None
    by: str = ""


class Doubt(Struct, frozen=True, kw_only=True):
    """A dispatch of which the bridge's ledger knows nothing, because it lost it."""

    dispatch_id: str
    reason: str


class Inputs(Struct, frozen=True, kw_only=True):
    """`met_s` is the world's clock. `now_s` is the database's, in epoch seconds: leases and expiry go by it.

    `stop_waits_s`: stop id -> seconds since it was asked, on the monotonic clock, while it is not confirmed.
    `times`: how often each piece of evidence was said; empty where each was said once. `robot_pose`: where
    the robot is now, by its telemetry; None where that is not told. `map`: the newest of the site, where one
    was told.
    """

    met_s: float
    now_s: float = 0.0
    intents: tuple[Intent, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    standstills: tuple[StandstillReport, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    times: tuple[int, ...] = ()
    replies: tuple[Reply, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    stop_waits_s: Mapping[str, float] = {}
    robot_pose: Pose | None = None
    map: GridMap | None = None

    @property
    def is_quiet(self) -> bool:
        """Nothing arrived but time."""
        return self.map is None and not (
            self.intents or self.outcomes or self.standstills or self.evidence or self.replies or self.doubts
        )


class Tick(Struct, frozen=True):
    """`events` to be committed, `settled` intents with them, and the state after both."""

    state: State
    events: tuple[Recorded, ...]
    settled: tuple[Settlement, ...]


class Turn:
    """One tick in the making: the state so far and what was emitted. Lives no longer than the tick."""

    def __init__(self, state: State, inputs: Inputs) -> None:
        self.state = state
        self.inputs = inputs
        self.events: list[Recorded] = []
        self.settled: list[Settlement] = []

    def emit(self, actor: str, event: Any, meta: Mapping[str, Any] | None = None) -> None:
        state = self.state
        recorded = Recorded(seq=state.seq + 1, met_s=self.inputs.met_s, actor=actor, event=event, meta=meta)
        self.events.append(recorded)
        self.state = following(state, recorded)

    def settle(self, settlement: Settlement) -> None:
        self.settled.append(settlement)

    def done(self) -> Tick:
        return Tick(self.state, tuple(self.events), tuple(self.settled))
