"""RouteStick: go from node to node past the sticks between them, on the sides that the demonstration did.

A leg is over where the hand crosses the line through a stick; on which side it did is told by how far toward
the camera it was. Where the frames before and after a crossing leave that open, a closer look is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backend.domain.execution.log import LogLine
from backend.planners.surrogate.done import asked, ran
from backend.planners.surrogate.locating import Spot, known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import Point, move, over, sequence
from backend.planners.surrogate.seeing.hand import Ruler, hand_of
from backend.planners.surrogate.seeing.sight import Pixel, Sight
from backend.planners.surrogate.seeing.swaps import read, written
from backend.planners.surrogate.things import give_up, things
from backend.planners.surrogate.watching import Watching

SPACING_M, STICK_M, ROUTE_M, TIP_M, ASIDE_M, HIGH_M = 0.11, 0.12, 0.10, 0.091, 0.09, 0.22
"""Between nodes; of a stick; of the tool on its way, of its fingertips then, and how far aside it passes; of
the tool as it comes and goes."""
NODES, TRACK = "nodes at pixels", "hand by frame, along the row and toward the camera"
LOW, NEAR_M, CLEAR_M = 1.43, 0.16, 0.035
"""A hand nearer the camera than that is on no leg, nor is one further from the row; closer to the row than
CLEAR_M its side is open."""
LEGS_AT_ONCE = (2, 3)
"""In the first sequence, which begins by going down, and in others."""

Sample = tuple[int, float, float]
"""Frame; how many spacings along the row from its first node; metres toward the camera."""
Leg = tuple[int, bool, bool]
"""The stick passed, counted from the left of the picture; whether to its right; whether on the near side."""


def watch_route(watching: Watching) -> None:
    first = watching.sights[0][1]
    nodes = read(watching.fact(NODES)) or tuple(sorted(patch.place for patch in first.of("node")))
    watching.learn(NODES, written(nodes))
    ruler = _ruler(nodes, first)
    seen = [(n, *place) for n, sight in watching.sights if (place := _place(sight, nodes, ruler)) is not None]
    track = sorted({*_samples(watching.fact(TRACK)), *seen})
    watching.learn(TRACK, ", ".join(f"{n} {along:.2f} {aside:.3f}" for n, along, aside in track) or "none")
    begin = watching.sights[0][0]
    watching.look_closer(
        (max(begin, one[0]), other[0])
        for one, other in pairwise(track)
        for stick in range(len(nodes) - 1)
        if other[0] > begin and _crosses(one, other, stick) and abs(_aside(one, other, stick)) < CLEAR_M
    )


def route_stick(mind: Mind) -> Act:
    read_points(mind)
    nodes = read(mind.fact(NODES)) or tuple(sorted(patch.place for patch in things(mind.front, "node")))
    legs, done = legs_of(_samples(mind.fact(TRACK)), len(nodes) - 1), mind.count("legs done", gone)
    legs = legs or _guessed(mind, len(nodes) - 1)
    if done >= len(legs):
        return give_up(mind, "All that is remembered of the route is done.")
    if not nodes:
        return give_up(mind, "No node is in sight.")
    ends = {"first node": Spot(nodes[0], 0.0), "last node": Spot(nodes[-1], 0.0)}
    look = look_for(mind, ends, list(ends))
    if look is not None:
        return look
    row = _between(known(mind, "first node"), known(mind, "last node"), len(nodes))
    stick, to_right, _ = legs[0]
    start = row[stick if to_right else stick + 1]
    down = [move(over(start, HIGH_M), "close"), move(over(start, ROUTE_M))] if done == 0 else []
    due = legs[done : done + LEGS_AT_ONCE[done > 0]]
    ways = [move(over(point, ROUTE_M)) for leg in due for point in _round(leg, row)]
    return Act(step=sequence(*down, *ways), why=f"{done} of {len(legs)} legs are done: on to the next.")


def gone(line: LogLine) -> int:
    """How many legs: two moves each, after the one that goes down."""
    return sum(part.arguments.get("z_m") == ROUTE_M for part in asked(line)) // 2 if ran(line) else 0


def legs_of(track: Sequence[Sample], sticks: int) -> list[Leg]:
    """The legs that a track went, in order."""
    return [
        (stick, other[1] > one[1], _aside(one, other, stick) > 0)
        for one, other in pairwise(track)
        for stick in (range(sticks) if other[1] > one[1] else reversed(range(sticks)))
        if _crosses(one, other, stick)
    ]


def _crosses(one: Sample, other: Sample, stick: int) -> bool:
    return (one[1] < stick + 0.5) != (other[1] < stick + 0.5)


def _aside(one: Sample, other: Sample, stick: int) -> float:
    """Metres toward the camera as the line through a stick is crossed."""
    share = (stick + 0.5 - one[1]) / (other[1] - one[1])
    return one[2] + share * (other[2] - one[2])


def _place(sight: Sight, nodes: Sequence[Pixel], ruler: Ruler) -> tuple[float, float] | None:
    """Where the hand is on its way; None where it is hidden, or only comes or goes."""
    hand = hand_of(sight)
    if hand is None or hand.nearer(ruler) > LOW:
        return None
    x_px, y_px = hand.over(TIP_M, ruler)
    row_px = sum(y for _, y in nodes) / len(nodes)
    toward_m = (y_px - row_px) / ruler.away
    if abs(toward_m) > NEAR_M:
        return None
    # What is nearer the camera than the row looks further from the picture's middle than it is.
    middle_px = 256.0
    along_px = middle_px + (x_px - middle_px) / hand.nearer(ruler) - nodes[0][0]
    return along_px / (ruler.across * SPACING_M), toward_m


def _ruler(nodes: Sequence[Pixel], sight: Sight) -> Ruler:
    """At the row: across it from the nodes, along the line of sight from the height of the sticks."""
    across = (nodes[-1][0] - nodes[0][0]) / max(1, len(nodes) - 1) / SPACING_M
    sticks = [patch.high_px for patch in sight.of("stick")]
    upright = min(across, max(sticks, default=0.0) / STICK_M * 0.85)
    return Ruler(across, (across**2 - upright**2) ** 0.5)


def _between(first: Point, last: Point, count: int) -> list[Point]:
    """Evenly spaced, both ends among them."""
    shares = [number / max(1, count - 1) for number in range(count)]
    return [(first[0] + s * (last[0] - first[0]), first[1] + s * (last[1] - first[1]), 0.0) for s in shares]


def _round(leg: Leg, row: Sequence[Point]) -> tuple[Point, Point]:
    """Past the stick, and to the node beyond it. The camera stands where x is larger."""
    stick, to_right, is_near = leg
    one, other = row[stick], row[stick + 1]
    aside = ((one[0] + other[0]) / 2 + (ASIDE_M if is_near else -ASIDE_M), (one[1] + other[1]) / 2, 0.0)
    return aside, other if to_right else one


def _guessed(mind: Mind, sticks: int) -> list[Leg]:
    """One leg by chance."""
    stick = int(mind.guess("stick", [str(number) for number in range(max(1, sticks))]))
    return [
        (
            stick,
            mind.guess("way", ["left", "right"]) == "right",
            mind.guess("side", ["far", "near"]) == "near",
        )
    ]


def _samples(text: str) -> list[Sample]:
    parts = [part.split() for part in text.split(", ")]
    return [(int(part[0]), float(part[1]), float(part[2])) for part in parts if len(part) == 3]
