"""One row of the plan editor: its skill, a control for each argument, and what is wrong beside the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.domain.episode.state import State
from backend.domain.memory.record import ACTIVE
from backend.domain.plans.catalogue import Argument, ArgumentType, Skill
from backend.domain.plans.findings import Finding
from backend.domain.plans.schema import proper_arguments, takes_watch
from backend.web.builders import words
from backend.web.composing import IDS, NAMED, TEXTS, Flaw, Row, kind_of, kinds_of, parts_of
from backend.web.pages import figures
from backend.web.pages.editor import Control, EditorRow, Group, Part
from backend.web.pages.parts import Choice, FieldError

FORM = "editor"

WRITTEN = {
    ArgumentType.CELL: "A cell, by x and y",
    ArgumentType.POSE: "A pose, in metres",
    ArgumentType.PIXEL: "A pixel",
    ArgumentType.PHRASE: "In words",
    ArgumentType.INTEGER: "A whole number",
    ArgumentType.NUMBER: "A number",
    ArgumentType.CHECK: "A check",
    ArgumentType.MOVES: "Moves and waits",
}
LABELS = {
    "x": "x, cells",
    "y": "y, cells",
    "x_m": "x, m",
    "y_m": "y, m",
    "yaw_rad": "Heading, rad",
    "x_px": "x, px",
    "y_px": "y, px",
}
WATCHES = (("", "Nothing"), ("points", "Points of a picture"), ("all", "Every frame"))


def editor_row(
    state: State,
    row: Row,
    index: int,
    count: int,
    findings: Sequence[Finding],
    flaws: Sequence[Flaw],
    change: str,
) -> EditorRow:
    skill = state.catalogue.skill(row.skill)
    errors = tuple(_errors(row, findings, flaws))
    controls = tuple(_controls(state, row, skill, errors)) if skill is not None else ()
    beside = {control.field for control in controls}
    return EditorRow(
        id=row.id,
        number=str(index + 1),
        skill=row.skill,
        skills=tuple(
            Choice(value=each.name, label=each.name, text=each.description, chosen=each.name == row.skill)
            for each in state.catalogue.skills
        ),
        text=skill.description if skill is not None else "",
        controls=controls,
        errors=tuple(error for error in errors if error.field not in beside),
        change=change,
        is_first=index == 0,
        is_last=index == count - 1,
    )


def _errors(row: Row, findings: Sequence[Finding], flaws: Sequence[Flaw]) -> Iterator[FieldError]:
    unread = set()
    for flaw in flaws:
        unread.add(flaw.field)
        yield FieldError(field=f"{row.id}.{flaw.field}", message=flaw.message, remedy=flaw.remedy)
    for finding in findings:
        if finding.argument not in unread:
            field = f"{row.id}.{finding.argument or 'skill'}"
            yield FieldError(field=field, message=finding.message, remedy=finding.remedy)


def _controls(state: State, row: Row, skill: Skill, errors: tuple[FieldError, ...]) -> Iterator[Control]:
    for argument in proper_arguments(skill):
        yield _control(state, row, argument, errors)
    if takes_watch(skill):
        yield _watch(state, row, errors)


def _control(state: State, row: Row, argument: Argument, errors: tuple[FieldError, ...]) -> Control:
    field = f"{row.id}.{argument.name}"
    kind = kind_of(argument, row.fields)
    chosen = row.fields.get(argument.name, "") if kind is None else kind.value
    kinds = kinds_of(argument)
    alone = len(kinds) == 1 and not IDS.intersection(argument.types)
    return Control(
        field=field,
        name=field,
        id=f"{FORM}-{row.id}-{argument.name}",
        label=argument.name if argument.required else f"{argument.name}, if any",
        help=argument.description,
        groups=() if alone else tuple(_groups(state, argument, chosen)),
        parts=tuple(_parts(row, argument, kind)) if kind is not None else (),
        belief=_belief(state, chosen.removeprefix(NAMED)) if chosen.startswith(NAMED) else "",
        errors=tuple(error for error in errors if error.field == field),
    )


def _groups(state: State, argument: Argument, chosen: str) -> Iterator[Group]:
    """What can be chosen, what is to be collected first; what was chosen and is gone stays, and is told."""
    known: set[str] = set()

    def group(label: str, ids: Sequence[str], of: dict[str, str] | None = None) -> Group:
        known.update(ids)
        return Group(
            label=label,
            choices=tuple(
                Choice(
                    value=f"{NAMED}{id}",
                    label=f"{id}{(of or {}).get(id, '')}",
                    chosen=chosen == f"{NAMED}{id}",
                )
                for id in ids
            ),
        )

    first = "Choose" if argument.required else "Not given"
    yield Group(label="", choices=(Choice(value="", label=first, chosen=not chosen),))
    if ArgumentType.ENTITY in argument.types:
        records = state.memory.ordered()
        places = {record.id: f" · {words.place(record.pose)}" for record in records}
        yield group("To collect", [record.id for record in records if record.status in ACTIVE], places)
        yield group("Other records", [record.id for record in records if record.status not in ACTIVE], places)
    if ArgumentType.STATION in argument.types:
        yield group("Stations", [station.id for station in state.site.stations])
    named = chosen.removeprefix(NAMED)
    if chosen.startswith(NAMED) and named not in known:
        yield group("Not known", [named])
    written = kinds_of(argument)
    if written:
        choices = tuple(
            Choice(value=kind.value, label=WRITTEN[kind], chosen=chosen == kind.value) for kind in written
        )
        yield Group(label="Written", choices=choices)


def _parts(row: Row, argument: Argument, kind: ArgumentType) -> Iterator[Part]:
    for part in parts_of(kind):
        is_number = kind not in TEXTS
        whole = kind in (ArgumentType.CELL, ArgumentType.INTEGER)
        yield Part(
            name=f"{row.id}.{argument.name}.{part}",
            id=f"{FORM}-{row.id}-{argument.name}-{part}",
            label=LABELS.get(part, argument.name),
            value=row.fields.get(f"{argument.name}.{part}", ""),
            mode=("numeric" if whole else "decimal") if is_number else "text",
        )


def _belief(state: State, named: str) -> str:
    """What is believed of what is chosen, so that nobody picks by a name alone."""
    record = state.memory.records.get(named)
    if record is None:
        station = state.site.station(named)
        return f"Station at {words.place(station.pose)}" if station is not None else ""
    age = figures.age(state.met_s - record.stamp_s)
    return f"{record.cls} at {words.place(record.pose)}, {figures.share(record.confidence)}, seen {age} ago"


def _watch(state: State, row: Row, errors: tuple[FieldError, ...]) -> Control:
    field, how = f"{row.id}.watch", row.fields.get("watch", "")
    parts = [_camera(state, row, field)] if how else []
    if how == "points":
        value = row.fields.get("watch.points", "")
        parts.append(
            Part(
                name=f"{field}.points",
                id=f"{FORM}-{row.id}-watch-points",
                label="Points x, y; x, y",
                value=value,
            )
        )
    choices = tuple(Choice(value=value, label=label, chosen=value == how) for value, label in WATCHES)
    return Control(
        field=field,
        name=field,
        id=f"{FORM}-{row.id}-watch",
        label="Watch",
        groups=(Group(label="", choices=choices),),
        parts=tuple(parts),
        errors=tuple(error for error in errors if error.field == field),
    )


def _camera(state: State, row: Row, field: str) -> Part:
    chosen = row.fields.get("watch.camera", "")
    names = ["", *state.catalogue.cameras]
    known = names if chosen in names else [*names, chosen]
    return Part(
        name=f"{field}.camera",
        id=f"{FORM}-{row.id}-watch-camera",
        label="Camera",
        value=chosen,
        choices=tuple(
            Choice(value=each, label=each or "The front one", chosen=each == chosen) for each in known
        ),
    )
