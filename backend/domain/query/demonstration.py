"""The query while a demonstration is watched: its view as blocks, exactly as they are sent (LogLook, 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.demonstration.viewing import View
from backend.domain.execution.frames import Frame
from backend.domain.plans.findings import Finding
from backend.domain.query.parts import block_of, joined, paragraphs
from backend.domain.query.query import Block


def demonstration_blocks(
    view: View, film: Sequence[Frame], goal: str, findings: tuple[Finding, ...] = ()
) -> tuple[Block, ...]:
    """The blocks of `view`; empty ones are left out. `film` holds every frame of the demonstration, in order.
    `findings`: what was wrong with the answer before.

    Raises ValueError where `film` is not of the length that the view was made for.
    """
    if len(film) != view.total:
        raise ValueError(f"The film has {len(film)} frames; the demonstration has {view.total}.")
    images = tuple(film[frame] for frame in view.frames)
    texts = [
        ("goal", goal),
        ("demonstration", _shown(view)),
        ("summary", paragraphs([view.summary])),
        ("told", "\n".join(view.told)),
        ("findings", joined(str(finding) for finding in findings)),
    ]
    return tuple(
        block_of(name, text, images if name == "demonstration" else ()) for name, text in texts if text
    )


def _shown(view: View) -> str:
    """Which frames follow, by number: what the planner names them by when it asks for a closer look."""
    segment = view.segment
    head = "Closer look at" if view.kind == "inspect" else "Demonstration,"
    bounds = f"frames {segment.first}-{segment.last} of {view.total}"
    lines = [
        f"{head} segment {segment.number} of {view.of_segments}: {bounds}.",
        f"Frames shown, in order: {', '.join(map(str, view.frames))}.",
    ]
    if view.looks_left:
        lines.append(f"Closer looks may show {view.looks_left} more frames of this segment.")
    return "\n".join(lines)
