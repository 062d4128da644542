"""A typed plan P = (a_1 … a_H), a_j = (skill, arguments) (ADM-Planner, section IV-D)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.digests import digest
from backend.domain.geometry import Pose
from backend.domain.memory.record import Field
from backend.domain.plans.motion import INNER, Motion, described, words

Value = str | int | float | tuple[float | Motion, ...] | Pose
"""An argument's value: an id or phrase, a number, a cell or pixel (x, y), a sequence's motions, or a pose."""


PICTURE_PX = 512
"""Longer side of a picture as planners name points in it."""


class Watch(Struct, frozen=True):
    """Where the planner expects something to change: points of one camera, or every frame (LogLook).

    Points (x_px, y_px) are pixels of the camera's picture scaled so that its longer side is PICTURE_PX,
    whatever size it is recorded at.
    """

    points: tuple[tuple[float, float], ...] | Literal["all"]
    camera: str = ""


class Step(Struct, frozen=True):
    skill: str
    arguments: Mapping[str, Value] = {}
    watch: Watch | None = None


class Dependency(Struct, frozen=True):
    """An element of D(P): steps `first_step` to `last_step` need `field` of `entity` to stay what it is.

    `entity` None stands for any.

    `expected` is the value planned with (None where any would do, and where it changed while the plan was
    being made), `version` the sequence number it was last changed at.
    """

    entity: str | None
    field: Field
    expected: Pose | str | float | None
    version: int
    first_step: int
    last_step: int
    reason: str


class Plan(Struct, frozen=True, kw_only=True):
    """A validated plan. `based_on_seq` is the journal position of the memory its author was shown.

    `edits`: the number of the plan that a person made this one of; None for one made from nothing.
    """

    number: int
    author: str
    steps: tuple[Step, ...]
    rationale: str
    digest: str
    based_on_seq: int
    dependencies: tuple[Dependency, ...]
    target: str | None
    edits: int | None = None


def digest_of_steps(steps: tuple[Step, ...]) -> str:
    return digest(steps)


def describe(step: Step) -> str:
    """The step in one line, as the execution log and the console show it."""
    if step.skill in INNER:
        scalars = {name: v for name, v in step.arguments.items() if isinstance(v, str | int | float)}
        return words(step.skill, scalars)
    return " ".join([step.skill, *(_named(name, value) for name, value in step.arguments.items())])


def shown(value: Value) -> str:
    """A value in one line."""
    if isinstance(value, str):
        return value
    if isinstance(value, Pose):
        return f"({value.x_m:g}, {value.y_m:g}) m"
    if isinstance(value, tuple) and value and isinstance(value[0], Motion):
        return "; ".join(described(part) for part in value if isinstance(part, Motion))
    if isinstance(value, tuple):
        return f"({', '.join(f'{part:g}' for part in numbers(value))})"
    return str(value)


def numbers(value: tuple[float | Motion, ...]) -> tuple[float, ...]:
    """The numbers of a cell or pixel; a sequence has none."""
    return tuple(part for part in value if not isinstance(part, Motion))


def motions(value: Value | None) -> tuple[Motion, ...]:
    """The parts of a sequence; nothing else has any, nor what is half one."""
    if not isinstance(value, tuple):
        return ()
    parts = tuple(part for part in value if isinstance(part, Motion))
    return parts if len(parts) == len(value) else ()


def _named(name: str, value: Value) -> str:
    """A number by itself says nothing: it is told with its name."""
    plain = isinstance(value, int | float)
    return f"{name}={shown(value)}" if plain else shown(value)
