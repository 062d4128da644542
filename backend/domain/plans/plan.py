"""A typed plan P = (a_1 … a_H), a_j = (skill, arguments) (ADM-Planner, section IV-D)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.digests import digest
from backend.domain.geometry import Pose
from backend.domain.memory.record import Field

Value = str | int | float | tuple[float, ...] | Pose
"""An argument's value: an id or phrase, a number, a cell or pixel (x, y), or a pose."""


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
    return " ".join([step.skill, *map(_shown, step.arguments.values())])


def _shown(value: Value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Pose):
        return f"({value.x_m:g}, {value.y_m:g}) m"
    if isinstance(value, tuple):
        return "(" + ", ".join(f"{part:g}" for part in value) + ")"
    return str(value)
