"""Closer looks: which frames of the ranges asked for are shown, and why not more (LogLook, section 3.5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from backend.domain.demonstration.segments import Segment
from backend.domain.demonstration.settings import DemonstrationSettings


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """Frames of the demonstration, both ends included, counted from 0."""

    first_frame: int
    last_frame: int

    def __str__(self) -> str:
        return f"{self.first_frame}-{self.last_frame}"


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """To one view: the running summary, which replaces the one before, and the ranges to see closer."""

    summary: str
    looks: tuple[Range, ...]


class Look(Struct, frozen=True):
    """`frames` to show, in order; `told`: what was refused or left out of what was asked for, and why."""

    frames: tuple[int, ...] = ()
    told: tuple[str, ...] = ()


def closer_look(
    ranges: Sequence[Range], segment: Segment, seen: Collection[int], settings: DemonstrationSettings
) -> Look:
    """Every `inspect_every`th frame of `ranges`, in the order asked for, up to what the segment has left.

    `seen`: frames of this segment shown in closer looks before, which are not shown again but do count.
    A range outside the segment is refused, one that juts out of it is cut.
    """
    wanted: dict[int, None] = {}
    told: list[str] = []
    for asked in ranges:
        within, why = _within(asked, segment)
        told += [why] if why else []
        wanted |= dict.fromkeys(frame for frame in within[:: settings.inspect_every] if frame not in seen)
    room = max(0, settings.inspect_most - len(seen))
    if len(wanted) > room:
        told.append(
            f"{len(wanted) - room} of the {len(wanted)} frames asked for are left out: closer looks show "
            f"{settings.inspect_most} frames of a segment at most, and {room} were left. "
            "Ask for narrower ranges."
        )
    elif ranges and not wanted and not told:
        told.append("Every frame asked for was shown already. Ask for others, or for none.")
    return Look(tuple(sorted(list(wanted)[:room])), tuple(told))


def _within(asked: Range, segment: Segment) -> tuple[range, str]:
    """What of a range lies in the segment, and the reason where that is not all of it."""
    first, last = max(asked.first_frame, segment.first), min(asked.last_frame, segment.last)
    bounds = f"segment {segment.number}, which has frames {segment.first}-{segment.last}"
    if asked.first_frame > asked.last_frame:
        return range(0), f"Range {asked} was refused: it ends before it begins. Give the first frame first."
    if first > last:
        return range(0), f"Range {asked} was refused: it is outside {bounds}. Choose frames of it."
    cut = (first, last) != (asked.first_frame, asked.last_frame)
    return range(
        first, last + 1
    ), f"Range {asked} was cut to {first}-{last}: only that is in {bounds}." if cut else ""
