"""Points in space that pixels show: what was asked for is noted with the step, what was found after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.domain.plans.plan import Step
from backend.planners.surrogate.done import ran
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import REST, Point, move, sequence, wait

MOST_PIXELS = 4
"""That one locate may ask for."""
UNKNOWN = "unknown"

_ASKED = "located last"
_BETWEEN = ", "


class Spot(Struct, frozen=True):
    """A pixel of the front view, and the height over the table at which its ray is to be cut."""

    pixel: tuple[float, float]
    height_m: float = 0.0


def read_points(mind: Mind) -> None:
    """Learns what the last action located, if it located anything: the note says what was asked for."""
    last = mind.seen.last
    if last is None or not ran(last) or not isinstance(last.measured.points_m, tuple):
        return
    for name, point in zip(mind.fact(_ASKED).split(_BETWEEN), last.measured.points_m, strict=False):
        if name and point is not None:
            put(mind, name, point)


def point_of(mind: Mind, name: str) -> Point | None:
    """Where `name` is, as far as is known."""
    numbers = mind.fact(_subject(name)).split()
    return (float(numbers[0]), float(numbers[1]), float(numbers[2])) if len(numbers) == 3 else None


def known(mind: Mind, name: str) -> Point:
    """Where something is that was found before."""
    at = point_of(mind, name)
    if at is None:
        raise LookupError(f"{name} was not located")
    return at


def put(mind: Mind, name: str, point: Point) -> None:
    """Learns where `name` is."""
    mind.learn(_subject(name), " ".join(f"{metres:.4f}" for metres in point))


def forget(mind: Mind, *names: str) -> None:
    """They are no longer where they were."""
    for name in names:
        if point_of(mind, name) is not None:
            mind.learn(_subject(name), UNKNOWN)


def look_for(
    mind: Mind, spots: Mapping[str, Spot], needed: Sequence[str], also: Sequence[str] = ()
) -> Act | None:
    """What finds out where the `needed` are, and with the same look those of `also` that are not known yet;
    None where all that is needed is known.

    All pixels of one locate are cut at one height: others wait for the next. What is not in sight may be
    hidden by the arm, which then goes out of the way.
    """
    unknown = [name for name in needed if point_of(mind, name) is None]
    if not unknown:
        return None
    wanted = [*unknown, *(name for name in also if name not in needed and point_of(mind, name) is None)]
    in_sight = {name: spots[name] for name in wanted if name in spots}
    if unknown[0] not in in_sight:
        return _out_of_the_way(mind, unknown[0])
    height_m = in_sight[unknown[0]].height_m
    asked = [(name, spot.pixel) for name, spot in in_sight.items() if spot.height_m == height_m][:MOST_PIXELS]
    names = ("pixel", *(f"pixel_{number}" for number in range(2, MOST_PIXELS + 1)))
    pixels = {argument: _whole(pixel) for argument, (_, pixel) in zip(names, asked, strict=False)}
    step = Step("locate", {"camera": "front", **pixels, "height_m": height_m})
    told = _BETWEEN.join(name for name, _ in asked)
    return Act(step=step, learned={_ASKED: told}, why=f"Where {told} is, is not known.")


def is_at_rest(mind: Mind) -> bool:
    """Whether the arm hides as little as it can."""
    tool = mind.seen.tool
    return tool is not None and max(abs(tool.x_m - REST[0]), abs(tool.y_m - REST[1])) < 0.02


def _out_of_the_way(mind: Mind, name: str) -> Act:
    if is_at_rest(mind):
        return Act(step=wait(8), why=f"The {name} is not in sight, though nothing hides it: wait.")
    return Act(step=sequence(move(REST)), why=f"The {name} is not in sight: the arm may hide it.")


def _whole(pixel: tuple[float, float]) -> tuple[float, float]:
    return round(pixel[0], 2), round(pixel[1], 2)


def _subject(name: str) -> str:
    return f"{name} at"
