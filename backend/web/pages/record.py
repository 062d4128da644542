"""One record opened: its fields with who said what, its history, and what a person may correct."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Choice, FieldError, Icon, Mark, Phrase, Tone


class RecordField(Struct, frozen=True, kw_only=True):
    """A field of the record. `said`: whose word it is, and why; `lock`: the query that rehearses locking or
    unlocking it, None where it cannot be."""

    name: str
    text: str
    said: str = ""
    is_locked: bool = False
    lock: Mapping[str, str] | None = None
    met_s: float | None = None


class HistoryRow(Struct, frozen=True, kw_only=True):
    """One change, or what a source says against a person's word. `seq` is its moment."""

    seq: int
    seq_text: str
    met: str
    field: str
    change: str
    by: str
    why: str
    icon: Icon = "ok"
    tone: Tone = "quiet"


class DraftField(Struct, frozen=True, kw_only=True):
    """A field of a correction's form. `type` "number": metres or a share; "choice": one of `choices`."""

    field: str
    label: str
    type: Literal["text", "number", "choice", "check"]
    value: str = ""
    choices: tuple[Choice, ...] = ()
    unit: str = ""
    help: str = ""


class Confirm(Struct, frozen=True, kw_only=True):
    """What the correction would set off, and what is posted to make it: `hidden` holds all that was typed,
    the revisions that were seen and the digest of what is said here."""

    told: tuple[Mark, ...]
    hidden: Mapping[str, str]
    label: str


class Draft(Struct, frozen=True, kw_only=True):
    """A correction being written. `confirm` None: it is not complete yet, or not possible, for `errors`."""

    do: str
    title: str
    fields: tuple[DraftField, ...]
    kept: Mapping[str, str]
    cancel: Mapping[str, str]
    chosen: str = ""
    reason: str = ""
    help: str = ""
    errors: tuple[FieldError, ...] = ()
    why_not: str = ""
    confirm: Confirm | None = None


class Deed(Struct, frozen=True, kw_only=True):
    """One thing that may be done with the record: the query that begins it."""

    do: str
    label: str
    query: Mapping[str, str]
    current: bool = False


class SheetDispute(Struct, frozen=True, kw_only=True):
    """`ways`: what may be done about it, as (label, query)."""

    told: Phrase
    ways: tuple[tuple[str, Mapping[str, str]], ...] = ()


class RecordSheet(Struct, frozen=True, kw_only=True):
    """`factors`: the score in one line. `why_not`: why nothing may be corrected here and now."""

    entity: str
    icon: Icon
    status: str
    tone: Tone
    standing: Phrase
    fields: tuple[RecordField, ...]
    disputes: tuple[SheetDispute, ...]
    deeds: tuple[Deed, ...]
    why_not: str
    history: tuple[HistoryRow, ...]
    back: Mapping[str, str]
    chart: Mapping[str, str]
    draft: Draft | None = None
    more: bool = False
