"""What LogLook prints, read from `tabletop_published.yaml`, to stand beside what is measured here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from backend.usecases.results import Study
from robot_bridge.tabletop.tasks import TASK_NAMES


class Printed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A memory's row. `images`: all of them; `execution`, `demonstration`: where the paper parts them."""

    successes: int
    planning: int | None = None
    other: int | None = None
    wins: int | None = None
    losses: int | None = None
    tokens: float | None = None
    images: float | None = None
    execution: float | None = None
    demonstration: float | None = None
    calls: float | None = None


class PrintedTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    where: str
    episodes: int
    rows: Mapping[str, Printed]


Successes = Mapping[str, Mapping[str, int]]
"""By part, then by memory or planner."""


class LogLook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    source: str
    swap_direct: PrintedTable
    swap_delegate: PrintedTable
    hard: PrintedTable
    hard_demonstrated: PrintedTable
    tasks_direct: Successes
    tasks_delegate: Successes
    difficulties_direct: Successes
    notes_direct: Mapping[str, Printed]


class Beside(Struct, frozen=True, kw_only=True):
    """What of it stands beside one study: nothing where its episodes are none of the paper's."""

    total: PrintedTable | None = None
    demonstrated: PrintedTable | None = None
    tasks: Successes = {}
    tasks_of: int = 0
    difficulties: Successes = {}


SWAP, SHORT, HARD = tuple(range(4, 20)), tuple(range(4, 12)), (7, 11, 15, 19)


@cache
def loglook() -> LogLook:
    content = Path(__file__).with_name("tabletop_published.yaml").read_bytes()
    return msgspec.yaml.decode(content, type=LogLook)


def beside(study: Study) -> Beside:
    """The tables of the same episodes and executor. Totals only where all sixteen tasks are played."""
    paper, seeds = loglook(), tuple(study.each_seed)
    is_whole = {arm.scenario for arm in study.arms} == set(TASK_NAMES)
    delegates = study.arms[0].asked.get("executor") == "delegate"
    if study.arms[0].asked.get("task_notes", "full") != "full":
        return _with_notes(study, is_whole and seeds == SWAP and not delegates)
    if seeds == SWAP and not delegates:
        return Beside(
            total=paper.swap_direct if is_whole else None,
            tasks=paper.tasks_direct,
            tasks_of=16,
            difficulties=paper.difficulties_direct if is_whole else {},
        )
    if seeds == SHORT and delegates:
        return Beside(total=paper.swap_delegate if is_whole else None, tasks=paper.tasks_delegate, tasks_of=8)
    if seeds == HARD and not delegates:
        return Beside(
            total=paper.hard if is_whole else None, demonstrated=paper.hard_demonstrated if is_whole else None
        )
    return Beside()


def _with_notes(study: Study, has_table: bool) -> Beside:
    paper, level = loglook(), str(study.arms[0].asked.get("task_notes"))
    if not has_table or level not in paper.notes_direct:
        return Beside()
    rows = {"execution_grounded": paper.notes_direct[level]}
    where = "Table 6, motion planner, test episodes 4-19 of 16 tasks"
    return Beside(total=PrintedTable(where=where, episodes=256, rows=rows))
