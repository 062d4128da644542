"""A demonstration in segments: which of its frames are shown first (LogLook, section 3.5)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.demonstration.settings import DemonstrationSettings


class Segment(Struct, frozen=True):
    """Frames `first` to `last` of the demonstration, both in it; `shown` are those shown at its stride."""

    number: int
    first: int
    last: int
    shown: tuple[int, ...]


def segments(
    total: int, switch: Literal["skim_inspect", "stride", "off"], settings: DemonstrationSettings
) -> tuple[Segment, ...]:
    """Segments of a demonstration of `total` frames, none of whose frames is in two and none in no segment.

    `switch` is `demonstration` of the memory configuration; nothing is shown under "off".
    """
    if switch == "off":
        return ()
    every = stride(total, switch, settings)
    reach = every * settings.segment_frames
    return tuple(
        Segment(number, first, last := min(first + reach, total) - 1, tuple(range(first, last + 1, every)))
        for number, first in enumerate(range(0, total, reach), start=1)
    )


def stride(total: int, switch: Literal["skim_inspect", "stride"], settings: DemonstrationSettings) -> int:
    """The stride, in frames, at which the demonstration is shown first."""
    if switch == "skim_inspect":
        return settings.skim_every
    return settings.stride_long_every if total > settings.long_above else settings.stride_every
