"""What the mobile skills mean, one row a skill: whatever else needs to know it asks here.

ADM-Planner, section IV-B (what a step rests on) and IV-D (what must hold before it and is so after it). A
skill that is not in the table, such as one of a robot we have not met, is judged by its signature and by what
its arguments are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.memory.record import Status
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Step, Value
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


class Semantics(Struct, frozen=True, kw_only=True):
    """`before` and `after` are for the validator, which simulates; the rest says what is so of the real one.

    `entity`, `place`: the arguments that name what it acts on and where that leads, the first one given.
    `because`: why it needs its entity's pose and status as believed; empty where it needs neither.
    `leaves`: the entity's status once a measurement bears the success out.
    `gripper`: what that measurement must show in it; None where it proves nothing.
    `searches`: it holds only while nothing is known that it could find. `arrives`: it ends at its place.
    """

    before: tuple[Precondition, ...] = ()
    after: Effect = none
    entity: tuple[str, ...] = ("target", "object", "to")
    place: tuple[str, ...] = ("to", "target", "station", "cell")
    because: str = ""
    leaves: Status | None = None
    gripper: Literal["entity", "nothing"] | None = None
    searches: bool = False
    arrives: bool = False

    def entity_of(self, step: Step) -> str | None:
        """What the step acts on; a station where it goes to one."""
        named = _first(step, self.entity)
        return named if isinstance(named, str) else None

    def place_of(self, step: Step) -> Value | None:
        return _first(step, self.place)


def _first(step: Step, names: tuple[str, ...]) -> Value | None:
    for name in names:
        value = step.arguments.get(name)
        if value is not None:
            return value
    return None


SEARCH = "explore"

SEMANTICS: Mapping[str, Semantics] = {
    "navigate": Semantics(
        before=(active("to"), free_cell("to"), permitted("to")),
        after=goes_to("to"),
        entity=("to",),
        place=("to",),
        because="goes where it is believed to be",
        arrives=True,
    ),
    "approach": Semantics(
        before=(active("target"), stands_at("target")),
        after=goes_to("target"),
        entity=("target",),
        place=("target",),
        because="faces it where it is believed to be",
        arrives=True,
    ),
    "grasp": Semantics(
        before=(active("target"), empty_handed("target"), stands_at("target")),
        after=takes("target"),
        entity=("target",),
        place=("target",),
        because="closes on it where it is believed to be",
        leaves=Status.GRASPED,
        gripper="entity",
    ),
    "deliver": Semantics(
        before=(holds("object"), accepted("object", "station"), stands_at("station")),
        after=puts_down("object"),
        entity=("object",),
        place=("station",),
        leaves=Status.DELIVERED,
        gripper="nothing",
    ),
    "verify": Semantics(
        before=(active("target"),),
        entity=("target",),
        place=("target",),
        because="looks where it is believed to be",
    ),
    SEARCH: Semantics(
        before=(free_cell("cell"), permitted("cell")),
        after=goes_to("cell"),
        entity=(),
        place=("cell",),
        searches=True,
    ),
}

UNKNOWN = Semantics()


def meaning_of(skill: str) -> Semantics:
    return SEMANTICS.get(skill, UNKNOWN)
