"""When two facts of two episodes count as the same."""

from __future__ import annotations

from backend.domain.comparing.facts import Acted, Asked, Brought, Did, Planned
from backend.domain.geometry import Metric


def same_question(one: Asked, other: Asked, is_exact: bool) -> bool:
    """The same cause and the same records in the same order. `is_exact`: and the same texts, which in a world
    that runs on differ by every tenth of a second."""
    if (one.exposed, one.count) != (other.exposed, other.count):
        return False
    if (one.cause.kind, one.cause.entity, one.cause.field) != (
        other.cause.kind,
        other.cause.entity,
        other.cause.field,
    ):
        return False
    return not is_exact or not other_blocks(one, other)


def other_blocks(one: Asked, other: Asked) -> tuple[str, ...]:
    """The names of the blocks whose text differs; none where one of the two planners reads no text."""
    if not one.blocks or not other.blocks:
        return ()
    names = dict.fromkeys([*one.blocks, *other.blocks])
    return tuple(name for name in names if one.blocks.get(name) != other.blocks.get(name))


def same_plan(one: Planned, other: Planned) -> bool:
    return one.steps == other.steps


def same_step(one: Did, other: Did, metric: Metric) -> bool:
    """The same was commanded, came to the same, and left the robot at the same place within tolerance."""
    ours, theirs = one.outcome, other.outcome
    if (one.step, ours.skill, ours.result, ours.reason) != (
        other.step,
        theirs.skill,
        theirs.result,
        theirs.reason,
    ):
        return False
    here, there = ours.measured.pose, theirs.measured.pose
    if here is None or there is None:
        return here is there
    return metric.same_place(here, there)


def same_delivery(one: Brought, other: Brought) -> bool:
    return (one.entity, one.station) == (other.entity, other.station)


def same_act(one: Acted, other: Acted) -> bool:
    """Whoever did it, and whenever."""
    return (one.kind, one.text) == (other.kind, other.text)
