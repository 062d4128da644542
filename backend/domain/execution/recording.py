"""Which pictures of an action are kept: the view before it, one every four steps, at most 16, always the last
(LogLook, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

EVERY_STEPS = 4
MOST_FRAMES = 16
"""Frames kept of one action besides the view before it; a long action is kept at a longer stride."""


def kept(
    steps: Sequence[int], every_steps: int = EVERY_STEPS, most_frames: int = MOST_FRAMES
) -> tuple[int, ...]:
    """Indices of the pictures to keep, taken at world `steps` in order, the first before the action.

    What a robot already thinned out to such a stride is kept as it is.
    """
    if len(steps) < 2:
        return tuple(range(len(steps)))
    strided: list[int] = []
    last_kept = steps[0]
    for index in range(1, len(steps) - 1):
        if steps[index] - last_kept >= every_steps:
            strided.append(index)
            last_kept = steps[index]
    return (0, *_evenly([*strided, len(steps) - 1], most_frames))


def _evenly(items: Sequence[int], most: int) -> list[int]:
    """At most `most` items, evenly spaced, the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[round((number + 1) * len(items) / most) - 1] for number in range(most)]
