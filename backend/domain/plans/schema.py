"""The strict JSON schema of a reply, made from the catalogue and from the ids that exist now (section IV-D).

Strict mode takes a subset of JSON Schema: the root is an object; every property is required, and an optional
one is a union with null; no object takes additional properties; unions are `anyOf`, here told apart by a
constant `skill`; ranges, patterns and lengths are left to the validator. Entity and station ids stand in an
`enum`, so that a reference to anything else cannot even be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue, Skill
from backend.domain.plans.motion import INNER

Schema = dict[str, Any]

MAX_ENUM_VALUES = 1000
"""Providers refuse schemas with more enum values in all; ids beyond it become plain strings."""

_X_Y = {ArgumentType.CELL: ("integer", "x", "y"), ArgumentType.PIXEL: ("number", "x_px", "y_px")}


class Ids(Struct, frozen=True):
    """What a reply may refer to: entity ids, station ids, and the frames that poses are given in."""

    entities: tuple[str, ...] = ()
    stations: tuple[str, ...] = ()
    frames: tuple[str, ...] = ("map",)


def reply_schema(catalogue: Catalogue, ids: Ids) -> Schema:
    """The schema of `{rationale, note, steps: [{skill, arguments, watch}]}`.

    A skill whose required arguments have nothing to refer to is left out: it could not be used.
    """
    enumerated = _enum_values(catalogue, ids) <= MAX_ENUM_VALUES
    steps = [_step(skill, catalogue, ids, enumerated) for skill in catalogue.skills if is_usable(skill, ids)]
    return _object(
        rationale=_string("Why this plan, in one or two sentences."),
        note=_string("What to remember for later decisions; kept verbatim. Empty if there is nothing."),
        steps={"type": "array", "items": _any_of(steps) if steps else {"type": "null"}},
    )


def is_usable(skill: Skill, ids: Ids) -> bool:
    return all(_referable(argument, ids) for argument in proper_arguments(skill) if argument.required)


def takes_watch(skill: Skill) -> bool:
    """An argument of type `watch` is the step's own `watch`, not one of its arguments."""
    return skill.may_watch or any(ArgumentType.WATCH in argument.types for argument in skill.arguments)


def proper_arguments(skill: Skill) -> tuple[Argument, ...]:
    """The arguments that stand under `arguments`: all but those that are the step's `watch`."""
    return tuple(argument for argument in skill.arguments if argument.types != (ArgumentType.WATCH,))


def _referable(argument: Argument, ids: Ids) -> bool:
    empty = {ArgumentType.WATCH}
    if not ids.entities:
        empty.add(ArgumentType.ENTITY)
    if not ids.stations:
        empty.add(ArgumentType.STATION)
    return not empty.issuperset(argument.types)


def _step(skill: Skill, catalogue: Catalogue, ids: Ids, enumerated: bool) -> Schema:
    arguments = {
        argument.name: _argument(argument, ids, enumerated, catalogue)
        for argument in proper_arguments(skill)
        if _referable(argument, ids)
    }
    schema = _object(
        skill={"type": "string", "const": skill.name},
        arguments=_object(**arguments),
        watch=_watch(catalogue.cameras) if takes_watch(skill) else {"type": "null"},
    )
    return schema | {"description": skill.description} if skill.description else schema


def _argument(argument: Argument, ids: Ids, enumerated: bool, catalogue: Catalogue) -> Schema:
    types = set(argument.types)
    forms = list(_strings(argument, types, ids, enumerated))
    if ArgumentType.NUMBER in types:
        forms.append({"type": "number"})
    elif ArgumentType.INTEGER in types:
        forms.append({"type": "integer"})
    for kind, (number, x, y) in _X_Y.items():
        if kind in types:
            forms.append(_object(**{x: {"type": number}, y: {"type": number}}))
    if ArgumentType.POSE in types:
        forms.append(_pose(ids.frames))
    if ArgumentType.MOVES in types:
        forms.append(_moves(ids, enumerated, catalogue))
    if not argument.required:
        forms.append({"type": "null"})
    schema = _any_of(forms)
    return schema | {"description": argument.description} if argument.description else schema


def _strings(argument: Argument, types: set[ArgumentType], ids: Ids, enumerated: bool) -> Iterable[Schema]:
    """At most one form: ids and choices share an enum, and free text swallows them all."""
    free = ArgumentType.CHECK in types or (ArgumentType.PHRASE in types and not argument.choices)
    referring = bool(types & {ArgumentType.ENTITY, ArgumentType.STATION})
    if free or (referring and not enumerated):
        yield {"type": "string"}
        return
    values = list(argument.choices) if ArgumentType.PHRASE in types else []
    values += ids.entities if ArgumentType.ENTITY in types else ()
    values += ids.stations if ArgumentType.STATION in types else ()
    if values:
        yield _enum(values)


def _watch(cameras: Sequence[str]) -> Schema:
    point = _object(x_px={"type": "number"}, y_px={"type": "number"})
    points = _any_of([{"type": "string", "const": "all"}, {"type": "array", "items": point}])
    camera = _enum(cameras) if cameras else {"type": "string"}
    return _any_of([{"type": "null"}, _object(camera=camera, points=points)])


def _moves(ids: Ids, enumerated: bool, catalogue: Catalogue) -> Schema:
    """Moves and waits, each with the arguments of the skill of its name; how many, the validator says."""
    inner = [skill for name in INNER if (skill := catalogue.skill(name)) is not None]
    parts = [
        _object(
            skill={"type": "string", "const": skill.name},
            arguments=_object(
                **{
                    argument.name: _argument(argument, ids, enumerated, catalogue)
                    for argument in proper_arguments(skill)
                    if ArgumentType.MOVES not in argument.types
                }
            ),
            check={**_any_of([{"type": "string"}, {"type": "null"}]), "description": _CHECKED},
        )
        for skill in inner
    ]
    return {"type": "array", "items": _any_of(parts) if parts else {"type": "null"}}


_CHECKED = (
    "What must hold right after it, else the sequence stops: gripper_opening_m or height_m, <= or >=, and"
    " metres, such as gripper_opening_m >= 0.02; null for none."
)


def _pose(frames: Sequence[str]) -> Schema:
    number = {"type": "number"}
    return _object(x_m=number, y_m=number, yaw_rad=number, frame_id=_enum(frames))


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _any_of(forms: list[Schema]) -> Schema:
    return dict(forms[0]) if len(forms) == 1 else {"anyOf": forms}


def _enum(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(dict.fromkeys(values))}


def _string(description: str) -> Schema:
    return {"type": "string", "description": description}


def _enum_values(catalogue: Catalogue, ids: Ids) -> int:
    """Enum values of the whole schema if every reference is enumerated."""
    total = 0
    for skill in catalogue.skills:
        total += 2 + (len(catalogue.cameras) if takes_watch(skill) else 0)
        for argument in skill.arguments:
            total += len(argument.choices)
            total += len(ids.entities) if ArgumentType.ENTITY in argument.types else 0
            total += len(ids.stations) if ArgumentType.STATION in argument.types else 0
            total += len(ids.frames) if ArgumentType.POSE in argument.types else 0
    return total
