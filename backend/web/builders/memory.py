"""The memory table: `retrieve` at the cursor's own time, factor by factor, and the line below which nothing
is sent; found, filtered and sorted as somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from backend.domain.episode.grounding import task_place
from backend.domain.episode.state import State
from backend.domain.memory.attention import retrieve, scored_of
from backend.domain.memory.record import ACTIVE, EntityRecord, Status
from backend.domain.memory.retrieval import Retrieval, Scored
from backend.domain.memory.words import is_disputed
from backend.web.builders import words
from backend.web.builders.memory_asked import NOTHING, Asked
from backend.web.builders.memory_try import UNTRIED, Tried
from backend.web.pages import figures
from backend.web.pages.memory import MemoryRow, MemoryTable
from backend.web.pages.parts import Empty, Gauge, Phrase, plain

BELOW = 100
"""Rows of one page: of those below the line, or of all where they stand in another order."""


def retrieval_of(state: State) -> Retrieval:
    """What the planner would be shown, were it asked at the cursor's time."""
    return retrieve(state.memory, state.mission.memory, state.site.metric, task_place(state), state.met_s)


def memory_table(state: State, asked: Asked = NOTHING, tried: Tried = UNTRIED) -> MemoryTable:
    compared = tried.compared
    retrieval = retrieval_of(state) if compared is None else compared.retrieval
    if asked.is_flat:
        return _flat(state, retrieval, asked, tried)
    scored = {each.entity: each for each in retrieval.scored}
    rest = sorted(
        (each for each in retrieval.scored if each.left_out is not None),
        key=lambda each: (each.rank is None, each.rank or 0),
    )
    start = asked.start if asked.start < len(rest) else 0
    k = k_of(state) if tried.settings is None else tried.settings.k
    return MemoryTable(
        caption="Memory records by attention score: "
        "source weight times confidence times decay times nearness.",
        shown=tuple(_row(state, scored[entity], asked, tried) for entity in retrieval.exposed),
        k=f"K {k}" if k_of(state) else "",
        kline=_kline(
            state, len(retrieval.exposed), len(state.memory.records) - len(retrieval.exposed), tried
        ),
        below=tuple(_row(state, each, asked, tried) for each in rest[start : start + BELOW]),
        empty=_empty(state),
        **_pages(asked, start, len(rest)),
    )


def _flat(state: State, retrieval: Retrieval, asked: Asked, tried: Tried) -> MemoryTable:
    """All that is looked for, in the order that is asked for, a page at a time; the line is then no line."""
    known = {each.entity: each for each in retrieval.scored}
    records = [record for record in state.memory.ordered() if _is_wanted(record, retrieval, asked)]
    every = [known.get(record.id) or _scored(state, record) for record in records]
    every.sort(key=lambda each: _order(asked.sort)(state.memory.records[each.entity], each))
    start = asked.start if asked.start < len(every) else 0
    note = words.counted(len(every), "record") if every else ""
    empty = None
    if not every:
        empty = Empty(title="No record is like that", text="Look for less, or show all records.")
    return MemoryTable(
        caption="Memory records that are looked for.",
        shown=tuple(_row(state, each, asked, tried) for each in every[start : start + BELOW]),
        k=f"K {k_of(state)}" if k_of(state) else "",
        empty=empty,
        note=note,
        **_pages(asked, start, len(every)),
    )


def _pages(asked: Asked, start: int, count: int) -> dict[str, Any]:
    earlier = asked.looking(start=str(max(0, start - BELOW)) if start > BELOW else "")
    later = asked.looking(start=str(start + BELOW))
    return {"earlier": earlier if start else None, "later": later if start + BELOW < count else None}


def _is_wanted(record: EntityRecord, retrieval: Retrieval, asked: Asked) -> bool:
    text = f"{record.id} {record.cls} {words.SOURCE[record.source]} {record.status.value}".lower()
    if asked.find and asked.find.lower() not in text:
        return False
    return asked.show == "" or _SHOWN[asked.show](record, record.id in retrieval.exposed)


_SHOWN: dict[str, Callable[[EntityRecord, bool], bool]] = {
    "sent": lambda _, is_sent: is_sent,
    "left": lambda _, is_sent: not is_sent,
    "disputed": lambda record, _: is_disputed(record),
    "said": lambda record, _: any(record.word(word.field) is word for word in record.words),
    "gone": lambda record, _: record.status not in ACTIVE,
}


def _scored(state: State, record: EntityRecord) -> Scored:
    settings, metric = state.mission.memory.attention, state.site.metric
    return scored_of(record, settings, metric, task_place(state), state.met_s)


def _order(sort: str) -> Callable[[EntityRecord, Scored], Any]:
    return _ORDERS.get(sort, _ORDERS[""])


