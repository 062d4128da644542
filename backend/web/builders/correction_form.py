"""A correction's form: its fields, then what it would set off, then the button that makes it so.

What is shown before saving comes from `rehearse`, which decides the correction on a copy of the newest state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.decide.blast import Blast
from backend.domain.decide.correcting import rehearse
from backend.domain.episode.state import State
from backend.domain.memory.corrections import Correction, named
from backend.domain.memory.record import EntityRecord
from backend.domain.refusal import Refusal
from backend.web.builders.blast_words import told
from backend.web.builders.correction_read import read_correction
from backend.web.builders.memory_asked import WRITING, Asked
from backend.web.builders.moment import Moment
from backend.web.pages.parts import Choice, FieldError
from backend.web.pages.record import Confirm, Draft, DraftField

TITLES = {
    "move": "Say where it is",
    "reclass": "Say what it is",
    "set_status": "Set its status",
    "remove": "Remove it",
    "add": "Add a record",
    "lock": "Lock",
    "unlock": "Unlock",
    "merge": "Merge a duplicate into it",
    "split": "Split it in two",
    "undo": "Undo a correction",
}
HELP = {
    "move": "In metres, as the map shows them. Lock it and no report moves it, whoever says otherwise.",
    "remove": "There is no such thing. Reports of it are kept and refused; you can set it to observed again.",
    "lock": "Reports that say otherwise are kept and refused. What the robot itself measures ends a lock.",
    "merge": "This record stays; what is reported of the other one is about this one from then on.",
    "split": "This record stays where it is; the other thing gets one of its own.",
    "set_status": "Delivered: carried there by hand. That something is held is measured, never said.",
}
NEEDS_NOTHING = ("remove", "lock", "unlock", "undo")
"""Nothing has to be typed: what it would do is shown at once."""
FIELD_OF_CODE = {
    "place": "x_m",
    "confidence": "confidence",
    "class": "cls",
    "station": "station",
    "known": "name",
    "entity": "name",
    "not_merged": "name",
    "same": "other",
}
"""Refusals that concern one field of the form, and which."""
NEAR = 30


def draft_of(moment: Moment, asked: Asked, typed: Mapping[str, str] | None = None) -> Draft | None:
    """The form that is open. `typed`: what was posted and refused, in place of the address's."""
    if not asked.do or not moment.is_live:
        return None
    given = asked.query if typed is None else typed
    state, record = moment.head, moment.head.memory.records.get(asked.record)
    if record is None and asked.do not in ("add", "undo"):
        return None
    correction, errors, why_not, blast = _tried(moment, asked, given)
    return Draft(
        do=asked.do,
        title=_title(asked, given),
        fields=tuple(_fields(state, asked.do, record, given)),
        kept=asked.writing(do=asked.do, **_carried(asked.do, given)),
        cancel=asked.looking(),
        chosen=asked.record,
        reason=given.get("reason", ""),
        help=HELP.get(asked.do, ""),
        errors=errors,
        why_not=moment.why_no_command or why_not,
        confirm=_confirm(state, asked, given, correction, blast),
    )


def _tried(
    moment: Moment, asked: Asked, given: Mapping[str, str]
) -> tuple[Correction | None, tuple[FieldError, ...], str, Blast | None]:
    """The correction if it is complete; errors beside its fields; else why it is refused; else its blast."""
    is_begun = asked.do in NEEDS_NOTHING or any(
        given.get(name) for name in WRITING if name not in ("do", "lock")
    )
    if not is_begun:
        return None, (), "", None
    read = read_correction(asked.do, asked.record, given)
    if isinstance(read, FieldError):
        return None, (read,), "", None
    blast = rehearse(moment.head, read, moment.viewer.name, moment.head.met_s)
    if not isinstance(blast, Refusal):
        return read, (), "", blast
    field = FIELD_OF_CODE.get(blast.code)
    if field is not None:
        return None, (FieldError(field=field, message=blast.message, remedy=blast.remedy),), "", None
    return None, (), str(blast), None


def _confirm(
    state: State, asked: Asked, given: Mapping[str, str], correction: Correction | None, blast: Blast | None
) -> Confirm | None:
    if correction is None or blast is None:
        return None
    records = state.memory.records
    seen = {f"seen_{n}": f"{records[each].revision}:{each}" for n, each in enumerate(named(correction))}
    typed = {name: value for name in WRITING if name != "reason" and (value := given.get(name, ""))}
    return Confirm(
        told=told(blast),
        hidden={**typed, "do": asked.do, "chosen": asked.record, **seen, "blast": blast.digest},
        label="Confirm",
    )


