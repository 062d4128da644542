"""Evaluation runs: the list of them, one run's figures, a cell's episodes, two runs side by side.

A report is sections, and a section is charts and the table that says the same in figures, so that nothing is
told by a picture alone.
"""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup
from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Choice, Empty, FieldError, Icon, Link, Notice, Tone
from backend.web.pages.view import View


class RunRow(Struct, frozen=True, kw_only=True):
    """`state`: finished; running while episodes keep coming; still where none came for a while."""

    number: int
    href: str
    kind: str
    study: str
    seeds: str
    done: str
    done_share: float
    state: Literal["finished", "running", "still", "unreadable"]
    state_text: str
    started: str
    started_iso: str
    by: str
    version: str
    is_other_version: bool


class RunList(View, frozen=True, kw_only=True):
    """Fetched again each two seconds while a run is `live`. `command` starts a first one."""

    template = "evaluation/_list.html"
    variable = "runs"

    summary: str
    rows: tuple[RunRow, ...]
    live: bool
    command: str
    empty: Empty | None = None


class StartForm(Struct, frozen=True, kw_only=True):
    """For whoever may start a run. `seeds`: as typed."""

    studies: tuple[Choice, ...]
    seeds: str
    errors: tuple[FieldError, ...] = ()


class RunsPage(Page, frozen=True, kw_only=True):
    template = "evaluation/index.html"

    runs: RunList
    start: StartForm | None = None


class Progress(View, frozen=True, kw_only=True):
    """How far an unfinished run is, fetched again each two seconds. `command` goes on with it, and the button
    does where `may_go_on`. `has_begun`: an episode is there, and with it figures.
    """

    template = "evaluation/_progress.html"
    variable = "progress"

    run: int
    icon: Icon
    tone: Tone
    title: str
    text: str
    share: float
    live: bool
    has_begun: bool = True
    command: str = ""
    may_go_on: bool = False


class Chart(Struct, frozen=True, kw_only=True):
    """`svg` is made by `backend/evaluation/charts`, which escapes whatever it is told."""

    name: str
    svg: Markup


class Column(Struct, frozen=True, kw_only=True):
    label: str
    is_figure: bool = True


class Value(Struct, frozen=True, kw_only=True):
    """One cell of a table. `interval` stands beside `text`, `printed` (what the paper has) below.

    `is_short`: known to differ from what is printed; `is_odd`: differs, and nothing here explains it.
    """

    text: str
    interval: str = ""
    printed: str = ""
    is_short: bool = False
    is_odd: bool = False
    href: str = ""


class TableRow(Struct, frozen=True, kw_only=True):
    """`group` is written once above its rows. The first of `values` heads the row."""

    values: tuple[Value, ...]
    group: str = ""


class Table(Struct, frozen=True, kw_only=True):
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]


class Section(Struct, frozen=True, kw_only=True):
    """`notes` are said below the table: what is not met, what was left out of a picture."""

    id: str
    title: str
    note: str = ""
    charts: tuple[Chart, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()


class RunHead(Struct, frozen=True, kw_only=True):
    """`facts`: name and value, such as seeds and version."""

    number: int
    title: str
    lead: str
    facts: tuple[tuple[str, str], ...]
    exports: tuple[Link, ...]


class RunPage(Page, frozen=True, kw_only=True):
    """`compared`: the methods whose differences from the others can be told; empty for one method.

    `others`: runs that it can be held against, for a cell that both have.
    """

    template = "evaluation/show.html"

    head: RunHead
    sections: tuple[Section, ...]
    progress: Progress | None = None
    notices: tuple[Notice, ...] = ()
    compared: tuple[Choice, ...] = ()
    others: tuple[Choice, ...] = ()
    empty: Empty | None = None


class CellPage(Page, frozen=True, kw_only=True):
    """A cell's episodes, failures first, then by seed. `before`, `after`: the pages beside this one.
    `labels`: what people labelled them with, in a sentence; empty for nothing."""

    template = "evaluation/cell.html"

    run: int
    title: str
    lead: str
    table: Table | None
    shown: str
    before: Link | None = None
    after: Link | None = None
    trajectories: Link | None = None
    notices: tuple[Notice, ...] = ()
    empty: Empty | None = None
    labels: str = ""


class ComparePage(Page, frozen=True, kw_only=True):
    """The second run minus the first. `differing`: what is not the same, as (what, first, second)."""

    template = "evaluation/compare.html"

    first: RunRow
    second: RunRow
    differing: tuple[tuple[str, str, str], ...]
    sections: tuple[Section, ...]
    empty: Empty | None = None


class PathsPage(Page, frozen=True, kw_only=True):
    """One seed's ways under each method, side by side on the map."""

    template = "evaluation/paths.html"

    run: int
    title: str
    lead: str
    charts: tuple[Chart, ...]
    table: Table
    seeds: tuple[Link, ...]
    notices: tuple[Notice, ...] = ()
