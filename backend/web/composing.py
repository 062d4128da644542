"""A plan as a form: rows of typed fields, made of the skill catalogue, turned into steps and back.

A row has an id of its own, so that what was typed stays with its step when steps are moved. Field names are
`ROW.skill`, `ROW.ARGUMENT` (which kind of value, or `id:` with what it names) and `ROW.ARGUMENT.PART`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backend.domain.geometry import Pose
from backend.domain.plans import motion
from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue
from backend.domain.plans.plan import Step, Value, Watch, motions, numbers
from backend.domain.plans.schema import proper_arguments, takes_watch

PARTS: Mapping[ArgumentType, tuple[str, ...]] = {
    ArgumentType.CELL: ("x", "y"),
    ArgumentType.POSE: ("x_m", "y_m", "yaw_rad"),
    ArgumentType.PIXEL: ("x_px", "y_px"),
}
"""Kinds of value that take several numbers; the others take one text, `text`."""

TEXTS = frozenset({ArgumentType.PHRASE, ArgumentType.CHECK, ArgumentType.MOVES})
"""Kinds that are written in words; the others are numbers."""
IDS = frozenset({ArgumentType.ENTITY, ArgumentType.STATION})
NAMED = "id:"
MOST_ROWS = 480
LONGEST = 2000
"""Characters of a field: the six parts of a sequence, with every digit."""


class Row(Struct, frozen=True, kw_only=True):
    """One step as typed. `fields`: without the row's own id in front."""

    id: str
    skill: str
    fields: Mapping[str, str] = {}


class Flaw(Struct, frozen=True, kw_only=True):
    """What cannot be read: of row `row`, field `field` (an argument, or `watch`)."""

    row: str
    field: str
    message: str
    remedy: str


def rows_of(form: Sequence[tuple[str, str]]) -> tuple[Row, ...]:
    """In the order of the form. Fields of rows that the form does not list are ignored."""
    ids = list(dict.fromkeys(value for name, value in form if name == "row" and value.isalnum()))[:MOST_ROWS]
    typed: dict[str, dict[str, str]] = {id: {} for id in ids}
    for name, value in form:
        row, _, field = name.partition(".")
        if field and row in typed:
            typed[row][field] = value[:LONGEST]
    return tuple(Row(id=id, skill=typed[id].pop("skill", ""), fields=typed[id]) for id in ids)


def rows_from(steps: Sequence[Step]) -> tuple[Row, ...]:
    return tuple(
        Row(id=f"r{index + 1}", skill=step.skill, fields=dict(_typed(step)))
        for index, step in enumerate(steps)
    )


def _typed(step: Step) -> Iterator[tuple[str, str]]:
    for name, value in step.arguments.items():
        if isinstance(value, str):
            yield name, f"{NAMED}{value}"
            yield f"{name}.text", value
        elif isinstance(value, Pose):
            yield name, "pose"
            yield from (
                (f"{name}.{part}", _figure(getattr(value, part))) for part in PARTS[ArgumentType.POSE]
            )
        elif parts := motions(value):
            yield f"{name}.text", motion.written(parts)
        elif isinstance(value, tuple):
            pair = numbers(value)
            yield from (
                (f"{name}.{part}", _figure(number)) for part, number in zip(("x", "y"), pair, strict=False)
            )
            px = zip(PARTS[ArgumentType.PIXEL], pair, strict=False)
            yield from ((f"{name}.{part}", _figure(number)) for part, number in px)
        else:
            yield f"{name}.text", _figure(value)
    if step.watch is not None:
        yield "watch", "all" if step.watch.points == "all" else "points"
        yield "watch.camera", step.watch.camera
        if step.watch.points != "all":
            yield "watch.points", "; ".join(f"{_figure(x)}, {_figure(y)}" for x, y in step.watch.points)


def _figure(value: float) -> str:
    """Every digit that it has: what nobody touched is no change."""
    return str(int(value)) if value == int(value) else repr(value)


def kinds_of(argument: Argument) -> tuple[ArgumentType, ...]:
    """The kinds of value that are written rather than chosen by name."""
    return tuple(kind for kind in argument.types if kind not in IDS and kind is not ArgumentType.WATCH)


def kind_of(argument: Argument, fields: Mapping[str, str]) -> ArgumentType | None:
    """Which kind the argument is written as; None where it names something, or nothing is chosen."""
    kinds = kinds_of(argument)
    if len(kinds) == 1 and not IDS.intersection(argument.types):
        return kinds[0]
    chosen = fields.get(argument.name, "")
    if chosen.startswith(NAMED):
        return None
    written = [
        kind for kind in kinds if any(fields.get(f"{argument.name}.{part}") for part in parts_of(kind))
    ]
    named = next((kind for kind in kinds if kind.value == chosen), None)
    return named or (written[0] if written and not chosen else None)


def parts_of(kind: ArgumentType) -> tuple[str, ...]:
    return PARTS.get(kind, ("text",))


