"""One record opened: each field with whose word it is, disputes, its history, and what may be corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import FIELD_NAME, Dispute, EntityRecord, Field, Status
from backend.domain.memory.retrieval import Scored
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.correction_form import draft_of
from backend.web.builders.memory import k_of, retrieval_of, row_of, scored_in
from backend.web.builders.memory_asked import Asked
from backend.web.builders.memory_lines import value
from backend.web.builders.moment import Moment
from backend.web.builders.record_history import history_of
from backend.web.pages import figures
from backend.web.pages.parts import Phrase, plain, strong, strong_figure
from backend.web.pages.record import Deed, RecordField, RecordSheet, SheetDispute

HISTORY = 60
"""Changes that are listed; the audit has them all."""
LABELS = {
    "move": "Move",
    "reclass": "Re-class",
    "set_status": "Set status",
    "merge": "Merge a duplicate",
    "split": "Split",
    "remove": "Remove",
}


def record_sheet(
    moment: Moment, asked: Asked, history: Sequence[Entry], typed: Mapping[str, str] | None = None
) -> RecordSheet | None:
    """None where no record is open, or memory has none of that name."""
    state = moment.state
    record = state.memory.records.get(asked.record)
    if record is None:
        return None
    row = row_of(state, record, scored_in(state, retrieval_of(state), record.id))
    may = moment.may_command and state.ending is None
    rows = history_of(history, record.id)
    return RecordSheet(
        entity=record.id,
        icon=row.icon,
        status=row.status,
        tone=row.tone,
        standing=_standing(state, record),
        fields=_fields(state, record, asked, may=may),
        disputes=tuple(_dispute(state, record, each, asked, may=may) for each in record.disputes),
        deeds=_deeds(record, asked) if may else (),
        why_not=moment.why_no_command or ("" if state.ending is None else "The episode has ended."),
        history=rows[:HISTORY],
        back=asked.looking(),
        chart=asked.looking(view="chart", chart=",".join(dict.fromkeys((record.id, *asked.chart)))),
        draft=draft_of(moment, asked, typed) if may else None,
        more=len(rows) > HISTORY,
    )


def _standing(state: State, record: EntityRecord) -> Phrase:
    """Where it stands in the order, and why, in a sentence."""
    retrieval = retrieval_of(state)
    scored = scored_in(state, retrieval, record.id)
    if scored.rank is None and scored.left_out is not None and scored.left_out != "Ranked below K":
        return (strong("Not sent"), plain(f": {scored.left_out[:1].lower()}{scored.left_out[1:]}."))
    place = f"rank {scored.rank}" if scored.rank is not None else "below the ranks that are told"
    sent = strong("Sent to the planner") if record.id in retrieval.exposed else strong("Left out")
    line = f" of K {k_of(state)}" if k_of(state) else ""
    return (
        sent,
        plain(f", {place}{line}. Score "),
        strong_figure(f"{scored.score:.3f}"),
        plain(_factors(scored)),
    )


def _factors(scored: Scored) -> str:
    product = " × ".join(
        f"{name} {figures.share(value)}"
        for name, value in (
            ("source", scored.weight),
            ("confidence", scored.confidence),
            ("decay", scored.decay),
            ("nearness", scored.nearness),
        )
    )
    return f" = {product}."


def _fields(state: State, record: EntityRecord, asked: Asked, *, may: bool) -> tuple[RecordField, ...]:
    pose = record.pose
    values: tuple[tuple[Field, str], ...] = (
        (Field.CLASS, record.cls),
        (Field.POSE, f"{words.place(pose)}, frame {pose.frame_id}"),
        (Field.STATUS, f"Merged into {record.merged_into}" if record.merged_into else record.status.value),
    )
    lockable = may and record.supported and record.status not in (Status.REMOVED, Status.DELIVERED)
    told = [_field(record, field, text, asked, lockable=lockable) for field, text in values]
    told.append(RecordField(name="confidence", text=figures.share(record.confidence)))
    age = figures.age(state.met_s - record.stamp_s)
    seen = RecordField(name="seen", text=age, said=words.SOURCE[record.source], met_s=record.stamp_s)
    return (*told, seen)


def _field(record: EntityRecord, field: Field, text: str, asked: Asked, *, lockable: bool) -> RecordField:
    word = record.word(field)
    name = FIELD_NAME[field]
    said = ""
    if word is not None:
        why = f": {word.reason}" if word.reason else ""
        said = f"said by {word.by} at {figures.met(word.met_s)}{why}"
    locked = word is not None and word.locked
    do = "unlock" if locked else "lock"
    return RecordField(
        name=name,
        text=text,
        said=said,
        is_locked=locked,
        lock=asked.writing(do=do, field=name) if lockable else None,
    )


def _dispute(
    state: State, record: EntityRecord, dispute: Dispute, asked: Asked, *, may: bool
) -> SheetDispute:
    told = dispute_told(dispute)
    ways: list[tuple[str, Mapping[str, str]]] = []
    name = FIELD_NAME[dispute.field]
    source = dispute.sensed_by or words.SOURCE[dispute.source]
    if may and isinstance(dispute.claim, Pose):
        claim = {"x_m": f"{dispute.claim.x_m:g}", "y_m": f"{dispute.claim.y_m:g}"}
        ways.append((f"Believe {source}", asked.writing(do="move", confidence="1", **claim)))
    elif may and dispute.field is Field.CLASS:
        ways.append((f"Believe {source}", asked.writing(do="reclass", cls=str(dispute.claim))))
    elif may:
        ways.append((f"Believe {source}", asked.writing(do="set_status", status="observed")))
    word = record.word(dispute.field)
    if may and dispute.kept and word is not None and not word.locked and record.status is not Status.REMOVED:
        ways.append(("Keep it so, locked", asked.writing(do="lock", field=name)))
    return SheetDispute(told=told, ways=tuple(ways))


def dispute_told(dispute: Dispute) -> Phrase:
    """Who says what against whom, and which of the two is believed."""
    source = dispute.sensed_by or words.SOURCE[dispute.source]
    believed = f"{dispute.by}’s word stands" if dispute.kept else f"it outweighed {dispute.by}’s word"
    return (
        strong(source.capitalize()),
        plain(f" says {FIELD_NAME[dispute.field]} "),
        strong(value(dispute.claim)),
        plain(f" since {figures.met(dispute.met_s)}; {believed}."),
    )


def _deeds(record: EntityRecord, asked: Asked) -> tuple[Deed, ...]:
    """What is worth offering; whatever else is asked for, `decide` refuses in words."""
    if record.status is Status.DELIVERED:
        return ()
    offered: Sequence[str] = tuple(LABELS)
    if record.status is Status.GRASPED:
        offered = ("reclass",)
    elif record.merged_into:
        offered = ()
    elif record.status is Status.REMOVED:
        offered = ("set_status",)
    elif not record.supported:
        offered = ("move", "merge", "remove")
    return tuple(
        Deed(do=do, label=LABELS[do], query=asked.writing(do=do), current=asked.do == do) for do in offered
    )
