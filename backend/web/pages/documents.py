"""Missions and sites: what there is, one of them with its versions, and the form that writes the next."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Empty, FieldError, Link, Notice

Shelf = Literal["missions", "sites"]


class DocumentRow(Struct, frozen=True, kw_only=True):
    """`version` in words, `edited` by whom and when. `error`: what is wrong with its text; it cannot run."""

    name: str
    title: str
    summary: str
    version: str
    edited: str = ""
    error: str = ""


class DocumentsPage(Page, frozen=True, kw_only=True):
    template = "documents/index.html"

    shelf: Shelf
    heading: str
    note: str
    rows: tuple[DocumentRow, ...]
    may_edit: bool
    may_start: bool = False
    empty: Empty | None = None


class VersionLine(Struct, frozen=True, kw_only=True):
    """`label`: "Version 3", or the file that came along. `said`: by whom and when."""

    label: str
    said: str
    link: Link
    is_open: bool
    is_newest: bool


class Fact(Struct, frozen=True, kw_only=True):
    """A field as it counts, with what it means."""

    label: str
    value: str
    meaning: str = ""


class DocumentPage(Page, frozen=True, kw_only=True):
    """`text` as it is written, or as it was typed and refused. `shown_version`: what an edit begins from.

    `name` empty: it is being written anew. `is_old`: a newer version counts.
    """

    template = "documents/show.html"

    shelf: Shelf
    name: str
    heading: str
    text: str
    shown_version: int
    may_edit: bool
    is_old: bool = False
    versions: tuple[VersionLine, ...] = ()
    facts: tuple[Fact, ...] = ()
    ran: tuple[Link, ...] = ()
    errors: tuple[FieldError, ...] = ()
    notice: Notice | None = None
