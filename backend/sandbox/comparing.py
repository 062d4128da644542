"""A call and what came of asking it again, side by side: records shown, text sent, plan, verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.memory.retrieval import Retrieval
from backend.domain.plans.difference import difference, is_change
from backend.domain.plans.plan import Step
from backend.domain.query.query import Block
from backend.sandbox.asking import Answer
from backend.sandbox.calls import Call

Kind = Literal["same", "begins_alike", "other", "verdict", "unanswered"]
"""`same`: the same deeds. `begins_alike`: the same first step, and then otherwise. `other`: another first
step. `verdict`: one of them may run and the other not. `unanswered`: the call had no answer, or gave none.
"""


class Shown(Struct, frozen=True, kw_only=True):
    """Records shown besides, those shown no more, and those of another rank: (id, old, new)."""

    enters: tuple[str, ...]
    leaves: tuple[str, ...]
    moves: tuple[tuple[str, int, int], ...]

    @property
    def is_same(self) -> bool:
        return not (self.enters or self.leaves or self.moves)


class BlockChange(Struct, frozen=True, kw_only=True):
    """One block before and after; None where it is not there."""

    name: str
    before: Block | None
    after: Block | None

    @property
    def is_same(self) -> bool:
        return self.before is not None and self.after is not None and self.before.digest == self.after.digest


class Agreement(Struct, frozen=True, kw_only=True):
    """`kinds`: how many calls came out how. `asked`: those that had an answer and were given one."""

    kinds: dict[str, int]
    asked: int
    same: int

    @property
    def share(self) -> float | None:
        return self.same / self.asked if self.asked else None


def compared(call: Call, answer: Answer) -> Kind:
    if answer.steps is None and not answer.failure:
        return "unanswered"
    if call.steps is None and not call.failure:
        return "unanswered"
    if call.is_valid is not answer.is_valid:
        return "verdict"
    before, after = call.steps or (), answer.steps or ()
    if same_deeds(before, after):
        return "same"
    return "begins_alike" if before and after and same_deeds(before[:1], after[:1]) else "other"


def same_deeds(before: Sequence[Step], after: Sequence[Step]) -> bool:
    """The same skills with the same arguments in the same order. Where a plan looks is not what it does."""
    plain = [[replace(step, watch=None) for step in steps] for steps in (before, after)]
    return not any(map(is_change, difference(*plain)))


def agreement(pairs: Iterable[tuple[Call, Answer]]) -> Agreement:
    kinds: dict[str, int] = {}
    for call, answer in pairs:
        kind = compared(call, answer)
        kinds[kind] = kinds.get(kind, 0) + 1
    asked = sum(count for kind, count in kinds.items() if kind != "unanswered")
    return Agreement(kinds=kinds, asked=asked, same=kinds.get("same", 0))


def shown(before: Retrieval, after: Retrieval) -> Shown:
    ranks = {entity: rank for rank, entity in enumerate(before.exposed, start=1)}
    moves = [
        (entity, ranks[entity], rank)
        for rank, entity in enumerate(after.exposed, start=1)
        if entity in ranks and ranks[entity] != rank
    ]
    return Shown(
        enters=tuple(entity for entity in after.exposed if entity not in ranks),
        leaves=tuple(entity for entity in before.exposed if entity not in after.exposed),
        moves=tuple(moves),
    )


def blocks(before: Sequence[Block], after: Sequence[Block]) -> tuple[BlockChange, ...]:
    """Every block of either, in the order of `after`; those that are gone come last."""
    old, new = {block.name: block for block in before}, {block.name: block for block in after}
    names = [*new, *(name for name in old if name not in new)]
    return tuple(BlockChange(name=name, before=old.get(name), after=new.get(name)) for name in names)
