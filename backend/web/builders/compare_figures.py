"""What two episodes came to, figure by figure, with the difference."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from backend.domain.comparing.beliefs import Otherwise
from backend.domain.comparing.tallies import Figures
from backend.domain.memory.record import VERIFIED, EntityRecord
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.compare import BeliefRow, FigureGroup, FigureRow, Weight

CAUSES = {
    "changed": "Replans, belief changed",
    "failed": "Replans, skill failed",
    "rejected": "Replans, plan rejected",
    "refused": "Replans, plan refused",
    "lapsed": "Replans, approval lapsed",
    "asked": "Replans, a person asked",
    "edited": "Replans, plan edited",
    "policy": "Replans, policy changed",
}
MATTERS = ("delivered", "stale_visits", "context_units", "failed")
"""Whose difference is what one compares for."""


class Line(Struct, frozen=True):
    """`digits`: behind the point. `in_percent`: the difference is told as a share of B as well."""

    name: str
    label: str
    digits: int = 0
    unit: str = ""
    in_percent: bool = False


HERE = (
    Line("delivered", "Delivered"),
    Line("steps", "Steps done"),
    Line("calls", "Planner calls"),
    Line("path_m", "Path", 1, " m"),
)
WHOLE = (
    Line("delivered", "Delivered"),
    Line("steps", "Steps done"),
    Line("failed", "Steps failed"),
    Line("world_steps", "Steps of the world"),
    Line("path_m", "Path", 1, " m"),
    Line("calls", "Planner calls"),
    Line("shown_mean", "Records shown, mean", 1),
    Line("context_units", "Context, units", in_percent=True),
    Line("tokens", "Tokens", in_percent=True),
    Line("money_usd", "Cost, $", 4),
    Line("stale_visits", "Stale-target visits"),
    Line("plans", "Plans"),
    Line("refusals", "Plans refused"),
    Line("evidence", "Reports heard"),
    Line("refused_evidence", "Reports refused"),
)
MODEL_ALONE = ("tokens", "money_usd")
"""Nothing is said of these where neither asked a model."""


def groups(
    here: tuple[Figures, Figures], whole: tuple[Figures, Figures], outcomes: tuple[str, str], place: str
) -> tuple[FigureGroup, ...]:
    """`here`: of the cursor's moments, `place` in words. `outcomes`: how each ended."""
    ended = FigureRow(
        label="Outcome",
        left=outcomes[0],
        right=outcomes[1],
        difference="same" if outcomes[0] == outcomes[1] else "other",
        weight="same" if outcomes[0] == outcomes[1] else "much",
    )
    return (
        FigureGroup(title=place, rows=tuple([_row(line, *here) for line in HERE])),
        FigureGroup(
            title="In all",
            rows=(
                ended,
                _time(*whole),
                *[_row(line, *whole) for line in WHOLE if _is_told(line, *whole)],
                *_replans(*whole),
            ),
        ),
    )


def _is_told(line: Line, left: Figures, right: Figures) -> bool:
    return line.name not in MODEL_ALONE or bool(getattr(left, line.name) or getattr(right, line.name))


def _time(left: Figures, right: Figures) -> FigureRow:
    apart_s = left.met_s - right.met_s
    sign = "+" if apart_s > 0 else "−"
    return FigureRow(
        label="Mission time",
        left=figures.met(left.met_s),
        right=figures.met(right.met_s),
        difference=f"{sign}{figures.age(abs(apart_s))}" if apart_s else figures.NONE,
        weight="other" if apart_s else "same",
    )


def _row(line: Line, left: Figures, right: Figures) -> FigureRow:
    ours, theirs = getattr(left, line.name), getattr(right, line.name)
    of = (left.total, right.total) if line.name == "delivered" else (0, 0)
    apart = 0.0 if ours is None or theirs is None else round(ours - theirs, 6)
    weight: Weight = "same" if not apart else "much" if line.name in MATTERS else "other"
    return FigureRow(
        label=line.label,
        left=_text(ours, line) + (f" of {of[0]}" if of[0] else ""),
        right=_text(theirs, line) + (f" of {of[1]}" if of[1] else ""),
        difference=_difference(apart, theirs, line),
        weight=weight,
    )


def _text(value: float | None, line: Line) -> str:
    return figures.NONE if value is None else f"{value:,.{line.digits}f}{line.unit}"


def _difference(apart: float, theirs: float | None, line: Line) -> str:
    if not apart or f"{abs(apart):.{line.digits}f}" == f"{0:.{line.digits}f}":
        return figures.NONE
    sign = "+" if apart > 0 else "−"
    if line.in_percent and theirs:
        return f"{sign}{abs(apart) / theirs * 100:.1f} %"
    return f"{sign}{abs(apart):,.{line.digits}f}{line.unit}"


def _replans(left: Figures, right: Figures) -> Iterator[FigureRow]:
    for cause in dict.fromkeys([*left.replans, *right.replans]):
        ours, theirs = left.replans.get(cause, 0), right.replans.get(cause, 0)
        yield FigureRow(
            label=CAUSES.get(cause, f"Replans, {cause}"),
            left=figures.count(ours),
            right=figures.count(theirs),
            difference=figures.change(ours - theirs),
            weight="other" if ours != theirs else "same",
        )


def belief_row(believed: Otherwise) -> BeliefRow:
    return BeliefRow(
        entity=believed.entity, left=_belief(believed.left, believed), right=_belief(believed.right, believed)
    )


def _belief(record: EntityRecord | None, believed: Otherwise) -> str:
    if record is None:
        return "unknown"
    if record.status in VERIFIED:
        return record.status.value
    place = words.place(record.pose)
    return f"{place}, {record.status.value}" if "status" in believed.what else place
