"""The words that several panels share: names of sources and statuses, places, times of day, a step in one
line."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import ACTIVE, EntityRecord, Source, Status
from backend.web.pages import figures
from backend.web.pages.map import EntityShape

SOURCE = {
    Source.INITIAL: "map",
    Source.ONBOARD: "onboard",
    Source.AERIAL: "drone",
    Source.OPERATOR: "operator",
    Source.TRUTH: "truth",
}

_SHAPE: dict[Status, EntityShape] = {
    Status.OBSERVED: "observed",
    Status.GRASPED: "grasped",
    Status.DELIVERED: "delivered",
    Status.RECONSIDER: "reconsider",
    Status.LOST: "lost",
    Status.REMOVED: "removed",
}


def who(actor: str) -> str:
    """`operator:NAME` is shown by name, every other actor by its part."""
    return actor.removeprefix("operator:")


def initials(name: str) -> str:
    """O1 for operator-1, AB for ada.byron, AD for ada."""
    parts = [part for part in name.replace(".", "-").replace("_", "-").replace(" ", "-").split("-") if part]
    if not parts:
        return figures.NONE
    return (parts[0][0] + parts[1][0] if len(parts) > 1 else parts[0][:2]).upper()


def time_of_day(utc: str) -> str:
    """14:06:51 of an ISO 8601 stamp."""
    return utc[11:19]


def place(pose: Pose) -> str:
    return figures.place(pose.x_m, pose.y_m)


def shape_of(record: EntityRecord, state: State) -> EntityShape:
    """`assigned` is derived: an active record that the current plan is about."""
    if not record.supported and record.status is not Status.REMOVED:
        return "unsupported"
    if record.status in ACTIVE and state.plan is not None and state.plan.target == record.id:
        return "assigned"
    return _SHAPE[record.status]


def counted(number: int, one: str, many: str = "") -> str:
    return f"{figures.count(number)} {one if number == 1 else many or one + 's'}"


def span(numbers: Sequence[int]) -> str:
    """ "1", "1 to 3", "1, 3 and 4": numbers in order, one run said as a range."""
    if len(numbers) == 1:
        return str(numbers[0])
    if numbers[-1] - numbers[0] == len(numbers) - 1 and len(numbers) > 2:
        return f"{numbers[0]} to {numbers[-1]}"
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def sentence(text: str) -> str:
    """Robot and model words as a sentence of ours: a capital first, one full stop last."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?…”" else ".")
