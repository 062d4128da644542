"""PatternLock: trace the path over the nodes that the demonstration traced, in the same order.

Where two nodes seen one after the other are no neighbours, something was missed between the two frames, and a
closer look is asked for. At a fixed stride there is none: what no frame shows is not traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backend.domain.execution.log import LogLine
from backend.planners.surrogate.done import asked, ran
from backend.planners.surrogate.locating import MOST_PIXELS, Spot, known, look_for, read_points
from backend.planners.surrogate.mind import Act, Mind
from backend.planners.surrogate.moves import CARRY_M, move, over, sequence
from backend.planners.surrogate.seeing.hand import Ruler, hand_of
from backend.planners.surrogate.seeing.sight import Pixel, Sight, apart_px
from backend.planners.surrogate.seeing.swaps import read, written
from backend.planners.surrogate.things import MIDDLE, give_up
from backend.planners.surrogate.watching import Watching

SPACING_M, TRACE_M, TIP_M = 0.07, 0.04, 0.031
"""Between nodes; of the tool as it traces, and of the fingertips then."""
NODES, PATH = "nodes at pixels", "path by frame and pixel"
AT_NODE, NEIGHBOURS = 0.35, 1.7
"""In distances between nodes: what is at one, and what are neighbours, diagonally too."""
LOW = 1.25
"""A hand that looks this much nearer than the table does not trace."""
MOST_MOVES = 6

Visit = tuple[int, Pixel]
"""The first frame in which a node was seen touched, and where the node is."""


def watch_pattern(watching: Watching) -> None:
    nodes = read(watching.fact(NODES)) or tuple(p.place for p in watching.sights[0][1].of("node"))
    watching.learn(NODES, written(nodes))
    seen = [(number, touched(sight, nodes)) for number, sight in watching.sights]
    visits = _path(_visits(watching.fact(PATH)), [(number, node) for number, node in seen if node])
    watching.learn(PATH, ", ".join(f"{n} {x_px:.1f} {y_px:.1f}" for n, (x_px, y_px) in visits) or "none")
    first = watching.sights[0][0]
    watching.look_closer(
        (max(first, one[0]), other[0])
        for one, other in pairwise(visits)
        if other[0] > first and not _are_neighbours(one[1], other[1], nodes)
    )


def pattern_lock(mind: Mind) -> Act:
    read_points(mind)
    nodes = read(mind.fact(NODES)) or tuple(patch.place for patch in mind.front.of("node"))
    path = [place for _, place in _visits(mind.fact(PATH))]
    done = mind.count("nodes traced", traced)
    if done >= max(1, len(path)):
        return give_up(mind, "All that is remembered of the path is traced.")
    if not path:
        path = list(read(mind.guess(PATH, [written([node]) for node in nodes] or [MIDDLE])))
    names = [f"node {number} of the path" for number in range(1, len(path) + 1)]
    spots = {name: Spot(place, 0.0) for name, place in zip(names, path, strict=True)}
    due = names[done : done + MOST_MOVES - (1 if done == 0 else 0)]
    look = look_for(mind, spots, due, due[:MOST_PIXELS])
    if look is not None:
        return look
    points = [known(mind, name) for name in due]
    down = [move(over(points[0], CARRY_M), "close")] if done == 0 else []
    step = sequence(*down, *(move(over(point, TRACE_M)) for point in points))
    return Act(step=step, why=f"{done} of {len(path)} nodes are traced: on to {due[0]}.")


def traced(line: LogLine) -> int:
    """How many nodes."""
    return sum(part.arguments.get("z_m") == TRACE_M for part in asked(line)) if ran(line) else 0


def touched(sight: Sight, nodes: Sequence[Pixel]) -> Pixel | None:
    """The node that the fingertips trace in this frame."""
    hand = hand_of(sight)
    if hand is None:
        return None
    for node in nodes:
        ruler = _ruler(node, nodes)
        if hand.nearer(ruler) < LOW:
            reach_px = AT_NODE * ruler.away * SPACING_M
            if apart_px(hand.over(TIP_M, ruler), node) <= reach_px:
                return node
    return None


def _ruler(node: Pixel, nodes: Sequence[Pixel]) -> Ruler:
    """At a node, from its neighbours in its row and in the next."""
    row = [abs(x - node[0]) for x, y in nodes if abs(y - node[1]) < 5 and abs(x - node[0]) > 5]
    rows = [abs(y - node[1]) for _, y in nodes if abs(y - node[1]) >= 5]
    across_px, away_px = min(row, default=20.0), min(rows, default=16.0)
    return Ruler(across_px / SPACING_M, away_px / SPACING_M)


def _are_neighbours(one: Pixel, other: Pixel, nodes: Sequence[Pixel]) -> bool:
    ruler = _ruler(one, nodes)
    across_m, away_m = (one[0] - other[0]) / ruler.across, (one[1] - other[1]) / ruler.away
    return max(abs(across_m), abs(away_m)) < NEIGHBOURS * SPACING_M


def _path(known_before: Sequence[Visit], seen: Sequence[Visit]) -> list[Visit]:
    """All that was seen in the order of the frames; what follows itself was one visit."""
    path: list[Visit] = []
    for number, node in sorted({*known_before, *seen}):
        if not path or apart_px(path[-1][1], node) > 4:
            path.append((number, node))
    return path


def _visits(text: str) -> list[Visit]:
    parts = [part.split() for part in text.split(", ")]
    return [(int(part[0]), (float(part[1]), float(part[2]))) for part in parts if len(part) == 3]
