"""A correction as it was typed, read: the value, or what is wrong beside the field."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from backend.domain.memory.corrections import (
    FIELD_OF,
    Add,
    Correction,
    Lock,
    Merge,
    Move,
    Reclass,
    Remove,
    SetStatus,
    Split,
    Undo,
    Unlock,
)
from backend.domain.memory.record import Status
from backend.web.pages.parts import FieldError

Typed = Mapping[str, str]
MISSING = "Nothing is written here."


class Wrong(Exception):
    """A field cannot be read."""

    def __init__(self, field: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.error = FieldError(field=field, message=message, remedy=remedy)


def read_correction(do: str, entity: str, typed: Typed) -> Correction | FieldError:
    """`do`: which correction, by its tag; `entity`: the record that is open, if any."""
    reader = _READERS.get(do)
    if reader is None:
        return FieldError(field="do", message="There is no such correction.", remedy="Choose one.")
    try:
        return reader(entity, typed)
    except Wrong as wrong:
        return wrong.error


def _number(typed: Typed, name: str, usual: str = "") -> float:
    text = typed.get(name, "").strip() or usual
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        message = f"“{text[:40]}” is no number." if text else MISSING
        raise Wrong(name, message, "Write a number, such as 3.2.")
    return value


def _text(typed: Typed, name: str, remedy: str) -> str:
    text = typed.get(name, "").strip()
    if not text:
        raise Wrong(name, MISSING, remedy)
    return text


def _place(typed: Typed) -> dict[str, float]:
    return {
        "x_m": _number(typed, "x_m"),
        "y_m": _number(typed, "y_m"),
        "confidence": _number(typed, "confidence", "1"),
    }


def _lock_of(typed: Typed) -> bool:
    return bool(typed.get("lock"))


def _status(entity: str, typed: Typed) -> Correction:
    text = _text(typed, "status", "Choose one.")
    if text not in {each.value for each in Status}:
        raise Wrong(
            "status", f"“{text[:40]}” is no status.", "Choose observed, reconsider, lost or delivered."
        )
    station = typed.get("station", "").strip()
    return SetStatus(entity=entity, status=Status(text), station=station, lock=_lock_of(typed))


def _field(typed: Typed) -> Any:
    text = typed.get("field", "pose")
    if text not in FIELD_OF:
        raise Wrong("field", f"“{text[:40]}” cannot be locked.", "Choose class, pose or status.")
    return text


def _undo(entity: str, typed: Typed) -> Correction:
    text = typed.get("of", "")
    if not text.isdecimal() or len(text) > 9:
        raise Wrong("of", "That is no correction.", "Choose one from the list of corrections.")
    return Undo(seq=int(text))


_READERS: Mapping[str, Callable[[str, Typed], Correction]] = {
    "move": lambda entity, typed: Move(entity=entity, **_place(typed), lock=_lock_of(typed)),
    "reclass": lambda entity, typed: Reclass(
        entity=entity, cls=_text(typed, "cls", "Write its class."), lock=_lock_of(typed)
    ),
    "set_status": _status,
    "remove": lambda entity, _: Remove(entity=entity),
    "add": lambda _, typed: Add(
        cls=_text(typed, "cls", "Write its class."),
        **_place(typed),
        entity=typed.get("name", ""),
        lock=_lock_of(typed),
    ),
    "lock": lambda entity, typed: Lock(entity=entity, field=_field(typed)),
    "unlock": lambda entity, typed: Unlock(entity=entity, field=_field(typed)),
    "merge": lambda entity, typed: Merge(
        entity=entity, absorbed=_text(typed, "other", "Choose the record that is the same thing.")
    ),
    "split": lambda entity, typed: Split(
        entity=entity,
        cls=_text(typed, "cls", "Write the class of the other thing."),
        **_place(typed),
        name=typed.get("name", ""),
    ),
    "undo": _undo,
}
