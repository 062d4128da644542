"""What a person may claim of a place or class: inside the map, on free floor, and of a kind that is taken."""

from __future__ import annotations

import math
import re

from backend.domain.decide.rewriting import Author
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import EntityRecord, Source
from backend.domain.refusal import Refusal

_CLASS = re.compile(r"[a-z][a-z0-9_]{0,30}")


def place_in(state: State, x_m: float, y_m: float, confidence: float) -> Pose | Refusal:
    """The pose claimed, in metres; on a grid the centre of its cell. Refused outside the map and in walls."""
    grid = state.site.map
    if not math.isfinite(x_m + y_m):
        return Refusal("place", "That place is no number.", "Write x and y in metres.")
    if not 0.0 < confidence <= 1.0:
        return Refusal(
            "confidence", f"Confidence {confidence:g} is not above 0 and up to 1.", "Write 1 or less."
        )
    i, j = round(x_m / grid.cell_m), round(y_m / grid.cell_m)
    if not (i in grid.columns and j in grid.rows):
        x0_m, x1_m = (cell * grid.cell_m for cell in (grid.columns.start, grid.columns.stop - 1))
        y0_m, y1_m = (cell * grid.cell_m for cell in (grid.rows.start, grid.rows.stop - 1))
        return Refusal(
            "place",
            f"({x_m:g}, {y_m:g}) m is outside the map.",
            f"Choose x from {x0_m:g} to {x1_m:g} and y from {y0_m:g} to {y1_m:g} m.",
        )
    if (i, j) in grid.occupied:
        return Refusal("place", f"({x_m:g}, {y_m:g}) m is inside a wall.", "Choose a free place beside it.")
    if state.site.metric.kind == "manhattan":
        x_m, y_m = i * grid.cell_m, j * grid.cell_m
    return Pose(float(x_m), float(y_m), 0.0, state.site.frame_id)


def classes(state: State, cls: str) -> Refusal | None:
    """Why nothing here can be of class `cls`. Where classes are settled as they appear, a new one may be
    named while a station is free."""
    if cls in state.assignments:
        return None
    free = {station.id for station in state.site.stations} - set(state.assignments.values())
    if state.site.assignment == "at_reveal" and free and _CLASS.fullmatch(cls):
        return None
    known = ", ".join(sorted(state.assignments)) or "none yet"
    return Refusal("class", f"No station takes class {cls[:60]!r}.", f"Classes here: {known}.")


def claim_of(record: EntityRecord, author: Author) -> Evidence:
    """The person's word as evidence, as any other source would give it."""
    return Evidence(
        cls=record.cls,
        pose=record.pose,
        confidence=record.confidence,
        source=Source.OPERATOR,
        stamp_s=author.met_s,
        entity=record.id,
        sensed_by=author.by,
    )
