"""A tabletop run in figures: success, failures of two kinds, cost, wins and losses; whole and by part.

All of LogLook's tables are of this shape (Tables 2, 3, 6, 7 and 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from backend.evaluation.statistics import Estimate, sign_test, wilson
from backend.evaluation.tabletop_arms import DIFFICULTIES, suite_of
from backend.evaluation.tabletop_play import PLANNING
from backend.usecases.results import EpisodeResult, Results, Run, Study
from robot_bridge.tabletop.tasks import SUITES
from robot_bridge.tabletop.tasks.seeds import difficulty_of

COSTS = ("tokens", "images", "images_views", "images_returned", "images_demonstration", "calls")
"""Means an episode."""
SUMS = (
    "watched_none",
    "watched_points",
    "watched_all",
    "inspected",
    "inspected_near",
    "expected_near",
    "looked",
    "looked_near",
    "expected_looked",
)


class Group(Struct, frozen=True, kw_only=True):
    """Some of a memory's episodes. `causes`: of the failures that are not the motion planner's, by how often.

    `costs`: means an episode; `sums`: what is told as shares of sums.
    """

    memory: str
    episodes: int
    successes: int
    success: Estimate
    failures_planning: int
    failures_other: int
    causes: Mapping[str, int]
    costs: Mapping[str, float]
    sums: Mapping[str, float]

    @property
    def images_execution(self) -> float:
        return self.costs.get("images", 0.0) - self.costs.get("images_demonstration", 0.0)


class Against(Struct, frozen=True, kw_only=True):
    """`memory` against `other` over the `pairs` of episodes that both played."""

    memory: str
    other: str
    pairs: int
    wins: int
    losses: int
    p_value: float


class Discordant(Struct, frozen=True, kw_only=True):
    """An episode that one memory of the two solves alone. `cause`: why the other failed."""

    task: str
    episode: int
    solved_by: str
    failed_by: str
    cause: str
    arm_solved: int
    arm_failed: int


class Figures(Struct, frozen=True, kw_only=True):
    """`total` by memory; the others by name of the part, then by memory. `base` is the memory that the others
    are held against."""

    run: Run
    base: str
    total: Mapping[str, Group]
    tasks: Mapping[str, Mapping[str, Group]]
    suites: Mapping[str, Mapping[str, Group]]
    difficulties: Mapping[str, Mapping[str, Group]]
    demonstrated: Mapping[str, Group]
    against: tuple[Against, ...]
    discordant: tuple[Discordant, ...]


Rows = Sequence[EpisodeResult]


def figures_of(run: Run, results: Results, base: str | None = None) -> Figures:
    """Of what is there by now. `base`: the first memory of the study unless chosen."""
    study, rows = run.study, list(results.episodes(run.id))
    compared = base or study.arms[0].method

    def parts(of: Callable[[EpisodeResult], str], order: Iterable[str]) -> dict[str, Mapping[str, Group]]:
        found = {name: _by_memory(study, [row for row in rows if of(row) == name]) for name in order}
        return {name: groups for name, groups in found.items() if groups}

    tasks = tuple(dict.fromkeys(arm.scenario for arm in study.arms))
    return Figures(
        run=run,
        base=compared,
        total=_by_memory(study, rows),
        tasks=parts(lambda row: study.arms[row.arm].scenario, tasks),
        suites=parts(lambda row: suite_of(study.arms[row.arm].scenario), SUITES),
        difficulties=parts(lambda row: difficulty_of(row.seed), DIFFICULTIES),
        demonstrated=_by_memory(study, [row for row in rows if row.extra.get("images_demonstration")]),
        against=tuple(_against(study, rows, compared)),
        discordant=tuple(_discordant(study, rows, compared)),
    )


def _by_memory(study: Study, rows: Rows) -> dict[str, Group]:
    memories = dict.fromkeys(arm.method for arm in study.arms)
    each = {memory: [row for row in rows if study.arms[row.arm].method == memory] for memory in memories}
    return {memory: group_of(memory, found) for memory, found in each.items() if found}


def group_of(memory: str, rows: Rows) -> Group:
    failed = Counter(row.outcome for row in rows if not row.success)
    planning = failed.pop(PLANNING, 0)
    successes = sum(row.success for row in rows)
    return Group(
        memory=memory,
        episodes=len(rows),
        successes=successes,
        success=wilson(successes, len(rows)),
        failures_planning=planning,
        failures_other=failed.total(),
        causes=dict(failed.most_common()),
        costs={name: sum(row.extra.get(name, 0.0) for row in rows) / len(rows) for name in COSTS},
        sums={name: sum(row.extra.get(name, 0.0) for row in rows) for name in SUMS},
    )


Pair = tuple[EpisodeResult, EpisodeResult]


def _against(study: Study, rows: Rows, base: str) -> Iterable[Against]:
    for other in dict.fromkeys(arm.method for arm in study.arms if arm.method != base):
        pairs = _pairs(study, rows, base, other)
        wins = sum(ours.success and not theirs.success for ours, theirs in pairs)
        losses = sum(theirs.success and not ours.success for ours, theirs in pairs)
        yield Against(
            memory=base,
            other=other,
            pairs=len(pairs),
            wins=wins,
            losses=losses,
            p_value=sign_test(wins, losses),
        )


def _discordant(study: Study, rows: Rows, base: str) -> Iterable[Discordant]:
    for other in dict.fromkeys(arm.method for arm in study.arms if arm.method != base):
        for pair in _pairs(study, rows, base, other):
            if pair[0].success != pair[1].success:
                solved, failed = pair if pair[0].success else (pair[1], pair[0])
                yield Discordant(
                    task=study.arms[solved.arm].scenario,
                    episode=solved.seed,
                    solved_by=study.arms[solved.arm].method,
                    failed_by=study.arms[failed.arm].method,
                    cause=failed.outcome,
                    arm_solved=solved.arm,
                    arm_failed=failed.arm,
                )


def _pairs(study: Study, rows: Rows, memory: str, other: str) -> list[Pair]:
    found = {(study.arms[row.arm].scenario, study.arms[row.arm].method, row.seed): row for row in rows}
    return [
        (row, found[task, other, seed])
        for (task, method, seed), row in found.items()
        if method == memory and (task, other, seed) in found
    ]