def steps_of(
    rows: Sequence[Row], catalogue: Catalogue, frame_id: str
) -> tuple[tuple[Step, ...], tuple[Flaw, ...]]:
    """The steps, and what of them cannot be read: such an argument is left out of its step."""
    steps, flaws = [], []
    for row in rows:
        step, wrong = _step(row, catalogue, frame_id)
        steps.append(step)
        flaws += wrong
    return tuple(steps), tuple(flaws)


def _step(row: Row, catalogue: Catalogue, frame_id: str) -> tuple[Step, list[Flaw]]:
    skill = catalogue.skill(row.skill)
    if skill is None:
        return Step(row.skill), []
    arguments: dict[str, Value] = {}
    flaws: list[Flaw] = []
    for argument in proper_arguments(skill):
        try:
            value = _value(argument, row.fields, frame_id)
        except _Unreadable as wrong:
            flaws.append(Flaw(row=row.id, field=argument.name, message=wrong.message, remedy=wrong.remedy))
            continue
        if value is not None:
            arguments[argument.name] = value
    watch = None
    if takes_watch(skill):
        try:
            watch = _watch(row.fields)
        except _Unreadable as wrong:
            flaws.append(Flaw(row=row.id, field="watch", message=wrong.message, remedy=wrong.remedy))
    return Step(row.skill, arguments, watch), flaws


class _Unreadable(Exception):
    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def _value(argument: Argument, fields: Mapping[str, str], frame_id: str) -> Value | None:
    """None where nothing was given; whether something must be, the validator says."""
    chosen, kind = fields.get(argument.name, ""), kind_of(argument, fields)
    if kind is None:
        return chosen.removeprefix(NAMED) or None if chosen.startswith(NAMED) else None
    written = [fields.get(f"{argument.name}.{part}", "").strip() for part in parts_of(kind)]
    if not any(written):
        return None
    if kind is ArgumentType.MOVES:
        return _motions(written[0])
    if kind in TEXTS:
        return written[0]
    if kind is ArgumentType.INTEGER:
        return _whole(written[0], argument.name)
    if kind is ArgumentType.NUMBER:
        return _number(written[0], argument.name)
    numbers = [_number(text, part) for text, part in zip(written, parts_of(kind), strict=True)]
    if kind is ArgumentType.POSE:
        return Pose(numbers[0], numbers[1], numbers[2], frame_id)
    if kind is ArgumentType.CELL:
        return tuple(float(_whole(text, part)) for text, part in zip(written, parts_of(kind), strict=True))
    return tuple(numbers)


def _motions(text: str) -> Value:
    try:
        return motion.read(text)
    except ValueError as error:
        problem, _, remedy = str(error).partition(". ")
        raise _Unreadable(f"{problem}.", remedy) from None


def _number(text: str, name: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        said = f"“{text[:40]}” is no number." if text else f"{name} is missing."
        raise _Unreadable(said, f"Write a number for {name}.") from None
    if not abs(value) < 1e15:
        raise _Unreadable(f"{name} is out of range.", f"Write a smaller number for {name}.")
    return value


def _whole(text: str, name: str) -> int:
    value = _number(text, name)
    if value != int(value):
        raise _Unreadable(f"“{text[:40]}” is no whole number.", f"Write a whole number for {name}.")
    return int(value)


def _watch(fields: Mapping[str, str]) -> Watch | None:
    how, camera = fields.get("watch", ""), fields.get("watch.camera", "")
    if how == "all":
        return Watch("all", camera)
    if how != "points":
        return None
    points = []
    for pair in fields.get("watch.points", "").split(";"):
        numbers: list[Any] = pair.replace(",", " ").split()
        if len(numbers) != 2:
            raise _Unreadable(
                "The points cannot be read.", "Write x, y of each, with a semicolon between points."
            )
        points.append((_number(numbers[0], "x"), _number(numbers[1], "y")))
    return Watch(tuple(points), camera)


def after(op: str, rows: tuple[Row, ...], catalogue: Catalogue) -> tuple[Row, ...]:
    """The rows after a button was pressed: `add`, or `up`, `down`, `insert`, `remove` with `:ROW`."""
    verb, _, id = op.partition(":")
    place = next((index for index, row in enumerate(rows) if row.id == id), None)
    if verb == "add" or (verb == "insert" and place is not None):
        fresh = Row(id=_fresh(rows), skill=catalogue.skills[0].name if catalogue.skills else "")
        place = len(rows) if place is None else place + 1
        return (*rows[:place], fresh, *rows[place:])
    if place is None:
        return rows
    rest = (*rows[:place], *rows[place + 1 :])
    if verb == "remove":
        return rest
    to = max(0, place - 1) if verb == "up" else place + 1 if verb == "down" else place
    return (*rest[:to], rows[place], *rest[to:])


def _fresh(rows: Sequence[Row]) -> str:
    taken = {row.id for row in rows}
    return next(f"r{number}" for number in range(1, len(rows) + 2) if f"r{number}" not in taken)
