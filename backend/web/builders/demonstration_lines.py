"""A demonstration's events as lines of the audit: what was shown, asked for and given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backend.domain.episode import events as e
from backend.web.builders import words
from backend.web.builders.line import Line, mark


def _recorded(event: e.DemonstrationRecorded) -> Line:
    frames = words.counted(len(event.film), "frame")
    return Line(verdict=mark("ok", "Stored"), subject="demonstration", change=frames)


def _shown(event: e.DemonstrationShown) -> Line:
    view = event.view
    what = "Skimmed" if view.kind == "skim" else "Inspected"
    return Line(
        verdict=mark("idle", f"{what} anew" if event.findings else what),
        subject=f"demonstration, segment {view.segment.number}",
        change=words.counted(len(view.frames), "frame") + " shown",
        reason=" ".join(view.told),
    )


def _answered(event: e.DemonstrationAnswered) -> Line:
    ranges = ", ".join(map(str, event.answer.looks))
    return Line(
        verdict=mark("ok", "Summed up"),
        subject="demonstration",
        change=f"asks for {ranges}" if ranges else "asks for no closer look",
        reason=event.answer.summary,
    )


def _refused(event: e.DemonstrationRefused) -> Line:
    return Line(
        verdict=mark("reject", "Refused", "caution"),
        subject="demonstration",
        change="asked anew" if event.will_repair else "a person is asked",
        reason=event.failure,
    )


DEMONSTRATION_LINES: Mapping[type, Callable[[Any], Line]] = {
    e.DemonstrationRecorded: _recorded,
    e.DemonstrationShown: _shown,
    e.DemonstrationAnswered: _answered,
    e.DemonstrationRefused: _refused,
}
