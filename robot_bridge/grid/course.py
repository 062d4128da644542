"""Where every container was, told afterwards: from the tape and from what the robot is known to have handled.

No skill is run again, so it can be told of a world whose clock ran by itself too. What is known to have been
handled must fit: a journal of another seed or scenario is found out, and told by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from robot_bridge.grid.floor import FLOOR, HELD, Floor
from robot_bridge.grid.scenarios import Cell, Scenario
from robot_bridge.grid.tape import draw
from robot_bridge.world import Pose

ELSEWHERE: Cell = (-9, -9)
"""Where a robot senses nothing."""

Told = tuple[float, str, str, str, Pose]
"""From when, entity, class, state, pose."""


class Handling(NamedTuple):
    """Done in the step from `t` on, at `cell`: `what` is grasp, deliver (to `station`), drop, or miss: the
    robot closed on the entity and did not find it."""

    t: int
    entity: str
    what: str
    cell: Cell
    station: str = ""


class DoesNotFit(Exception):
    """What was handled cannot have happened on this tape; the text says what."""


def course(scenario: Scenario, seed: int, handlings: Sequence[Handling]) -> list[Told]:
    """In order of time, to the tape's end. Raises DoesNotFit."""
    floor = Floor(scenario, draw(scenario, seed), emits_truth=False)
    waiting = sorted(handlings, key=lambda each: each.t)
    last = max(scenario.budget, waiting[-1].t if waiting else 0)
    done = 0
    for t in range(last + 1):
        floor.enter(t, ELSEWHERE)
        floor.observe()
        while done < len(waiting) and waiting[done].t <= t:
            _handle(floor, waiting[done], t)
            done += 1
    return floor.moves()


def _handle(floor: Floor, handling: Handling, t: int) -> None:
    entity = handling.entity
    if entity not in floor.ids:
        raise DoesNotFit(f"{entity[:60]} was handled, and this world has none of that name.")
    index = floor.ids.index(entity)
    is_there = floor.states[index] == FLOOR and floor.cells[index] == handling.cell
    if handling.what == "miss":
        if is_there:
            raise DoesNotFit(f"{entity} was not found at {t} s, where the tape has it.")
    elif handling.what == "grasp":
        if not is_there:
            raise DoesNotFit(f"{entity} was grasped at {t} s, where the tape has it not.")
        floor.grasp(t, index)
    elif floor.states[index] != HELD:
        raise DoesNotFit(f"{entity} was set down at {t} s without having been held.")
    elif handling.what == "deliver" and handling.station in floor.layout.station_ids:
        floor.deliver(t, index, floor.layout.station_ids.index(handling.station))
    else:
        floor.drop(t, index, handling.cell)
