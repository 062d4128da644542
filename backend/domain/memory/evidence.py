"""Evidence: what a source reports about an entity, before anybody has judged it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType

from backend.domain.geometry import Pose
from backend.domain.memory.record import FieldChange, Source


class Clocks(Struct, frozen=True):
    """A moment on the robot's own clock and in UTC, seconds since 1970. For people and logs of the robot:
    nothing is decided by it."""

    robot_s: float
    utc_s: float


class Evidence(Struct, frozen=True, kw_only=True):
    """One detection. `stamp_s` is the mission time of the sensing, not of the arrival.

    `entity` is the reporter's own id for it, or None where association must find one. `clocks`: that moment
    elsewhere; left out, in writing too, where a world has no clock but the mission's.
    """

    cls: str
    pose: Pose
    confidence: float
    source: Source
    stamp_s: float
    entity: str | None = None
    sensed_by: str = ""
    clocks: Clocks | UnsetType = UNSET


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    MERGED = "merged"
    REFUSED = "refused"


class Judgement(Struct, frozen=True):
    """What became of a piece of evidence, and why. `changes` holds the fields of C that it changed.

    `too_weak`: refused for its confidence alone, so worth showing to people.
    """

    verdict: Verdict
    reason: str
    changes: tuple[FieldChange, ...] = ()
    too_weak: bool = False
