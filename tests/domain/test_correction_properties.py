"""What is true of every correction, whatever was reported and said before it, under hypothesis."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backend.domain.decide.blast import Blast, blast_of
from backend.domain.decide.correcting import rehearse
from backend.domain.digests import canonical
from backend.domain.episode.events import EvidenceJudged, RecordCorrected, Recorded
from backend.domain.episode.evolve import fold
from backend.domain.episode.grounding import task_place
from backend.domain.episode.state import State
from backend.domain.memory.association import associate
from backend.domain.memory.attention import retrieve
from backend.domain.memory.corrections import (
    Add,
    Correction,
    Lock,
    Merge,
    Move,
    Reclass,
    Remove,
    SetStatus,
    Split,
    Undo,
    Unlock,
    kind_of,
)
from backend.domain.memory.record import EntityRecord, Field, Source, Status
from backend.domain.plans.validity import Cause
from backend.domain.query.blocks import render_blocks
from tests.domain.correcting import confirmed, fix
from tests.domain.scripted import OPERATOR, Scripted, collect, opened, report

IDS = ("can_1", "can_2", "bottle_1")
ENTITIES = st.sampled_from(IDS)
PLACES = st.sampled_from([0.0, 1.0, 3.0, 4.2, 8.0])
CLASSES = st.sampled_from(["can", "bottle"])
STATUSES = st.sampled_from([Status.OBSERVED, Status.RECONSIDER, Status.LOST, Status.DELIVERED])
FIELDS = st.sampled_from(["class", "pose", "status"])
CORRECTIONS: st.SearchStrategy[Correction] = st.one_of(
    st.builds(Move, entity=ENTITIES, x_m=PLACES, y_m=PLACES, lock=st.booleans()),
    st.builds(Reclass, entity=ENTITIES, cls=CLASSES, lock=st.booleans()),
    st.builds(SetStatus, entity=ENTITIES, status=STATUSES, lock=st.booleans()),
    st.builds(Remove, entity=ENTITIES),
    st.builds(Add, cls=CLASSES, x_m=PLACES, y_m=PLACES),
    st.builds(Lock, entity=ENTITIES, field=FIELDS),
    st.builds(Unlock, entity=ENTITIES, field=FIELDS),
    st.builds(Merge, entity=ENTITIES, absorbed=ENTITIES),
    st.builds(Split, entity=ENTITIES, cls=CLASSES, x_m=PLACES, y_m=PLACES),
)
REPORTS = st.builds(
    lambda entity, x_m, y_m, q, source: report(
        entity, x_m, y_m, q=q, source=source, cls="bottle" if entity == "bottle_1" else "can"
    ),
    ENTITIES, PLACES, PLACES, st.sampled_from([0.3, 0.6, 0.9, 1.0]),
    st.sampled_from([Source.AERIAL, Source.ONBOARD, Source.INITIAL]),
)  # fmt: skip
HISTORY = st.lists(st.one_of(REPORTS, CORRECTIONS), max_size=6)
MEMORIES = st.sampled_from(["attention", "attention", "unfiltered", "static", "none"])


def played(memory: str, history: list[Any], policy: str = "every_plan") -> Scripted:
    script = Scripted(opened(memory=memory, policy=policy, total=9), to_the_byte=False)
    for entity, place in zip(IDS, ((3, 0), (6, 2), (2, 8)), strict=True):
        script.see(entity, *place, source=Source.INITIAL, cls=entity.partition("_")[0])
    if script.state.request is not None and "can_1" in script.state.request.retrieval.exposed:
        script.answer(*collect("can_1"))
    for each in history:
        happen(script, each)
    return script


def happen(script: Scripted, each: Any) -> None:
    script.met_s += 1.0
    if isinstance(each, Correction):
        fix(script, each)
    else:
        script.tick(evidence=(msgspec.structs.replace(each, stamp_s=script.met_s),))


def told_the_planner(state: State, now_s: float) -> dict[str, str]:
    """What a planner would read of memory, were it asked now."""
    retrieval = retrieve(state.memory, state.mission.memory, state.site.metric, task_place(state), now_s)
    blocks = render_blocks(state, retrieval, Cause(kind="asked", message=""), (), now_s)
    told = {block.name: block.text for block in blocks if block.name in ("records", "terminal", "rules")}
    if state.mission.memory.entities == "unfiltered":
        # It is told everything that was ever said; of an entity the last counts that was not refused.
        lines = [line for line in told["records"].splitlines() if ": class" in line and "refused" not in line]
        last = {line.partition(":")[0]: line.partition(", said")[0] for line in lines}
        told["records"] = "\n".join(last[entity] for entity in sorted(retrieval.exposed))
    return told


@settings(max_examples=60, deadline=None)
@given(memory=MEMORIES, history=HISTORY, correction=CORRECTIONS)
def test_undo_restores_what_the_planner_would_be_told(
    memory: str, history: list[Any], correction: Correction
) -> None:
    script = played(memory, history)
    # A plan that goes takes the place of the task with it, which is the planner's and not memory's.
    before = msgspec.structs.replace(script.state, plan=None)
    assume(fix(script, correction) == "applied")
    assume(script.state.ending is None)
    assert fix(script, Undo(seq=script.state.corrections[-1].seq)) == "applied"
    after = msgspec.structs.replace(script.state, plan=None)
    assert told_the_planner(after, script.met_s) == told_the_planner(before, script.met_s)
    for entity, record in before.memory.records.items():
        was, now = record, after.memory.records[entity]
        assert standing(now) == standing(was)


def standing(record: EntityRecord) -> set[tuple[Field, bool, str]]:
    return {(word.field, word.locked, word.by) for word in record.words if record.word(word.field) is word}


@settings(max_examples=60, deadline=None)
@given(
    memory=st.sampled_from(["attention", "unfiltered"]),
    history=HISTORY,
    kept=ENTITIES,
    absorbed=ENTITIES,
    reports=st.lists(REPORTS, max_size=4),
)
def test_a_merger_loses_no_evidence(
    memory: str, history: list[Any], kept: str, absorbed: str, reports: list[Any]
) -> None:
    script = played(memory, history)
    known = set(script.state.memory.records)
    assume(fix(script, Merge(entity=kept, absorbed=absorbed)) == "applied")
    heard = script.state.memory.history
    assert known == set(script.state.memory.records)
    for each in reports:
        happen(script, each)
    judged = script.all(EvidenceJudged)[-len(reports) :] if reports else []
    assert script.state.memory.history == heard + len(reports)
    for each, event in zip(reports, judged, strict=True):
        assert event.evidence == msgspec.structs.replace(each, stamp_s=event.evidence.stamp_s)
        if each.entity == absorbed:
            assert event.entity == kept
            assert associate(script.state.memory, each, script.state.site.metric) == kept


@settings(max_examples=60, deadline=None)
@given(
    memory=st.sampled_from(["attention", "unfiltered"]),
    history=HISTORY,
    entity=ENTITIES,
    field=FIELDS,
    reports=st.lists(REPORTS, min_size=1, max_size=6),
)
def test_a_locked_field_never_moves(
    memory: str, history: list[Any], entity: str, field: Any, reports: list[Any]
) -> None:
    script = played(memory, history)
    fix(script, Lock(entity=entity, field=field))
    locked = {
        (record.id, word.field): getattr(record, {"c": "cls", "p": "pose", "σ": "status"}[word.field])
        for record in script.state.memory.records.values()
        for word in record.words
        if word.locked and record.word(word.field) is word
    }
    assume(locked)
    for each in reports:
        happen(script, each)
        for (name, of), value in locked.items():
            record = script.state.memory.records[name]
            assert getattr(record, {"c": "cls", "p": "pose", "σ": "status"}[of]) == value


@settings(max_examples=60, deadline=None)
@given(
    policy=st.sampled_from(["every_plan", "auto"]), memory=MEMORIES, history=HISTORY, correction=CORRECTIONS
)
def test_what_was_shown_is_what_happens(
    policy: str, memory: str, history: list[Any], correction: Correction
) -> None:
    script = played(memory, history, policy)
    before = script.state
    blast = rehearse(before, correction, OPERATOR, script.met_s)
    assert before is script.state
    click = script.intent(confirmed(script, correction))
    result = script.tick(intents=(click,))
    if not isinstance(blast, Blast):
        assert not result.settled[0].applied
        assert script.all(RecordCorrected)[len(before.corrections) :] == []
        return
    assert result.settled[0].applied
    first = next(i for i, each in enumerate(result.events) if isinstance(each.event, RecordCorrected))
    of_this = [
        each for each in result.events[first:] if kind_is(each, "Correct", "Supersed", "Invalidat", "Cancel")
    ]
    happened = blast_of(before, of_this)
    assert (happened.changes, happened.plan, happened.approval, happened.dispatch) == (
        blast.changes, blast.plan, blast.approval, blast.dispatch,
    )  # fmt: skip


def kind_is(recorded: Recorded, *parts: str) -> bool:
    return any(part in type(recorded.event).__name__ for part in parts)


@settings(max_examples=40, deadline=None)
@given(memory=MEMORIES, history=HISTORY, cut=st.integers(0, 40))
def test_after_a_crash_the_journal_folds_to_the_same_state(memory: str, history: list[Any], cut: int) -> None:
    script = played(memory, history)
    opening = opened(memory=memory, total=9)
    read = [msgspec.json.decode(msgspec.json.encode(recorded), type=Recorded) for recorded in script.events]
    taken_up = fold(read[:cut], opening)
    assert canonical(fold(read[cut:], taken_up)) == canonical(script.state)


def test_the_strategies_reach_each_kind() -> None:
    """Else the properties above hold of nothing."""
    applied: set[str] = set()

    @settings(max_examples=150, deadline=None, database=None, derandomize=True)
    @given(correction=CORRECTIONS)
    def look(correction: Correction) -> None:
        if kind_of(correction) not in applied and fix(played("attention", []), correction) == "applied":
            applied.add(kind_of(correction))

    look()
    assert applied == {"move", "reclass", "set_status", "remove", "add", "lock", "merge", "split"}
