"""The memory tab as it is looked at: the table with what stands above it, or one record opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.episode.state import State
from backend.domain.memory.corrected import Corrected
from backend.usecases.reading import Entry
from backend.web.builders.correction_form import draft_of
from backend.web.builders.memory import k_of, memory_table, retrieval_of, scored_in
from backend.web.builders.memory_asked import LOOKING, NOTHING, REPLAYED, SHOWS, SORTS, VIEWS, Asked
from backend.web.builders.memory_lines import DONE
from backend.web.builders.memory_try import tried_of, tried_settings
from backend.web.builders.moment import Moment
from backend.web.builders.record_sheet import dispute_told, record_sheet
from backend.web.pages import figures
from backend.web.pages.hindsight import KnownTable
from backend.web.pages.memory import Chart, ChartLine, DisputeLine, MemoryTable, Tools, Undoable
from backend.web.pages.parts import Choice, Notice

DISPUTES = 6
"""Disputes that stand above the table; the rest is found by the filter."""
CHARTED = 4


class Remembered(Struct, frozen=True, kw_only=True):
    """What the memory tab is asked, and what changed the record that is open. `typed`: a
    correction that was posted and refused; `notice`: why, or what was done. `known`: what is known now."""

    asked: Asked = NOTHING
    history: Sequence[Entry] = ()
    typed: Mapping[str, str] | None = None
    notice: Notice | None = None
    known: KnownTable | None = None


def memory_panel(moment: Moment, remembered: Remembered) -> MemoryTable:
    state, asked = moment.state, remembered.asked
    if asked.view == "chart" and not asked.chart:
        asked = replace(asked, chart=retrieval_of(state).exposed[:CHARTED])
    tried = tried_of(state, asked)
    sheet = record_sheet(moment, asked, remembered.history, remembered.typed)
    may = moment.may_command and state.ending is None
    return replace(
        memory_table(state, asked, tried),
        episode=moment.episode,
        at=moment.at,
        query=asked.looking(),
        tools=_tools(asked, may=may),
        known=remembered.known if sheet is None else None,
        tried=tried_settings(state, asked, tried),
        chart=_chart(state, asked),
        disputes=_disputes(state),
        undoable=_undoable(state, asked, may=may) if asked.view == "corrections" else (),
        notice=remembered.notice,
        sheet=sheet,
        draft=draft_of(moment, asked, remembered.typed) if sheet is None and may else None,
    )


def _tools(asked: Asked, *, may: bool) -> Tools:
    kept = {
        name: value
        for name, value in asked.looking().items()
        if name not in ("find", "show", "sort", "start")
    }
    return Tools(
        find=asked.find,
        shows=_choices(SHOWS, asked.show),
        sorts=_choices(SORTS, asked.sort),
        kept=kept,
        views=tuple(
            (label, _turned(asked, name), asked.view == name)
            for name, label in VIEWS.items()
            if name not in REPLAYED
        ),
        may_correct=may,
        adds=asked.writing(do="add"),
        adding=asked.do == "add",
    )


def _turned(asked: Asked, view: str) -> dict[str, str]:
    """The query that opens the view, or closes it and forgets what was tried in it."""
    kept = {
        name: value
        for name, value in asked.looking().items()
        if name in LOOKING and name not in ("view", "chart")
    }
    return kept if asked.view == view else {**kept, "view": view}


def _choices(names: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value=name, label=label, chosen=name == chosen) for name, label in names.items())


def _chart(state: State, asked: Asked) -> Chart | None:
    if asked.view != "chart":
        return None
    known = [entity for entity in asked.chart if entity in state.memory.records]
    return Chart(
        lines=tuple(_line(state, asked, known, n) for n in range(len(known))),
        k=k_of(state),
        close=_turned(asked, "chart"),
        note="" if known else "Choose records in the table: press their rank.",
    )


def _line(state: State, asked: Asked, known: Sequence[str], n: int) -> ChartLine:
    scored = scored_in(state, retrieval_of(state), known[n])
    others = ",".join(entity for entity in known if entity != known[n])
    score = f"{scored.score:.3f}" if scored.rank is not None else "filtered"
    return ChartLine(entity=known[n], style=n, score=score, drop=asked.looking(chart=others))


def _disputes(state: State) -> tuple[DisputeLine, ...]:
    found = [
        (record, dispute)
        for record in state.memory.records.values()
        if record.disputes
        for dispute in record.disputes
    ]
    found.sort(key=lambda each: -each[1].seq)
    return tuple(
        DisputeLine(entity=record.id, told=dispute_told(each), seq=each.seq, kept=each.kept)
        for record, each in found[:DISPUTES]
    )


def _undoable(state: State, asked: Asked, *, may: bool) -> tuple[Undoable, ...]:
    return tuple(_one(state, asked, each, may=may) for each in reversed(state.corrections))


def _one(state: State, asked: Asked, entry: Corrected, *, may: bool) -> Undoable:
    undo = asked.writing(do="undo", of=str(entry.seq)) if may and entry.undone_by is None else None
    undone = f", undone by event {entry.undone_by}" if entry.undone_by is not None else ""
    return Undoable(
        seq=entry.seq,
        met=figures.met(entry.met_s),
        told=f"{DONE[entry.what]} {', '.join(record.id for record in entry.after)}{undone}",
        by=entry.by,
        undo=undo,
    )