def _title(asked: Asked, given: Mapping[str, str]) -> str:
    what = TITLES[asked.do]
    if asked.do in ("lock", "unlock"):
        return f"{what} {given.get('field', 'pose')} of {asked.record}"
    if asked.do == "undo":
        return f"Undo the correction of event {given.get('of', '')}"
    return f"{what}: {asked.record}" if asked.record else what


def _carried(do: str, given: Mapping[str, str]) -> dict[str, str]:
    """What a form without fields is about."""
    names = {"lock": ("field",), "unlock": ("field",), "undo": ("of",)}.get(do, ())
    return {name: given.get(name, "") for name in names}


def _fields(
    state: State, do: str, record: EntityRecord | None, given: Mapping[str, str]
) -> Sequence[DraftField]:
    lock = DraftField(field="lock", label="Lock it", type="check", value=given.get("lock", ""))
    if do == "move":
        return (*_place(given, record), lock)
    if do == "reclass":
        return (_class(state, given, record), lock)
    if do == "set_status":
        return (_status(given, record), lock)
    if do == "add":
        known = DraftField(
            field="name",
            label="Robot’s own id",
            type="text",
            value=given.get("name", ""),
            help="if it has one",
        )
        return (_class(state, given, None), *_place(given, None), known, lock)
    if do == "merge":
        return (_other(state, given, record),)
    if do == "split":
        return (_class(state, given, record), *_place(given, None), *_alias(state, given, record))
    return ()


def _place(given: Mapping[str, str], record: EntityRecord | None) -> Sequence[DraftField]:
    x_m = f"{record.pose.x_m:g}" if record is not None else ""
    y_m = f"{record.pose.y_m:g}" if record is not None else ""
    return (
        DraftField(field="x_m", label="x", type="number", value=given.get("x_m", x_m), unit="m"),
        DraftField(field="y_m", label="y", type="number", value=given.get("y_m", y_m), unit="m"),
        DraftField(
            field="confidence",
            label="How sure",
            type="number",
            value=given.get("confidence", "1"),
            unit="0 to 1",
        ),
    )


def _class(state: State, given: Mapping[str, str], record: EntityRecord | None) -> DraftField:
    chosen = given.get("cls", record.cls if record is not None else "")
    known = sorted({*state.assignments, *([chosen] if chosen else [])})
    if state.site.assignment == "at_reveal":
        return DraftField(field="cls", label="Class", type="text", value=chosen, help=", ".join(known))
    return DraftField(field="cls", label="Class", type="choice", choices=_choices(known, chosen))


def _status(given: Mapping[str, str], record: EntityRecord | None) -> DraftField:
    chosen = given.get("status", record.status.value if record is not None else "")
    return DraftField(
        field="status",
        label="Status",
        type="choice",
        choices=_choices(("observed", "reconsider", "lost", "delivered"), chosen),
    )


def _other(state: State, given: Mapping[str, str], record: EntityRecord | None) -> DraftField:
    """The nearest first: a duplicate is rarely far."""
    if record is None:
        return DraftField(field="other", label="Duplicate", type="text")
    metric = state.site.metric
    near = sorted(
        (each for each in state.memory.records.values() if each.id != record.id and not each.merged_into),
        key=lambda each: (each.cls != record.cls, metric.distance_m(each.pose, record.pose), each.order),
    )[:NEAR]
    choices = tuple(
        Choice(
            value=each.id,
            label=f"{each.id}, {metric.distance_m(each.pose, record.pose):.2f} m away",
            chosen=each.id == given.get("other"),
        )
        for each in near
    )
    return DraftField(field="other", label="Is the same as", type="choice", choices=choices)


def _alias(state: State, given: Mapping[str, str], record: EntityRecord | None) -> Sequence[DraftField]:
    """Ids that were merged into it can be a record of their own again."""
    merged = [
        each.id for each in state.memory.ordered() if record is not None and each.merged_into == record.id
    ]
    if not merged:
        return ()
    choices = (Choice(value="", label="A new record"), *_choices(merged, given.get("name", "")))
    return (DraftField(field="name", label="As", type="choice", choices=choices),)


def _choices(values: Sequence[str], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value=each, label=each, chosen=each == chosen) for each in values)
