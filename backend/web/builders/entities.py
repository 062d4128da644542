"""The marks of believed entities: shape by status, halo by doubt, fading by age, a ring for what the planner
sees."""

from __future__ import annotations

from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import VERIFIED, EntityRecord, Status
from backend.domain.memory.retrieval import Scored
from backend.domain.plans import validity
from backend.web.builders import words
from backend.web.builders.causes import moved_m
from backend.web.builders.memory import retrieval_of
from backend.web.pages import figures
from backend.web.pages.map import Card, CardRow, MapEntity, Point

OLD_S = 300.0
"""Older than this, a mark says its age beside its name."""


def entities_of(state: State, cause: validity.Cause | None) -> tuple[MapEntity, ...]:
    """`cause` of the current plan: the entity that moved is drawn with where it was."""
    retrieval = retrieval_of(state)
    scored = {each.entity: each for each in retrieval.scored}
    exposed = set(retrieval.exposed)
    return tuple(
        _entity(state, record, scored.get(record.id), record.id in exposed, cause)
        for record in state.memory.ordered()
        if record.status is not Status.REMOVED
    )


def _entity(
    state: State, record: EntityRecord, scored: Scored | None, in_k: bool, cause: validity.Cause | None
) -> MapEntity:
    shape = words.shape_of(record, state)
    was = _was(state, record, cause)
    distance_m = moved_m(cause, state) if was is not None and cause is not None else None
    rank = f", rank {scored.rank}" if scored is not None and scored.rank is not None else ""
    note, note_since_met_s = _note(state, record)
    return MapEntity(
        id=record.id,
        shape=shape,
        place=None if record.status in VERIFIED else Point(record.pose.x_m, record.pose.y_m),
        doubt=round(1.0 - record.confidence, 3),
        seen_met_s=record.stamp_s,
        in_k=in_k,
        is_target=shape == "assigned",
        note=note,
        spoken=f"{record.id}, {shape}, at {words.place(record.pose)}, "
        f"confidence {figures.share(record.confidence)}{rank}",
        card=_card(state, record, scored, shape),
        was=Point(was.x_m, was.y_m) if was is not None else None,
        moved=f"moved {distance_m:.2f} m" if distance_m is not None else "",
        note_since_met_s=note_since_met_s,
        cls=record.cls,
    )


def _was(state: State, record: EntityRecord, cause: validity.Cause | None) -> Pose | None:
    if state.plan is None or cause is None or cause.entity != record.id or not isinstance(cause.old, Pose):
        return None
    return cause.old if cause.old != record.pose else None


def _note(state: State, record: EntityRecord) -> tuple[str, float | None]:
    """The words under the name, and since when their age counts."""
    if state.plan is not None and state.plan.target == record.id and record.status not in VERIFIED:
        return f"{figures.share(record.confidence)} · {{age}}", record.stamp_s
    if record.status is Status.LOST and record.failed_s is not None:
        return "lost {age} ago", record.failed_s
    if state.met_s - record.stamp_s >= OLD_S and record.status not in VERIFIED:
        return "{age} old", record.stamp_s
    return "", None


def _card(state: State, record: EntityRecord, scored: Scored | None, shape: str) -> Card:
    ranked = scored is not None and scored.rank is not None
    rank = f"{scored.rank}, score {scored.score:.3f}" if scored is not None and ranked else "filtered"
    age = figures.age(state.met_s - record.stamp_s)
    source = words.SOURCE[record.source]
    return Card(
        title=record.id,
        word=shape.capitalize(),
        rows=(
            CardRow(label="Class", text=record.cls),
            CardRow(label="Pose", text=words.place(record.pose)),
            CardRow(label="Confidence", text=figures.share(record.confidence), share=record.confidence),
            CardRow(label="Seen", text=f"{{age}} ago, {source}", since_met_s=record.stamp_s)
            if record.status not in VERIFIED
            else CardRow(label="Seen", text=f"{age} ago, {source}"),
            CardRow(label="Rank", text=rank),
        ),
        note=(scored.left_out if scored is not None else None) or "",
    )
