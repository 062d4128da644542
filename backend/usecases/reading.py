"""What pages and the command line read of episodes. Reading needs no lease and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from backend.domain.episode.events import Recorded
from backend.domain.episode.state import State

RowsOf = Literal[
    "approvals", "entity_audit", "exchanges", "execution_log", "frames", "notes", "plans", "retrievals"
]
"""Tables whose rows are anchored at a seq and never change, so that a cursor cuts them anywhere."""


class Entry(Struct, frozen=True, kw_only=True):
    """A stored event with what stands beside it: kind and version as written, and the wall clock in UTC.

    `redacted`: when, by whom and why its texts were removed; None for an event in full.
    """

    recorded: Recorded
    kind: str
    version: int
    utc: str
    payload_digest: str
    redacted: str | None = None


class Evaluated(Struct, frozen=True, kw_only=True):
    """Of an episode that an evaluation measured: nothing moves in it.

    `arm`, `seed`: its place in run `run`. `measured_by`, `rebuilt_by`: versions; the latter is empty where
    the journal was kept, else it was played again from its row. `differs`: figures that came out otherwise,
    as (name, as stored, as rebuilt).
    """

    run: int
    arm: int
    seed: int
    title: str
    measured_by: str
    rebuilt_by: str
    differs: tuple[tuple[str, str, str], ...] = ()


class EpisodeSummary(Struct, frozen=True, kw_only=True):
    """An episode in one line. What its journal would tell is empty while it has only been ordered (`seq` 0).

    `need_rank` says how urgently a person is needed (0: not at all), `need` for what. `held_by` is the runner
    whose lease has not run out, `address` its socket's; both empty without one. `phase`: ordered, planning,
    approval, executing, asking, held, ready, ended. `evaluated`: it is of an evaluation, and never commanded.
    """

    episode: str
    ordered_by: str
    ordered_utc: str
    request: Any
    held_by: str
    address: str
    seq: int = 0
    content: str = ""
    met_s: float = 0.0
    updated_utc: str = ""
    mission: str = ""
    title: str = ""
    world: str = ""
    site: str = ""
    robot: str = ""
    planner: str = ""
    memory: str = ""
    policy: str = ""
    seed: int = 0
    code_version: str = ""
    phase: str = "ordered"
    need_rank: int = 0
    need: str = ""
    conn: str | None = None
    outcome: str | None = None
    message: str = ""
    delivered: int = 0
    total: int = 0
    steps: int = 0
    decisions: int = 0
    tokens: int = 0
    money_usd: float = 0.0
    context_units: int = 0
    replans: int = 0
    stale_visits: int = 0
    plans: int = 0
    dispatches: int = 0
    evaluated: Evaluated | None = None


class TelemetrySample(Struct, frozen=True, kw_only=True):
    """Where a robot was, in `frame_id`: metres, radians, metres a second; None where not measured."""

    robot: str
    met_s: float
    x_m: float
    y_m: float
    yaw_rad: float = 0.0
    frame_id: str = "map"
    speed_m_s: float | None = None
    held: str | None = None
    extra: Any = None


class Fault(Struct, frozen=True, kw_only=True):
    """Something stored is not what it was. `key` names the row, `column` the cell where one can be named."""

    table: str
    key: str
    column: str
    message: str

    def __str__(self) -> str:
        place = " ".join(part for part in (self.table, self.key, self.column) if part)
        return f"{place}: {self.message}"


class Reader(Protocol):
    """Episodes as they are stored. Each call is one consistent view; unknown ids raise the store's error."""

    def episodes(
        self,
        *,
        show: Literal["all", "need", "running", "ended"] = "all",
        search: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> list[EpisodeSummary]:
        """What needs a person first, then what runs, then what ended last."""

    def episode(self, episode: str) -> EpisodeSummary: ...

    def events(
        self,
        episode: str,
        *,
        after: int = 0,
        until: int | None = None,
        kinds: Sequence[str] = (),
        limit: int | None = 500,
    ) -> list[Entry]:
        """Events with `after` < seq <= `until`, in order."""

    def state(self, episode: str, at: int | None = None) -> State:
        """The fold up to seq `at`, or to the head."""

    def rows(
        self,
        table: RowsOf,
        episode: str,
        *,
        until: int | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[dict[str, Any]]:
        """Rows with `after` < seq <= `until`, JSON columns decoded."""

    def telemetry(
        self, episode: str, from_s: float, to_s: float, robot: str | None = None
    ) -> list[TelemetrySample]:
        """Samples with `from_s` <= met_s <= `to_s`, in order of time."""

    def verify(self, episode: str) -> list[Fault]:
        """Everything stored of the episode that contradicts its journal, or the journal itself."""
