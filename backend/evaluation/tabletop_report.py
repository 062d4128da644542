"""A tabletop run as one JSON document, and as tables beside what LogLook prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from backend.evaluation.document import in_pieces, run_head
from backend.evaluation.export import described
from backend.evaluation.report import Table, percent
from backend.evaluation.statistics import CONFIDENCE
from backend.evaluation.tabletop_figures import Figures, Group
from backend.evaluation.tabletop_published import Printed, beside, loglook
from backend.usecases.recordings import Recording
from backend.usecases.results import EpisodeResult
from robot_bridge.tabletop.tasks.seeds import difficulty_of

UNKNOWN = "–"
_NOTHING_PRINTED = Printed(successes=0)


def table_document(
    figures: Figures, episodes: Iterable[EpisodeResult], recordings: Mapping[tuple[int, int], Recording] = {}
) -> Iterator[str]:
    """In pieces, `episodes` last and one a line. `total` and each of `tasks` by memory."""
    run = figures.run
    head = {
        **run_head(run),
        "test_episodes": list(run.study.each_seed),
        "confidence": CONFIDENCE,
        "arms": run.study.arms,
        "total": _groups(figures.total),
        "demonstrated": _groups(figures.demonstrated),
        "tasks": {name: _groups(groups) for name, groups in figures.tasks.items()},
        "suites": {name: _groups(groups) for name, groups in figures.suites.items()},
        "difficulties": {name: _groups(groups) for name, groups in figures.difficulties.items()},
        "against": figures.against,
        "discordant": figures.discordant,
        "published": beside(run.study),
        "source": loglook().source,
    }
    return in_pieces(head, episodes, lambda row: _episode(figures, row), recordings)


def _groups(groups: Mapping[str, Group]) -> dict[str, Any]:
    return {memory: group_document(group) for memory, group in groups.items()}


def group_document(group: Group) -> dict[str, Any]:
    """`success` and `interval` are shares, Wilson's; `tokens`, `images` and `calls` means an episode."""
    return {
        "successes": group.successes,
        "episodes": group.episodes,
        "success": group.success.value,
        "interval": [group.success.low, group.success.high],
        "failures_planning": group.failures_planning,
        "failures_other": group.failures_other,
        "causes": group.causes,
        **group.costs,
        **group.sums,
    }


def _episode(figures: Figures, row: EpisodeResult) -> dict[str, Any]:
    values = described(figures.run.study, row)
    return {
        "task": values["scenario"],
        "memory": values["method"],
        "test_episode": row.seed,
        "difficulty": difficulty_of(row.seed),
        "success": row.success,
        "outcome": row.outcome,
        "steps": row.steps,
        **row.extra,
    }


def table_tables(figures: Figures) -> Iterator[Table]:
    """Tables 2 and 3 in one; then parts, discordant episodes, and what was looked at."""
    yield _total_table(figures)
    for title, parts in (
        ("TASK", figures.tasks),
        ("SUITE", figures.suites),
        ("DIFFICULTY", figures.difficulties),
    ):
        yield _part_table(figures, title, parts)
    if figures.discordant:
        yield (
            ("EPISODE", "SOLVED BY", "CAUSE OF THE OTHER'S FAILURE"),
            [(f"{each.task} {each.episode}", each.solved_by, each.cause) for each in figures.discordant],
        )
    yield _watch_table(figures)


def _total_table(figures: Figures) -> Table:
    header = (
        "MEMORY",
        "SUCCESS",
        "%",
        "PLANNING / OTHER",
        "WINS / LOSSES",
        "P",
        "TOKENS",
        "IMAGES (EXEC. / DEMO)",
        "CALLS",
    )
    printed = beside(figures.run.study).total
    rows = printed.rows if printed is not None else {}
    return header, [_total_row(figures, group, rows.get(memory)) for memory, group in figures.total.items()]


def _total_row(figures: Figures, group: Group, printed: Printed | None) -> tuple[str, ...]:
    against = next((each for each in figures.against if each.other == group.memory), None)
    costs, paper = group.costs, printed or _NOTHING_PRINTED
    shown = f"{group.images_execution:.0f} / {costs['images_demonstration']:.0f}"
    return (
        group.memory,
        f"{group.successes}/{group.episodes}{_said(paper.successes if printed else None)}",
        percent(group.success),
        f"{group.failures_planning} / {group.failures_other}{_pair(paper.planning, paper.other)}",
        UNKNOWN if against is None else f"{against.wins} / {against.losses}{_pair(paper.wins, paper.losses)}",
        UNKNOWN if against is None else f"{against.p_value:.3f}",
        f"{costs['tokens']:,.0f}{_said(paper.tokens)}",
        f"{shown}{_pair(paper.execution, paper.demonstration) or _said(paper.images)}",
        f"{costs['calls']:.1f}{_said(paper.calls)}",
    )


def _said(value: float | None) -> str:
    return "" if value is None else f" [{value:,g}]"


def _pair(first: float | None, second: float | None) -> str:
    return "" if first is None or second is None else f" [{first:g} / {second:g}]"


def _part_table(figures: Figures, title: str, parts: Mapping[str, Mapping[str, Group]]) -> Table:
    memories = tuple(figures.total)
    paper = beside(figures.run.study)
    printed = {"TASK": paper.tasks, "DIFFICULTY": paper.difficulties}.get(title, {})

    def cell(name: str, memory: str) -> str:
        group = parts[name].get(memory)
        if group is None:
            return UNKNOWN
        return f"{group.successes}/{group.episodes}{_said(printed.get(name, {}).get(memory))}"

    return (title, *memories), [(name, *(cell(name, memory) for memory in memories)) for name in parts]


def _watch_table(figures: Figures) -> Table:
    header = (
        "MEMORY",
        "WATCHES NOTHING %",
        "POINTS %",
        "ALL %",
        "FRAMES NEAR EVENTS",
        "CLOSER LOOKS NEAR EVENTS",
    )
    return header, [_watch_row(group) for group in figures.total.values()]


def _watch_row(group: Group) -> tuple[str, ...]:
    return (
        group.memory,
        *(f"{100 * share:.0f}" for share in watch_shares(group)),
        near_words(group, "inspected", "inspected_near", "expected_near"),
        near_words(group, "looked", "looked_near", "expected_looked"),
    )


def watch_shares(group: Group) -> tuple[float, float, float]:
    """Of the actions that move: how many watch nothing, points, everything."""
    counts = [group.sums[f"watched_{kind}"] for kind in ("none", "points", "all")]
    total = sum(counts) or 1.0
    return counts[0] / total, counts[1] / total, counts[2] / total


def near_words(group: Group, of: str, near: str, expected: str) -> str:
    """Of what was looked at the share near a true event, and what even drawing would have given."""
    looked = group.sums[of]
    if not looked:
        return UNKNOWN
    return (
        f"{100 * group.sums[near] / looked:.0f} %, evenly drawn {100 * group.sums[expected] / looked:.0f} %"
    )