_ORDERS: dict[str, Callable[[EntityRecord, Scored], Any]] = {
    "": lambda record, each: (each.rank is None, each.rank or 0, -each.score, record.order),
    "entity": lambda record, _: record.id,
    "status": lambda record, each: (record.status.value, each.rank or 0, record.id),
    "source": lambda record, each: (words.SOURCE[record.source], each.rank or 0, record.id),
    "confidence": lambda record, _: (-record.confidence, record.order),
    "age": lambda record, _: (-record.stamp_s, record.order),
    "distance": lambda record, each: (each.distance_m, record.order),
}


def k_of(state: State) -> int:
    """How many records the planner sees at most; 0 where its memory draws no such line."""
    memory = state.mission.memory
    return memory.attention.k if memory.entities == "attention" else 0


def _kline(state: State, above: int, below: int, tried: Tried) -> Phrase | None:
    if not k_of(state):
        return None
    left = (
        f"{figures.count(below)} {'is' if below == 1 else 'are'} left out." if below else "None is left out."
    )
    if tried.compared is not None:
        return (plain(f"With these settings the planner would see the {above} above."),)
    return (
        plain(f"The planner sees the {above} above. {left}" if above else f"The planner sees none. {left}"),
    )


def _row(state: State, scored: Scored, asked: Asked, tried: Tried) -> MemoryRow:
    record = state.memory.records[scored.entity]
    row = row_of(state, record, scored)
    compared = tried.compared
    if compared is not None and record.id in compared.enters:
        row = replace(row, moves="enters", why="Would enter")
    elif compared is not None and record.id in compared.leaves:
        row = replace(row, moves="leaves", why="Would leave")
    if asked.view != "chart":
        return row
    charted = record.id in asked.chart
    others = [entity for entity in asked.chart if entity != record.id]
    chart = ",".join(others if charted else [*others, record.id])
    return replace(row, charted=charted, chart=asked.looking(chart=chart))


def row_of(state: State, record: EntityRecord, scored: Scored) -> MemoryRow:
    shape = words.shape_of(record, state)
    ranked = scored.rank is not None
    return MemoryRow(
        rank=str(scored.rank) if ranked else figures.NONE,
        entity=record.id,
        icon=shape,
        status=shape.capitalize(),
        source=_gauge(scored.weight if ranked else None, words.SOURCE[record.source]),
        confidence=_gauge(record.confidence),
        decay=_gauge(scored.decay if ranked else None, figures.age(scored.age_s), met_s=record.stamp_s),
        nearness=_gauge(scored.nearness if ranked else None, f"{scored.distance_m:.2f} m"),
        score=f"{scored.score:.3f}" if ranked else "filtered",
        why=_why(state, record, scored),
        tone="caution" if record.status in (Status.RECONSIDER, Status.LOST) else "quiet",
        is_target=shape == "assigned",
        is_locked=any(word.locked and record.word(word.field) is word for word in record.words),
        is_disputed=is_disputed(record),
    )


def scored_in(state: State, retrieval: Retrieval, entity: str) -> Scored:
    """As retrieval tells of it, or by itself where there are too many to tell of each."""
    found = next((each for each in retrieval.scored if each.entity == entity), None)
    return found or _scored(state, state.memory.records[entity])


def _why(state: State, record: EntityRecord, scored: Scored) -> str:
    if record.merged_into:
        return f"Merged into {record.merged_into}"
    if is_disputed(record):
        return f"{_sources(record)} says otherwise"
    if scored.left_out is not None:
        # The table's line says the rest: which record was the last one in, and its score.
        return scored.left_out.partition(":")[0] if scored.rank is not None else scored.left_out
    if state.plan is not None and state.plan.target == record.id:
        return f"Target of plan {state.plan.number}"
    return "A skill on it failed" if record.status is Status.RECONSIDER else ""


def _sources(record: EntityRecord) -> str:
    names: Sequence[str] = [each.sensed_by or words.SOURCE[each.source] for each in record.disputes]
    return names[0].capitalize() if len(set(names)) == 1 else "Reports"


def _gauge(share: float | None, raw: str = "", *, met_s: float | None = None) -> Gauge:
    text = figures.NONE if share is None else figures.share(share)
    return Gauge(text=text, share=None if share is None else min(1.0, share), raw=raw, raw_met_s=met_s)


def _empty(state: State) -> Empty | None:
    if state.memory.records:
        return None
    if state.mission.memory.entities == "none":
        return Empty(
            title="This memory keeps no records", text="The planner is shown only what is visible now."
        )
    return Empty(title="Nothing is known yet", text="A record appears with the first accepted evidence.")
