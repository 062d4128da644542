"""Missions and sites: what there is, one of them with its versions, and the form that writes the next."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.map import Ground
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
    importing: MapForm | None = None


class MapForm(Struct, frozen=True, kw_only=True):
    """Where a map of map_server's is given. `name`: the site it is for; empty: it is asked for."""

    name: str = ""
    typed: str = ""
    errors: tuple[FieldError, ...] = ()


class SiteMap(Struct, frozen=True, kw_only=True):
    """The panel of a site's map; its island draws `GET {source}`, a `Drawing`.

    `typed`: a drawing as it was sent and refused, else empty. `export`: its map as map_server has it.
    """

    source: str
    may_draw: bool
    shown_version: int
    typed: str = ""
    errors: tuple[FieldError, ...] = ()
    export: Link | None = None


class DrawnRegion(Struct, frozen=True, kw_only=True):
    """Corners in metres in the site's frame."""

    name: str
    polygon_m: tuple[tuple[float, float], ...]
    restricted: bool = False


class DrawnStation(Struct, frozen=True, kw_only=True):
    id: str
    x_m: float
    y_m: float
    yaw_rad: float = 0.0
    accepts: tuple[str, ...] = ()


class Drawn(Struct, frozen=True, kw_only=True):
    """What people draw, as the form sends it."""

    regions: tuple[DrawnRegion, ...] = ()
    stations: tuple[DrawnStation, ...] = ()


class Drawing(Struct, frozen=True, kw_only=True):
    """`step_m`: how far an arrow key moves a corner."""

    ground: Ground
    drawn: Drawn
    step_m: float


class VersionLine(Struct, frozen=True, kw_only=True):
    """`label`: "Version 3", or the file that came along. `said`: by whom and when."""

    label: str
    said: str
    link: Link
    is_open: bool
    is_newest: bool


class ChangeLine(Struct, frozen=True, kw_only=True):
    """A field that differs. `kind`: whether it came, went or is otherwise; `was` of one that came is empty,
    and `now` of one that went."""

    field: str
    kind: Literal["came", "went", "changed"]
    was: str
    now: str


class Changes(Struct, frozen=True, kw_only=True):
    """What the version shown has otherwise than the one called `since`. `others`: what else to compare with.

    `note`: said where there is no line.
    """

    since: str
    lines: tuple[ChangeLine, ...]
    note: str = ""
    others: tuple[Link, ...] = ()


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
    changes: Changes | None = None
    map: SiteMap | None = None
    importing: MapForm | None = None
