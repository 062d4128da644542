"""What the mobile skills mean: for each, what must hold before it and what is so after it (section IV-D).

A skill that is not in the table, such as one of a robot we have not met, is judged by its signature alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from backend.domain.plans.ground import Ground
from backend.domain.plans.preconditions import (
    Arguments,
    Precondition,
    Simulated,
    accepted,
    active,
    empty_handed,
    free_cell,
    holds,
    permitted,
    place_of,
    stands_at,
)

Effect = Callable[[Arguments, Ground, Simulated], Simulated]


def none(arguments: Arguments, ground: Ground, now: Simulated) -> Simulated:
    return now


def goes_to(name: str) -> Effect:
    def apply(arguments: Arguments, ground: Ground, now: Simulated) -> Simulated:
        goal = arguments[name]
        place = place_of(goal, ground)
        if place is None:
            return now
        return Simulated(place, goal if isinstance(goal, str) else None, now.held, now.delivered)

    return apply


def takes(name: str) -> Effect:
    def apply(arguments: Arguments, ground: Ground, now: Simulated) -> Simulated:
        if now.held is not None:
            return now
        return Simulated(now.pose, now.at, str(arguments[name]), now.delivered)

    return apply


def puts_down(name: str) -> Effect:
    def apply(arguments: Arguments, ground: Ground, now: Simulated) -> Simulated:
        entity = str(arguments[name])
        if now.held != entity:
            return now
        return Simulated(now.pose, now.at, None, now.delivered | {entity})

    return apply


class Semantics(Struct, frozen=True):
    before: tuple[Precondition, ...]
    after: Effect


SEMANTICS: Mapping[str, Semantics] = {
    "navigate": Semantics((active("to"), free_cell("to"), permitted("to")), goes_to("to")),
    "approach": Semantics((active("target"), stands_at("target")), goes_to("target")),
    "grasp": Semantics((active("target"), empty_handed("target"), stands_at("target")), takes("target")),
    "deliver": Semantics(
        (holds("object"), accepted("object", "station"), stands_at("station")), puts_down("object")
    ),
    "verify": Semantics((active("target"),), none),
    "explore": Semantics((free_cell("cell"), permitted("cell")), goes_to("cell")),
}
