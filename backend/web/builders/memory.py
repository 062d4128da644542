"""The memory table: `retrieve` at the cursor's own time, factor by factor, and the line below which nothing
is sent."""

from __future__ import annotations

from backend.domain.episode.grounding import task_place
from backend.domain.episode.state import State
from backend.domain.memory.attention import retrieve
from backend.domain.memory.record import EntityRecord, Status
from backend.domain.memory.retrieval import Retrieval, Scored
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.memory import MemoryRow, MemoryTable
from backend.web.pages.parts import Empty, Gauge, Phrase, plain

BELOW = 100
"""Records drawn below the line; of very many, retrieval tells of no more."""


def retrieval_of(state: State) -> Retrieval:
    """What the planner would be shown, were it asked at the cursor's time."""
    return retrieve(state.memory, state.mission.memory, state.site.metric, task_place(state), state.met_s)


def memory_table(state: State) -> MemoryTable:
    retrieval = retrieval_of(state)
    scored = {each.entity: each for each in retrieval.scored}
    rest = sorted(
        (each for each in retrieval.scored if each.left_out is not None),
        key=lambda each: (each.rank is None, each.rank or 0),
    )
    return MemoryTable(
        caption="Memory records by attention score: "
        "source weight times confidence times decay times nearness.",
        shown=tuple(_row(state, scored[entity]) for entity in retrieval.exposed),
        k=f"K {k_of(state)}" if k_of(state) else "",
        kline=_kline(state, len(retrieval.exposed), len(state.memory.records) - len(retrieval.exposed)),
        below=tuple(_row(state, each) for each in rest[:BELOW]),
        empty=_empty(state),
    )


def k_of(state: State) -> int:
    """How many records the planner sees at most; 0 where its memory draws no such line."""
    memory = state.mission.memory
    return memory.attention.k if memory.entities == "attention" else 0


def _kline(state: State, above: int, below: int) -> Phrase | None:
    if not k_of(state):
        return None
    left = (
        f"{figures.count(below)} {'is' if below == 1 else 'are'} left out." if below else "None is left out."
    )
    return (
        plain(f"The planner sees the {above} above. {left}" if above else f"The planner sees none. {left}"),
    )


def _row(state: State, scored: Scored) -> MemoryRow:
    record = state.memory.records[scored.entity]
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
    )


def _why(state: State, record: EntityRecord, scored: Scored) -> str:
    if scored.left_out is not None:
        # The table's line says the rest: which record was the last one in, and its score.
        return scored.left_out.partition(":")[0] if scored.rank is not None else scored.left_out
    if state.plan is not None and state.plan.target == record.id:
        return f"Target of plan {state.plan.number}"
    return "A skill on it failed" if record.status is Status.RECONSIDER else ""


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
