"""The evidence panel: its six tabs with their counts, and the one that is open."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.usecases.reading import Entry
from backend.web.builders import context, exchange, frames
from backend.web.builders.audit import audit_panel
from backend.web.builders.context import context_panel
from backend.web.builders.exchange import exchange_panel
from backend.web.builders.frames import film_strip
from backend.web.builders.log import log_panel
from backend.web.builders.memory import memory_table
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.audit import AuditPanel
from backend.web.pages.context import ContextPanel
from backend.web.pages.evidence import Evidence, Tab, TabName
from backend.web.pages.exchange import ExchangePanel
from backend.web.pages.frames import FilmStrip
from backend.web.pages.log import LogPanel
from backend.web.pages.memory import MemoryTable
from backend.web.pages.parts import Phrase, plain, strong, strong_figure

LABELS: dict[TabName, str] = {
    "memory": "Memory",
    "context": "Context",
    "exchange": "Exchange",
    "frames": "Frames",
    "log": "Log and notes",
    "audit": "Audit",
}


class Rows(Struct, frozen=True, kw_only=True):
    """Entries up to the cursor. `requests`: the newest two `plan.requested`. `exchanges`: of
    `exchange.KINDS` since the newest decision was first asked. `recorded`: all `frames.recorded`. `page`:
    events, for the audit alone."""

    requests: Sequence[Entry] = ()
    exchanges: Sequence[Entry] = ()
    recorded: Sequence[Entry] = ()
    page: Sequence[Entry] = ()


def evidence(moment: Moment, rows: Rows, tab: TabName, chosen: str) -> Evidence:
    state, panel = moment.state, _panel(moment, rows, tab, chosen)
    return Evidence(
        episode=moment.episode,
        at=moment.at,
        tabs=tuple(
            Tab(name=name, label=label, count=_count(moment, rows, name)) for name, label in LABELS.items()
        ),
        open=tab,
        panel=panel,
        tail=_tail(moment, rows, tab, panel),
        chosen=chosen,
        as_of_met_s=state.met_s if _ages(state, tab) else None,
        as_of=figures.met(state.met_s),
    )


def _ages(state: State, tab: TabName) -> bool:
    """Memory is scored at the last event's time, and the mission goes on before the next one."""
    return tab == "memory" and state.ending is None


def _panel(
    moment: Moment, rows: Rows, tab: TabName, chosen: str
) -> MemoryTable | ContextPanel | ExchangePanel | FilmStrip | LogPanel | AuditPanel:
    if tab == "context":
        return context_panel(moment, rows.requests, chosen)
    if tab == "exchange":
        return exchange_panel(moment, rows.exchanges, chosen)
    if tab == "frames":
        return film_strip(moment, rows.recorded, chosen)
    if tab == "log":
        return log_panel(moment.state)
    if tab == "audit":
        return audit_panel(moment, rows.page)
    return memory_table(moment.state)


def _count(moment: Moment, rows: Rows, tab: TabName) -> str:
    state = moment.state
    if tab == "memory":
        return figures.count(len(state.memory.records))
    if tab == "context":
        asked = rows.requests[-1].recorded.event if rows.requests else None
        return (
            context.size_of(asked.blocks)
            if isinstance(asked, e.PlanRequested) and asked.blocks
            else figures.NONE
        )
    if tab == "exchange":
        return str(exchange.attempts_of(rows.exchanges))
    if tab == "frames":
        films = frames.films_of(state, rows.recorded)
        return "{}/{}".format(*frames.counts(list(films.values())[-1])) if films else figures.NONE
    if tab == "log":
        return figures.count(len(state.log) + len(state.notes))
    return figures.count(state.seq)


def _tail(moment: Moment, rows: Rows, tab: TabName, panel: object) -> Phrase:
    state = moment.state
    if tab == "memory":
        return (plain("Rev "), strong_figure(figures.count(state.memory.revision)))
    if isinstance(panel, ContextPanel) and panel.decision is not None:
        return (plain("Call "), strong_figure(figures.count(panel.decision)))
    if tab == "exchange":
        model = exchange.model_of(rows.exchanges)
        return (plain(model or f"Planner {state.planner}"),)
    if isinstance(panel, FilmStrip) and panel.action:
        command = next((line.command for line in state.log if line.index == panel.action), "")
        return (plain(f"Action {panel.action} "), strong(command))
    return ()
