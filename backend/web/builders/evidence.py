"""The evidence panel: its tabs with their counts, and the one that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.domain.episode.state import State
from backend.domain.execution.frames import WatchedFrames
from backend.usecases.reading import Entry
from backend.web.builders import context, exchange, frames
from backend.web.builders.annotations import Annotated, annotations_panel
from backend.web.builders.audit import Page, audit_panel
from backend.web.builders.audit_filter import Wanted, filter_form
from backend.web.builders.calls import Call
from backend.web.builders.context import context_panel
from backend.web.builders.demonstration import demonstration_panel
from backend.web.builders.exchange import exchange_panel
from backend.web.builders.frames import film_strip
from backend.web.builders.gate_form import Tried
from backend.web.builders.log import log_panel
from backend.web.builders.memory_panel import Remembered, memory_panel
from backend.web.builders.moment import Moment
from backend.web.builders.table import table_panel
from backend.web.builders.table_probe import Asked as Probed
from backend.web.pages import figures
from backend.web.pages.annotations import AnnotationsPanel
from backend.web.pages.context import ContextPanel
from backend.web.pages.evidence import Evidence, Panel, Tab, TabName
from backend.web.pages.frames import FilmStrip
from backend.web.pages.memory import MemoryTable
from backend.web.pages.parts import Phrase, plain, strong, strong_figure

LABELS: dict[TabName, str] = {
    "table": "Table",
    "demonstration": "Demonstration",
    "memory": "Memory",
    "context": "Context",
    "exchange": "Exchange",
    "frames": "Frames",
    "log": "Log and notes",
    "audit": "Audit",
    "annotations": "Annotations",
}


AT_TABLE: frozenset[TabName] = frozenset({"table", "demonstration"})
"""Tabs of an arm at a table alone."""


class Rows(Struct, frozen=True, kw_only=True):
    """What there is up to the cursor. `call`: the call to the planner that is read, else the newest.
    `films`: action -> its frames. `probed`: the pixel that is read; `watched`: events of a demonstration.
    `tried`: the gate set otherwise. `logged`: of `log.KINDS`, for the log
    alone. `wanted`, `page`: for the audit alone. `memory`: how memory is looked at. `annotated`: what people
    wrote, whatever the cursor."""

    call: Call | None = None
    films: Mapping[int, WatchedFrames] = {}
    tried: Tried | None = None
    logged: Sequence[Entry] = ()
    wanted: Wanted = Wanted()
    page: Page = Page()
    memory: Remembered = Remembered()
    annotated: Annotated = Annotated()
    probed: Probed = Probed(camera="")
    watched: Sequence[Entry] = ()


def evidence(moment: Moment, rows: Rows, tab: TabName, chosen: str) -> Evidence:
    state, panel = moment.state, _panel(moment, rows, tab, chosen)
    return Evidence(
        episode=moment.episode,
        at=moment.at,
        tabs=tuple(
            Tab(name=name, label=LABELS[name], count=_count(moment, rows, name))
            for name in tabs_of(state, tab)
        ),
        open=tab,
        panel=panel,
        tail=_tail(moment, rows, tab, panel),
        chosen=chosen,
        query=_query(rows, tab),
        is_still=_is_writing(panel),
        shows_known=isinstance(panel, MemoryTable) and panel.known is not None,
        as_of_met_s=state.met_s if _ages(state, tab) else None,
        as_of=figures.met(state.met_s),
    )


def tabs_of(state: State, asked: TabName | None = None) -> tuple[TabName, ...]:
    """Those that this robot has, in their order; the first is open where none is asked for.

    One that is asked for is there, and says that it has nothing to show.
    """
    there = state.at_table
    absent = set(AT_TABLE) if there is None else {"demonstration"} if there.film is None else set()
    return tuple(name for name in LABELS if name == asked or name not in absent)


def _is_writing(panel: object) -> bool:
    """What is posted is checked against what is then: the person is left to write."""
    if isinstance(panel, AnnotationsPanel):
        return True
    if not isinstance(panel, MemoryTable):
        return False
    return panel.draft is not None or (panel.sheet is not None and panel.sheet.draft is not None)


def _query(rows: Rows, tab: TabName) -> Mapping[str, str]:
    """What else the panel is asked with, kept when it is fetched again."""
    if tab == "memory":
        return rows.memory.asked.query
    if tab == "frames" and rows.tried is not None:
        return dict(rows.tried.typed)
    if tab == "table":
        return rows.probed.query
    return filter_form(rows.wanted).query if tab == "audit" else {}


def _ages(state: State, tab: TabName) -> bool:
    """Memory is scored at the last event's time, and the mission goes on before the next one."""
    return tab == "memory" and state.ending is None


def _panel(moment: Moment, rows: Rows, tab: TabName, chosen: str) -> Panel:
    if tab == "table":
        return table_panel(moment, rows.films, rows.probed)
    if tab == "demonstration":
        return demonstration_panel(moment, rows.watched, chosen)
    if tab == "context":
        return context_panel(moment, rows.call, rows.films, chosen)
    if tab == "exchange":
        return exchange_panel(moment, rows.call, chosen)
    if tab == "frames":
        return film_strip(moment, rows.films, chosen, rows.tried)
    if tab == "log":
        return log_panel(moment, rows.logged, chosen)
    if tab == "audit":
        return audit_panel(moment, rows.page, rows.wanted, chosen)
    if tab == "annotations":
        return annotations_panel(moment, rows.annotated, chosen)
    return memory_panel(moment, rows.memory)


def _count(moment: Moment, rows: Rows, tab: TabName) -> str:
    state = moment.state
    if tab in AT_TABLE:
        return _count_at_table(state, tab)
    if tab == "memory":
        return figures.count(len(state.memory.records))
    if tab == "context":
        blocks = rows.call.sent.blocks if rows.call is not None else ()
        return context.size_of(blocks) if blocks else figures.NONE
    if tab == "exchange":
        return str(exchange.attempts_of(rows.call.exchanges if rows.call is not None else ()))
    if tab == "frames":
        film = next(reversed([*rows.films.values()]), None)
        return "{}/{}".format(*frames.counts(film)) if film is not None else figures.NONE
    if tab == "log":
        return figures.count(len(state.log) + len(state.notes))
    if tab == "annotations":
        return figures.count(len(rows.annotated.found))
    return figures.count(state.seq)


def _count_at_table(state: State, tab: TabName) -> str:
    """Actions so far, or frames of the demonstration that were shown."""
    if tab == "table" or state.at_table is None or state.at_table.viewing is None:
        return figures.count(len(state.log))
    viewing = state.at_table.viewing
    return figures.count(viewing.skimmed + viewing.inspected)


def _tail(moment: Moment, rows: Rows, tab: TabName, panel: object) -> Phrase:
    state = moment.state
    if tab == "memory":
        return (plain("Rev "), strong_figure(figures.count(state.memory.revision)))
    if isinstance(panel, ContextPanel) and panel.decision is not None:
        return (plain("Call "), strong_figure(figures.count(panel.decision)))
    if tab == "exchange":
        model = exchange.model_of(rows.call.exchanges) if rows.call is not None else ""
        return (plain(model or f"Planner {state.planner}"),)
    if isinstance(panel, FilmStrip) and panel.action:
        command = next((line.command for line in state.log if line.index == panel.action), "")
        return (plain(f"Action {panel.action} "), strong(command))
    return ()
