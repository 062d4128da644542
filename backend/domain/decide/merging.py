"""Two records that are one thing, and one record that is two."""

from __future__ import annotations

import math

from msgspec.structs import replace

from backend.domain.decide.claims import claim_of, classes, place_in
from backend.domain.decide.rewriting import Author, Revision, changed_fields, is_locked, new_record, rewritten
from backend.domain.episode.state import State
from backend.domain.memory.association import new_id
from backend.domain.memory.corrections import Merge, Split
from backend.domain.memory.record import FIELD_NAME, EntityRecord, Field, Status
from backend.domain.refusal import Refusal


def merged(state: State, action: Merge, author: Author) -> Revision | Refusal:
    """`entity` stays, with its class and status, and with the weightier of the two beliefs of where it is:
    w · q · exp(-age / decay), its own at a tie or where its pose is locked. What is reported of the other one
    is about it from then on."""
    record, other = state.memory.records[action.entity], state.memory.records[action.absorbed]
    if record.id == other.id:
        return Refusal("same", f"{record.id} is one record already.", "Choose the other one of the two.")
    locked = next(
        (field for field in (Field.CLASS, Field.POSE, Field.STATUS) if is_locked(other, field)), None
    )
    if locked is not None:
        return Refusal(
            "locked",
            f"{FIELD_NAME[locked]} of {other.id} is locked.",
            "Unlock it, or keep that record of the two.",
        )
    kept = replace(record, supported=record.supported or other.supported)
    if _takes_over(state, record, other, author.met_s):
        kept = rewritten(kept, author, {Field.POSE: other.pose})
        kept = replace(
            kept,
            confidence=other.confidence,
            stamp_s=other.stamp_s,
            source=other.source,
            belief_seq=author.seq,
        )
    gone = rewritten(other, author, {Field.STATUS: Status.REMOVED})
    gone = replace(gone, merged_into=record.id)
    # What was merged into the one that goes now goes to the one that stays.
    aliases = tuple(
        replace(each, merged_into=record.id)
        for each in state.memory.records.values()
        if each.merged_into == other.id
    )
    return Revision(
        records=(kept, gone, *aliases),
        changes=(*changed_fields(record, kept), *changed_fields(other, gone)),
        reason=f"{other.id} and {record.id} are one thing",
    )


def _takes_over(state: State, record: EntityRecord, other: EntityRecord, now_s: float) -> bool:
    if is_locked(record, Field.POSE) or not other.supported:
        return False
    if not record.supported:
        return True
    if state.mission.memory.entities == "unfiltered":
        return other.stamp_s > record.stamp_s
    return _weight(state, other, now_s) > _weight(state, record, now_s)


def _weight(state: State, record: EntityRecord, now_s: float) -> float:
    settings = state.mission.memory.attention
    age_s = max(0.0, now_s - record.stamp_s)
    return settings.weights.of(record.source) * record.confidence * math.exp(-age_s / settings.decay_s)


def split(state: State, action: Split, author: Author) -> Revision | Refusal:
    """The record stays as it is; the other thing is a record of its own at the place given."""
    record = state.memory.records[action.entity]
    pose = place_in(state, action.x_m, action.y_m, action.confidence)
    refusal = pose if isinstance(pose, Refusal) else classes(state, action.cls)
    alias = state.memory.records.get(action.name) if action.name else None
    if refusal is None and action.name and (alias is None or alias.merged_into != record.id):
        refusal = Refusal(
            "not_merged", f"{action.name[:60]!r} was not merged into {record.id}.", "Leave the name out."
        )
    if isinstance(pose, Refusal) or refusal is not None:
        return refusal or Refusal("place", "That place is none.")
    if state.site.metric.same_place(pose, record.pose):
        return Refusal("place", f"{record.id} is believed to be just there.", "Say where the other one is.")
    if alias is None:
        entity, order = new_id(state.memory, action.cls), len(state.memory.records)
    else:
        entity, order = alias.id, alias.order
    made = new_record(entity, action.cls, pose, action.confidence, order, author)
    return Revision(
        records=(made,),
        changes=changed_fields(alias, made),
        reason=f"{record.id} is two things",
        evidence=claim_of(made, author),
        origin=record.id,
    )
