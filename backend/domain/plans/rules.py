"""The validator's rules by name (ADM-Planner, section IV-D), and a flaw: a breach of one, by step unknown."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from backend.domain.plans.findings import Finding

_NAMED = 8


class Rule(StrEnum):
    """The `rule` of a finding, as operators and planners read it."""

    PLAN_LENGTH = "plan length"
    SKILL_NAME = "skill name"
    ARGUMENT_PRESENCE = "argument presence"
    ARGUMENT_TYPE = "argument type"
    ENTITY_REFERENCE = "entity reference"
    STATION_REFERENCE = "station reference"
    CELL = "cell"
    RESTRICTED_REGION = "restricted region"
    CARRYING_CAPACITY = "carrying capacity"
    TARGET_STATUS = "target status"
    COMPATIBILITY = "object-station compatibility"
    PRECONDITION = "precondition"
    WATCH = "watch"
    SEQUENCE = "sequence"


class Flaw(Struct, frozen=True):
    argument: str | None
    rule: Rule
    message: str
    remedy: str

    def at(self, step: int | None) -> Finding:
        return Finding(
            step=step, argument=self.argument, rule=self.rule.value, message=self.message, remedy=self.remedy
        )


def choose(names: Iterable[str], otherwise: str) -> str:
    """`Choose a, b or c.`, at most eight of them; `otherwise` where there are none."""
    known = sorted(names)
    if not known:
        return otherwise
    more = len(known) - _NAMED
    if more > 0:
        return f"Choose {', '.join(known[:_NAMED])} or another of {more} more."
    return f"Choose {known[0]}." if len(known) == 1 else f"Choose {', '.join(known[:-1])} or {known[-1]}."
