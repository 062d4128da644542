"""What a person made of a plan, step by step: kept, changed (to the argument), moved, added, removed.

Steps carry no identity, so they are aligned: a longest common subsequence of equal steps is kept, an equal
step elsewhere has moved, a step of the same skill in the same gap has changed, and the rest came or went.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from backend.domain.plans.plan import Step, Value, Watch

Kind = Literal["kept", "changed", "moved", "added", "removed"]


class ArgumentChange(Struct, frozen=True):
    """`name` of the argument, or `watch`; None where it was or is not given."""

    name: str
    old: Value | Watch | None
    new: Value | Watch | None


class StepChange(Struct, frozen=True, kw_only=True):
    """`before`, `after`: the step's index in each plan, None where it is in one alone."""

    kind: Kind
    step: Step
    before: int | None = None
    after: int | None = None
    arguments: tuple[ArgumentChange, ...] = ()


def difference(before: Sequence[Step], after: Sequence[Step]) -> tuple[StepChange, ...]:
    """Every step of either plan once, in the order of `after`; what was removed stands where it stood."""
    paired = _paired(before, after)
    came_from = {new: old for old, new, _ in paired}
    kinds: dict[int, Kind] = {new: kind for _, new, kind in paired}
    gone = [old for old in range(len(before)) if old not in set(came_from.values())]
    changes: list[StepChange] = []
    for new, step in enumerate(after):
        old = came_from.get(new)
        if old is not None and kinds[new] != "moved":
            changes += _removed(before, gone, old)
        arguments = tuple(_arguments(before[old], step)) if old is not None else ()
        changes.append(
            StepChange(kind=kinds.get(new, "added"), step=step, before=old, after=new, arguments=arguments)
        )
    changes += _removed(before, gone, len(before))
    return tuple(changes)


def is_change(change: StepChange) -> bool:
    return change.kind != "kept"


def _removed(before: Sequence[Step], gone: list[int], until: int) -> list[StepChange]:
    """Those that stood before index `until` and were not told yet."""
    now = [old for old in gone if old < until]
    del gone[: len(now)]
    return [StepChange(kind="removed", step=before[old], before=old) for old in now]


def _paired(before: Sequence[Step], after: Sequence[Step]) -> list[tuple[int, int, Kind]]:
    kept = _common(before, after)
    pairs: list[tuple[int, int, Kind]] = [(old, new, "kept") for old, new in kept]
    olds = {old for old, _ in kept}
    left = [old for old in range(len(before)) if old not in olds]
    news = {new for _, new in kept}
    open_ = [new for new in range(len(after)) if new not in news]
    for new in list(open_):
        same = next((old for old in left if before[old] == after[new]), None)
        if same is not None:
            pairs.append((same, new, "moved"))
            left.remove(same)
            open_.remove(new)
    for new in open_:
        like = next(
            (old for old in left if before[old].skill == after[new].skill and _gap(old, new, kept)), None
        )
        if like is not None:
            pairs.append((like, new, "changed"))
            left.remove(like)
            kept.append((like, new))
    return pairs


def _gap(old: int, new: int, kept: Sequence[tuple[int, int]]) -> bool:
    """Whether both lie between the same two steps that were kept."""
    return all((other_old < old) == (other_new < new) for other_old, other_new in kept)


def _common(before: Sequence[Step], after: Sequence[Step]) -> list[tuple[int, int]]:
    """A longest common subsequence, as pairs of indexes."""
    rows, columns = len(before), len(after)
    lengths = [[0] * (columns + 1) for _ in range(rows + 1)]
    for old in range(rows - 1, -1, -1):
        for new in range(columns - 1, -1, -1):
            same = before[old] == after[new]
            lengths[old][new] = (
                lengths[old + 1][new + 1] + 1 if same else max(lengths[old + 1][new], lengths[old][new + 1])
            )
    pairs, old, new = [], 0, 0
    while old < rows and new < columns:
        if before[old] == after[new]:
            pairs.append((old, new))
            old, new = old + 1, new + 1
        elif lengths[old + 1][new] >= lengths[old][new + 1]:
            old += 1
        else:
            new += 1
    return pairs


def _arguments(before: Step, after: Step) -> Iterator[ArgumentChange]:
    for name in dict.fromkeys([*before.arguments, *after.arguments]):
        old, new = before.arguments.get(name), after.arguments.get(name)
        if old != new:
            yield ArgumentChange(name, old, new)
    if before.watch != after.watch:
        yield ArgumentChange("watch", before.watch, after.watch)
