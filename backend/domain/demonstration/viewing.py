"""Watching a demonstration: skim a segment, look closer where asked, go on (LogLook, section 3.5).

A viewing is a value. `view_of` says what the planner is to be shown next, `answered` what its answer makes of
the viewing; both are pure, so that a journal of the answers is the whole of it. The summary is rewritten by
each answer, and the last one is the planner's first note.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.demonstration.looks import Answer, closer_look
from backend.domain.demonstration.segments import Segment, segments
from backend.domain.demonstration.settings import DemonstrationSettings


class Viewing(Struct, frozen=True, kw_only=True):
    """A demonstration of `total` frames, seen up to `at`, an index of its segments.

    `seen`: frames of that segment shown in closer looks; `next_look`: those to be shown now, none before its
    skim. `told`: what the last answer asked for and did not get, for the planner's next context.
    `skimmed`, `inspected`: images shown so far of each kind.
    """

    total: int
    switch: Literal["skim_inspect", "stride", "off"]
    settings: DemonstrationSettings = DemonstrationSettings()
    at: int = 0
    seen: tuple[int, ...] = ()
    next_look: tuple[int, ...] = ()
    summary: str = ""
    told: tuple[str, ...] = ()
    skimmed: int = 0
    inspected: int = 0

    @property
    def segments(self) -> tuple[Segment, ...]:
        return segments(self.total, self.switch, self.settings)


class View(Struct, frozen=True, kw_only=True):
    """What is shown of one segment: `frames` are indices of the demonstration.

    `looks_left`: how many frames closer looks may still show of this segment.
    """

    kind: Literal["skim", "inspect"]
    segment: Segment
    of_segments: int
    total: int
    frames: tuple[int, ...]
    looks_left: int
    summary: str
    told: tuple[str, ...]


def view_of(viewing: Viewing) -> View | None:
    """What to show next; None once the demonstration is seen to its end."""
    parts = viewing.segments
    if viewing.at >= len(parts):
        return None
    segment = parts[viewing.at]
    shown = len(viewing.seen) + len(viewing.next_look)
    most = viewing.settings.inspect_most if viewing.switch == "skim_inspect" else 0
    return View(
        kind="inspect" if viewing.next_look else "skim",
        segment=segment,
        of_segments=len(parts),
        total=viewing.total,
        frames=viewing.next_look or segment.shown,
        looks_left=most - shown,
        summary=viewing.summary,
        told=viewing.told,
    )


def answered(viewing: Viewing, answer: Answer) -> Viewing:
    """The viewing after the answer to its view: on to the closer look asked for, or to the next segment.

    A request that shows no further frame cannot hold the segment up, so every viewing ends. Raises ValueError
    where nothing was left to be shown.
    """
    view = view_of(viewing)
    if view is None:
        raise ValueError("The demonstration was seen to its end: there is no view to answer to.")
    after = replace(
        viewing,
        summary=answer.summary,
        seen=tuple(sorted({*viewing.seen, *viewing.next_look})),
        skimmed=viewing.skimmed + (len(view.frames) if view.kind == "skim" else 0),
        inspected=viewing.inspected + (len(view.frames) if view.kind == "inspect" else 0),
    )
    if viewing.switch != "skim_inspect":
        return _on(after, (_NO_LOOKS,) if answer.looks else ())
    look = closer_look(answer.looks, view.segment, after.seen, viewing.settings)
    if look.frames:
        return replace(after, next_look=look.frames, told=look.told)
    return _on(after, look.told)


_NO_LOOKS = "No closer look is given: this memory shows demonstrations at a fixed stride alone."


def _on(viewing: Viewing, told: tuple[str, ...]) -> Viewing:
    return replace(viewing, at=viewing.at + 1, seen=(), next_look=(), told=told)
