"""Two times: what memory held at the cursor beside what is known now, as a table and as marks on the map."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.map import Point
from backend.web.pages.parts import Icon, Tone


class KnownRow(Struct, frozen=True, kw_only=True):
    """One entity. `believed`, `known`: places or words. `difference` is empty where the two agree. `basis`:
    what is known now from, `basis_seq` its event, None where a simulator tells.
    """

    entity: str
    icon: Icon
    status: str
    believed: str
    known: str
    difference: str
    basis: str
    basis_seq: int | None = None
    tone: Tone = "quiet"
    is_relied_on: bool = False
    is_record: bool = True


class KnownTable(Struct, frozen=True, kw_only=True):
    """`summary`: how many differ, in a sentence; `source`: who tells. `misled`: how long plans rested on what
    was wrong in the whole episode. `relied`: whether the plan at the cursor rests on a difference, in words.
    """

    met: str
    summary: str
    source: str
    misled: str
    rows: tuple[KnownRow, ...]
    relied: str = ""


class KnownMark(Struct, frozen=True, kw_only=True):
    """Where an entity was, as is known now, and where memory had it. `place` None: nobody knows; `believed`
    None: there was no record. `label`, `spoken`: the difference.
    """

    entity: str
    place: Point | None
    believed: Point | None
    label: str
    spoken: str
    is_certain: bool = True


class KnownData(Struct, frozen=True, kw_only=True):
    """`GET /episodes/{episode}/known.json?at=SEQ`: what differs, for the map to draw over its own."""

    seq: int
    marks: tuple[KnownMark, ...]
