"""What a person may correct in memory. Each is evidence with source operator, or a statement about records.

Lengths in metres, in the frame of the site. `lock`: from then on no report changes the field.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.memory.record import Field, Status

Lockable = Literal["class", "pose", "status"]
"""Fields that a person may lock."""

FIELD_OF: dict[Lockable, Field] = {"class": Field.CLASS, "pose": Field.POSE, "status": Field.STATUS}


class Move(Struct, frozen=True, kw_only=True, tag="move"):
    """It is there. Said of something lost, it is found; said of where it is believed, it is confirmed."""

    entity: str
    x_m: float
    y_m: float
    confidence: float = 1.0
    lock: bool = False


class Reclass(Struct, frozen=True, kw_only=True, tag="reclass"):
    """It is of another class, and so may go to another station."""

    entity: str
    cls: str
    lock: bool = False


class SetStatus(Struct, frozen=True, kw_only=True, tag="set_status"):
    """Observed, reconsider or lost; delivered, where a person carried it to `station`.

    Observed brings back what was removed.
    """

    entity: str
    status: Status
    station: str = ""
    lock: bool = False


class Remove(Struct, frozen=True, kw_only=True, tag="remove"):
    """There is no such thing. No report brings it back; a person may."""

    entity: str


class Add(Struct, frozen=True, kw_only=True, tag="add"):
    """Something that nobody has reported. `entity`: the robot's own id for it, where it has one."""

    cls: str
    x_m: float
    y_m: float
    confidence: float = 1.0
    entity: str = ""
    lock: bool = False


class Lock(Struct, frozen=True, kw_only=True, tag="lock"):
    entity: str
    field: Lockable


class Unlock(Struct, frozen=True, kw_only=True, tag="unlock"):
    entity: str
    field: Lockable


class Merge(Struct, frozen=True, kw_only=True, tag="merge"):
    """`absorbed` is the same thing as `entity`: what is reported of it is about `entity` from then on."""

    entity: str
    absorbed: str


class Split(Struct, frozen=True, kw_only=True, tag="split"):
    """`entity` is two things: there is another one at the place given.

    `name`: an id that was merged into `entity` and is to be a record of its own again.
    """

    entity: str
    cls: str
    x_m: float
    y_m: float
    confidence: float = 1.0
    name: str = ""


class Undo(Struct, frozen=True, kw_only=True, tag="undo"):
    """Take back the correction of event `seq`: a further correction, that writes nothing anew."""

    seq: int


Correction = Move | Reclass | SetStatus | Remove | Add | Lock | Unlock | Merge | Split | Undo


def named(correction: Correction) -> tuple[str, ...]:
    """The records that it names and that must exist; an undo names none."""
    if isinstance(correction, Add | Undo):
        return ()
    if isinstance(correction, Merge):
        return (correction.entity, correction.absorbed)
    return (correction.entity,)


def kind_of(correction: Correction) -> str:
    return str(type(correction).__struct_config__.tag)
