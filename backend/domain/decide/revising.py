"""From a correction to the records it leaves: who may say what of which record, under which memory.

Pure: the state, the correction, who says it and when go in; the revised records with what changed come out,
or a refusal in words. Nothing is decided here about plans: that is validity's, as for any evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from backend.domain.decide.claims import claim_of, classes, place_in
from backend.domain.decide.memory_guards import refuse_delivery_under_way, refuse_measured
from backend.domain.decide.merging import merged, split
from backend.domain.decide.rewriting import (
    Author,
    Revision,
    believed,
    changed_fields,
    is_locked,
    new_record,
    rewritten,
    word_on,
)
from backend.domain.decide.undoing import undone
from backend.domain.episode.state import State
from backend.domain.memory.association import new_id
from backend.domain.memory.corrections import (
    FIELD_OF,
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
    named,
)
from backend.domain.memory.record import EntityRecord, Field, FieldChange, Status
from backend.domain.refusal import Refusal

WRITES_A_BELIEF = (Move, Reclass, Add, Merge, Split)
"""What says where something is or of which class."""


def revise(state: State, correction: Correction, author: Author) -> Revision | Refusal:
    """What the correction leaves, as said by `author`."""
    refusal = refuse_by_memory(state, correction) or refuse_delivery_under_way(state, correction)
    for entity in named(correction):
        record = state.memory.records.get(entity)
        if record is None:
            unknown = f"Memory has no record {entity[:60]!r}."
            refusal = refusal or Refusal("unknown_record", unknown, "Choose one that memory has.")
        else:
            refusal = refusal or refuse_measured(record, correction) or _refuse_gone(record, correction)
    return refusal if refusal is not None else _CASES[type(correction)](state, correction, author)


def refuse_by_memory(state: State, correction: Correction) -> Refusal | None:
    """Three memories hold what no word can add to; they say which, and why."""
    kind = state.mission.memory.entities
    if kind == "oracle":
        return Refusal(
            "memory", "Oracle memory reads the world itself.", "Nothing can be corrected in this episode."
        )
    writes = isinstance(correction, WRITES_A_BELIEF)
    if isinstance(correction, Lock | Unlock):
        writes = correction.field != "status"
    if not writes or kind in ("attention", "unfiltered"):
        return None
    why = {
        "static": "Static memory plans from the map it began with, and takes no other place or class.",
        "none": "This memory believes only what is in sight, and would not keep what you say.",
    }[kind]
    return Refusal("memory", why, "Set a status or remove the record; that works.")


def _refuse_gone(record: EntityRecord, correction: Correction) -> Refusal | None:
    if record.status is not Status.REMOVED:
        return _refuse_unheard(record, correction)
    if isinstance(correction, SetStatus):
        return None
    if record.merged_into:
        return Refusal(
            "removed",
            f"{record.id} was merged into {record.merged_into}.",
            f"Correct {record.merged_into}, or split it.",
        )
    return Refusal("removed", f"{record.id} was removed.", "Set it to observed first, if it is there.")


def _refuse_unheard(record: EntityRecord, correction: Correction) -> Refusal | None:
    """What no accepted report has told of is not believed for a word about its class or status."""
    if record.supported or isinstance(correction, Move | Remove | Merge):
        return None
    return Refusal(
        "unsupported",
        f"No report of {record.id} has been accepted yet.",
        "Move it to where it is, if you know it, or remove it.",
    )


def _move(state: State, action: Move, author: Author) -> Revision | Refusal:
    record = state.memory.records[action.entity]
    pose = place_in(state, action.x_m, action.y_m, action.confidence)
    if isinstance(pose, Refusal):
        return pose
    if state.site.metric.same_place(pose, record.pose):
        pose = record.pose
    values: dict[Field, Any] = {Field.POSE: pose}
    if record.status is Status.LOST:
        values[Field.STATUS] = Status.OBSERVED
    moved = believed(rewritten(record, author, values, lock=action.lock), author, action.confidence)
    changes = changed_fields(record, moved)
    if not record.supported:
        changes = _first_heard(moved, changes)
    return Revision(
        records=(moved,),
        changes=changes,
        reason="a person says that it is there",
        evidence=claim_of(moved, author),
    )


def _first_heard(record: EntityRecord, changes: tuple[FieldChange, ...]) -> tuple[FieldChange, ...]:
    """The planner never knew of it: to every plan it is new."""
    news = (FieldChange(record.id, Field.STATUS, None, record.status.value),)
    return (*(change for change in changes if change.field is not Field.STATUS), *news)


def _reclass(state: State, action: Reclass, author: Author) -> Revision | Refusal:
    record = state.memory.records[action.entity]
    if record.cls == action.cls and not action.lock:
        return _nothing(f"{record.id} is of class {record.cls} already.")
    refusal = classes(state, action.cls)
    if refusal is not None:
        return refusal
    other = rewritten(record, author, {Field.CLASS: action.cls}, lock=action.lock)
    return Revision(
        records=(other,),
        changes=changed_fields(record, other),
        reason="a person says what it is",
        evidence=claim_of(other, author),
    )


def _set_status(state: State, action: SetStatus, author: Author) -> Revision | Refusal:
    record = state.memory.records[action.entity]
    if action.status is Status.REMOVED:
        return _remove(state, Remove(entity=action.entity), author)
    if action.status is Status.DELIVERED:
        return _delivered(state, action, record, author)
    if record.status is action.status and not action.lock:
        return _nothing(f"{record.id} is {record.status.value} already.")
    said = rewritten(record, author, {Field.STATUS: action.status}, lock=action.lock)
    said = replace(said, merged_into="")
    return Revision(records=(said,), changes=changed_fields(record, said), reason="a person says so")


def _delivered(state: State, action: SetStatus, record: EntityRecord, author: Author) -> Revision | Refusal:
    """Carried by hand, and so standing at its station: it counts like any delivery."""
    wanted = state.assignments.get(record.cls)
    station = state.site.station(action.station or wanted or "")
    if station is None or station.id != wanted:
        right = f"Choose {wanted}." if wanted else "Re-class it, or leave it observed."
        return Refusal(
            "station", f"Class {record.cls} is not taken at {action.station or 'any station'}.", right
        )
    values = {Field.STATUS: Status.DELIVERED, Field.POSE: station.pose}
    said = rewritten(record, author, values, lock=False)
    return Revision(
        records=(said,),
        changes=changed_fields(record, said),
        reason="a person carried it there",
        station=station.id,
    )


def _remove(state: State, action: Remove, author: Author) -> Revision | Refusal:
    record = state.memory.records[action.entity]
    if record.status is Status.REMOVED:
        return _nothing(f"{record.id} is removed already.")
    gone = rewritten(record, author, {Field.STATUS: Status.REMOVED})
    return Revision(
        records=(gone,), changes=changed_fields(record, gone), reason="a person says that it is not there"
    )


def _add(state: State, action: Add, author: Author) -> Revision | Refusal:
    pose = place_in(state, action.x_m, action.y_m, action.confidence)
    refusal = pose if isinstance(pose, Refusal) else classes(state, action.cls)
    entity = action.entity.strip() or new_id(state.memory, action.cls)
    if refusal is None and (entity in state.memory.records or state.site.station(entity) is not None):
        refusal = Refusal("known", f"There is {entity} already.", "Move that one, or leave the id out.")
    if refusal is None and len(entity) > 64:
        refusal = Refusal("entity", "An id has at most 64 characters.", "Write the robot's own id.")
    if refusal is not None or isinstance(pose, Refusal):
        return refusal or _nothing("")
    order = len(state.memory.records)
    made = new_record(entity, action.cls, pose, action.confidence, order, author, lock=action.lock)
    return Revision(
        records=(made,),
        changes=changed_fields(None, made),
        reason="a person says that it is there",
        evidence=claim_of(made, author),
    )


def _lock(state: State, action: Lock, author: Author) -> Revision | Refusal:
    record, field = state.memory.records[action.entity], FIELD_OF[action.field]
    if is_locked(record, field):
        return _nothing(f"{action.field} of {record.id} is locked already.")
    return _with_word(record, field, author, locked=True)


def _unlock(state: State, action: Unlock, author: Author) -> Revision | Refusal:
    record, field = state.memory.records[action.entity], FIELD_OF[action.field]
    if not is_locked(record, field):
        return _nothing(f"{action.field} of {record.id} is not locked.")
    return _with_word(record, field, author, locked=False)


def _with_word(record: EntityRecord, field: Field, author: Author, *, locked: bool) -> Revision:
    others = tuple(word for word in record.words if word.field is not field)
    said = replace(record, words=(*others, word_on(record, field, author, locked)))
    reason = "no report changes it from now on" if locked else "reports count again"
    return Revision(records=(said,), changes=(), reason=reason)


def _undo(state: State, action: Undo, author: Author) -> Revision | Refusal:
    return undone(state, action.seq, author)


def _nothing(message: str) -> Refusal:
    return Refusal("no_change", message, "Nothing needs to be corrected.")


_CASES: dict[type, Callable[[State, Any, Author], Revision | Refusal]] = {
    Move: _move,
    Reclass: _reclass,
    SetStatus: _set_status,
    Remove: _remove,
    Add: _add,
    Lock: _lock,
    Unlock: _unlock,
    Merge: merged,
    Split: split,
    Undo: _undo,
}
