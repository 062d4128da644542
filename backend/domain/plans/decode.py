"""From a reply's JSON to a Proposal, or to the field that is wrong. Strict: nothing is guessed or coerced.

Its shape alone is judged here; whether the entities, stations and cells it names exist, the validator says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backend.domain.geometry import Pose
from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue, Skill
from backend.domain.plans.motion import INNER, Motion
from backend.domain.plans.plan import Step, Value, Watch
from backend.domain.plans.schema import proper_arguments
from backend.domain.query.query import Proposal

MAX_TEXT = 20_000
"""Characters of a rationale, a note or a phrase; more is no answer but a runaway model."""

_STRINGS = frozenset({ArgumentType.ENTITY, ArgumentType.STATION, ArgumentType.PHRASE, ArgumentType.CHECK})
_AS_ASKED = {
    ArgumentType.ENTITY: "an entity id",
    ArgumentType.STATION: "a station id",
    ArgumentType.CELL: 'a cell {"x", "y"} of two integers',
    ArgumentType.POSE: 'a pose {"x_m", "y_m", "yaw_rad", "frame_id"}',
    ArgumentType.PIXEL: 'a pixel {"x_px", "y_px"}',
    ArgumentType.PHRASE: "a phrase",
    ArgumentType.INTEGER: "an integer",
    ArgumentType.NUMBER: "a number",
    ArgumentType.CHECK: 'a check such as "height_m >= 0.05"',
    ArgumentType.WATCH: "a watch",
    ArgumentType.MOVES: 'a list of moves and waits {"skill", "arguments", "check"}',
}
_decoder = msgspec.json.Decoder()


class DecodeFailure(Struct, frozen=True):
    """`field` is a path such as `steps[1].arguments.target`; empty where the whole text is no JSON."""

    verdict: Literal["invalid_json", "invalid_schema"]
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


def decode_reply(text: str | bytes, catalogue: Catalogue) -> Proposal | DecodeFailure:
    """The proposal that `text` holds, or why it holds none."""
    try:
        reply = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        return DecodeFailure("invalid_json", "", f"The reply is no JSON: {error}.")
    try:
        return _proposal(reply, catalogue)
    except _WrongFieldError as wrong:
        return DecodeFailure("invalid_schema", wrong.field, wrong.message)


class _WrongFieldError(Exception):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def _proposal(reply: Any, catalogue: Catalogue) -> Proposal:
    members = _members(reply, "reply", ("rationale", "note", "steps"))
    steps = members["steps"]
    if not isinstance(steps, list):
        raise _WrongFieldError("steps", f"must be a list of steps, not {_kind(steps)}.")
    return Proposal(
        rationale=_text(members["rationale"], "rationale"),
        note=_text(members["note"], "note"),
        steps=tuple(_step(step, f"steps[{index}]", catalogue) for index, step in enumerate(steps)),
    )


def _step(step: Any, at: str, catalogue: Catalogue) -> Step:
    members = _members(step, at, ("skill", "arguments", "watch"))
    name = _text(members["skill"], f"{at}.skill")
    skill = catalogue.skill(name)
    if skill is None:
        known = ", ".join(skill.name for skill in catalogue.skills)
        raise _WrongFieldError(f"{at}.skill", f"{name!r} is no skill. Use one of: {known}.")
    return Step(
        name,
        _arguments(members["arguments"], f"{at}.arguments", skill, catalogue),
        _watch(members["watch"], f"{at}.watch"),
    )


def _arguments(given: Any, at: str, skill: Skill, catalogue: Catalogue) -> dict[str, Value]:
    """Null stands for an optional argument that is not given."""
    declared = proper_arguments(skill)
    optional = [argument.name for argument in declared if not argument.required]
    members = _members(given, at, [argument.name for argument in declared], optional)
    values: dict[str, Value] = {}
    for argument in declared:
        value = members.get(argument.name)
        if value is not None or argument.required:
            values[argument.name] = _value(value, f"{at}.{argument.name}", argument, catalogue)
    return values


def _value(value: Any, at: str, argument: Argument, catalogue: Catalogue) -> Value:
    types = argument.types
    if isinstance(value, list) and ArgumentType.MOVES in types:
        return tuple([_motion(part, f"{at}[{index}]", catalogue) for index, part in enumerate(value)])
    if isinstance(value, str) and not _STRINGS.isdisjoint(types):
        return _text(value, at)
    if _is_number(value) and (
        ArgumentType.NUMBER in types or (ArgumentType.INTEGER in types and _is_integral(value))
    ):
        number: int | float = value if ArgumentType.NUMBER in types else int(value)
        return number
    if isinstance(value, dict):
        members = value.keys()
        if ArgumentType.CELL in types and members == {"x", "y"} and all(map(_is_integral, value.values())):
            return (float(value["x"]), float(value["y"]))
        if ArgumentType.PIXEL in types and members == {"x_px", "y_px"}:
            return _point(value, at)
        if ArgumentType.POSE in types and members == {"x_m", "y_m", "yaw_rad", "frame_id"}:
            return _pose(value, at)
    wanted = " or ".join(_AS_ASKED[kind] for kind in types)
    raise _WrongFieldError(at, f"must be {wanted}, not {_kind(value)}.")


def _motion(value: Any, at: str, catalogue: Catalogue) -> Motion:
    """A part of a sequence: a step without a watch, and a check in its place."""
    members = _members(value, at, ("skill", "arguments", "check"))
    name, check = _text(members["skill"], f"{at}.skill"), members["check"]
    skill = catalogue.skill(name) if name in INNER else None
    if skill is None:
        raise _WrongFieldError(
            f"{at}.skill", f"{name[:60]!r} is no part of a sequence. Use {' or '.join(INNER)}."
        )
    arguments = _arguments(members["arguments"], f"{at}.arguments", skill, catalogue)
    return Motion(
        name,
        {name: value for name, value in arguments.items() if isinstance(value, str | int | float)},
        "" if check is None else _text(check, f"{at}.check"),
    )


def _pose(value: Mapping[str, Any], at: str) -> Pose:
    return Pose(
        _number(value["x_m"], f"{at}.x_m"),
        _number(value["y_m"], f"{at}.y_m"),
        _number(value["yaw_rad"], f"{at}.yaw_rad"),
        _text(value["frame_id"], f"{at}.frame_id"),
    )


def _watch(value: Any, at: str) -> Watch | None:
    if value is None:
        return None
    members = _members(value, at, ("camera", "points"))
    points = members["points"]
    camera = _text(members["camera"], f"{at}.camera")
    if points == "all":
        return Watch("all", camera)
    if not isinstance(points, list):
        raise _WrongFieldError(f"{at}.points", f'must be "all" or a list of points, not {_kind(points)}.')
    return Watch(tuple(_point(point, f"{at}.points[{index}]") for index, point in enumerate(points)), camera)


def _point(value: Any, at: str) -> tuple[float, float]:
    members = _members(value, at, ("x_px", "y_px"))
    return (_number(members["x_px"], f"{at}.x_px"), _number(members["y_px"], f"{at}.y_px"))


def _members(value: Any, at: str, declared: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """The members of an object that has exactly the declared ones, bar the optional."""
    if not isinstance(value, dict):
        raise _WrongFieldError(at, f"must be an object, not {_kind(value)}.")
    names = dict.fromkeys(declared)
    for name in names:
        if name not in value and name not in optional:
            raise _WrongFieldError(_path(at, name), "is missing.")
    for name in value:
        if name not in names:
            raise _WrongFieldError(
                _path(at, name),
                f"is not asked for. Leave it out; {at} has {', '.join(names) or 'no members'}.",
            )
    return value


def _path(at: str, name: str) -> str:
    return name if at == "reply" else f"{at}.{name[:60]}"


def _text(value: Any, at: str) -> str:
    if not isinstance(value, str):
        raise _WrongFieldError(at, f"must be text, not {_kind(value)}.")
    if len(value) > MAX_TEXT:
        raise _WrongFieldError(at, f"has {len(value)} characters; at most {MAX_TEXT} are taken.")
    if "\0" in value:
        raise _WrongFieldError(at, "holds a NUL character, which cannot be stored. Leave it out.")
    return value


def _number(value: Any, at: str) -> float:
    if not _is_number(value):
        raise _WrongFieldError(at, f"must be a number, not {_kind(value)}.")
    return float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15


def _is_integral(value: Any) -> bool:
    return _is_number(value) and value == int(value)


def _kind(value: Any) -> str:
    """What was found instead, short enough for one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if isinstance(value, int | float):
        return f"the number {value:.6g}" if _is_number(value) else "a number out of range"
    return "a list" if isinstance(value, list) else "an object"
