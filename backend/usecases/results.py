"""What an evaluation measures, and the port that keeps it: studies, their arms, and one row an episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from backend.domain.memory.configuration import MemoryConfiguration

Kind = Literal["memory", "ablation", "planner", "arena", "tabletop"]


class Arm(Struct, frozen=True, kw_only=True):
    """One cell of a table: everything about an episode but its seed.

    `variant` says in words what differs from the scenario as published; `parameters` replace fields of a
    custom scenario, `tolerance_m` the site's tolerance. `counts_misled`: ask the planner
    a second time at each decision, with every active record before it. `asked`: of a planner that is no
    program of ours, which model it is, where, and how it is asked; or the run whose answers are given again.
    """

    scenario: str
    method: str
    memory: MemoryConfiguration
    variant: str = ""
    parameters: Mapping[str, int | float] = {}
    tolerance_m: float | None = None
    planner: str = "policy"
    counts_misled: bool = False
    asked: Mapping[str, str | int | float] = {}


class EpisodeResult(Struct, frozen=True, kw_only=True):
    """What one episode came to. `arm` is its place in the study.

    `steps`: world steps to the last delivery, or the budget. `context`: the proxy 48 + 18 n summed over
    calls. `replans`: cause -> how often. `outcome`: completed, budget, or what else ended it; `path_m` in
    metres. `extra`: what only some studies measure, such as `misled`: decisions that would have gone to
    another container had the planner been shown every active record.
    """

    arm: int
    seed: int
    success: bool
    outcome: str
    steps: int
    context: int
    planner_calls: int
    stale_visits: int
    delivered: int
    path_m: float
    replans: Mapping[str, int] = {}
    extra: Mapping[str, float] = {}


class Study(Struct, frozen=True, kw_only=True):
    """What is to be run: every arm with the same seeds, `first_seed` onward.

    `only`: of these seeds those that are played; empty for each of them.
    """

    kind: Kind
    name: str
    arms: tuple[Arm, ...]
    first_seed: int
    seeds: int
    only: tuple[int, ...] = ()

    @property
    def each_seed(self) -> Sequence[int]:
        return self.only or range(self.first_seed, self.first_seed + self.seeds)

    @property
    def episodes(self) -> int:
        return len(self.arms) * (len(self.only) or self.seeds)


class Run(Struct, frozen=True, kw_only=True):
    """A study under way or finished.

    `done` counts stored episodes, `finished_utc` is None while some are missing, `heard_utc` is when episodes
    were last stored. `unreadable`: why this version cannot read the study, which then has no arms.
    """

    id: int
    study: Study
    digest: str
    code_version: str
    started_utc: str
    finished_utc: str | None
    done: int
    started_by: str = ""
    heard_utc: str = ""
    unreadable: str = ""


class Results(Protocol):
    """Where results are kept. An episode counts once, however often it is handed in."""

    def start(self, study: Study, code_version: str, by: str = "") -> Run: ...

    def unfinished(self, study: Study, code_version: str) -> Run | None:
        """The newest run of this very study by this very version that was not finished."""

    def add(self, run: int, rows: Sequence[EpisodeResult]) -> int:
        """Keep these rows in one transaction; how many were new."""

    def hear(self, run: int) -> None:
        """Note that somebody has taken it up, though no episode came yet."""

    def finish(self, run: int) -> Run: ...

    def run(self, run: int) -> Run | None: ...

    def runs(self, *, limit: int = 100) -> list[Run]:
        """The newest first."""

    def done(self, run: int) -> Iterable[tuple[int, int]]:
        """(arm, seed) of every episode kept."""

    def episodes(self, run: int, *, arm: int | None = None) -> Iterable[EpisodeResult]:
        """In order of arm, then seed; fetched as they are taken."""

    def episode(self, run: int, arm: int, seed: int) -> EpisodeResult | None: ...

    def count(self, run: int, arm: int) -> int:
        """Episodes of an arm that are kept."""

    def failures_first(self, run: int, arm: int, *, offset: int, limit: int) -> list[EpisodeResult]:
        """A page of an arm's episodes: those that failed, then the others, each by seed."""
