"""What if the gate had been set otherwise: the same gating, over the frames that an action left behind."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.gating import Gated, GatingSettings, gate
from backend.domain.execution.gating import Picture as Pixels


class Unwatched(Struct, frozen=True):
    """There is nothing to gate otherwise; `reason` in words."""

    reason: str


def regated(
    film: WatchedFrames, settings: GatingSettings, load: Callable[[str], Pixels]
) -> Gated | Unwatched:
    """The verdicts over `film.frames`, had the gate been set as `settings`. Nothing is written.

    `load` gives a stored frame's pixels by its SHA-256; what it raises comes through.
    """
    if film.watch is None:
        return Unwatched("The planner watched nothing, so no circle is there to measure in.")
    if film.watch.points == "all":
        return Unwatched("The planner asked for every frame, so nothing was gated.")
    return gate([load(frame.sha256) for frame in film.frames], film.watch.points, settings)


def told(film: WatchedFrames, gated: Gated) -> WatchedFrames:
    """The film as it would have been kept."""
    frames = tuple(
        replace(frame, share=share, returned=returned)
        for frame, share, returned in zip(film.frames, gated.shares, gated.returned, strict=True)
    )
    return replace(film, frames=frames, withheld=gated.withheld)
