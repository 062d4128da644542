"""The site's map while an episode runs: a robot that maps as it drives tells of walls as it finds them.

Validator, policies and console go by the newest. An approval falls only by what concerns its plan: a cell
that it names, or the place of a station it goes to, was blocked or freed. Where something is to be collected
none falls: it stands in the map itself, as soon as the robot is near enough to see it.
"""

from __future__ import annotations

from backend.domain.command.approval import OPEN
from backend.domain.decide.turn import Turn
from backend.domain.decide.validity import drop_plan
from backend.domain.episode.events import ApprovalSuperseded, SiteMapped
from backend.domain.episode.grounding import goal_of, ground_of
from backend.domain.episode.state import State
from backend.domain.mission.site import GridMap, changed_cells
from backend.domain.plans.rules import Rule
from backend.domain.plans.skills import meaning_of
from backend.domain.plans.validator import validate
from backend.domain.plans.validity import Cause


def take_map(turn: Turn, grid: GridMap) -> None:
    """Nothing is written where no cell changed, nor of a map in other cells than the site's."""
    state = turn.state
    known = state.site.map
    cells = changed_cells(known, grid) if grid.cell_m == known.cell_m else 0
    if not cells:
        return
    concern = _concern(state, grid)
    version = state.site.version + bool(concern)
    turn.emit("robot", SiteMapped(map=grid, cells=cells, version=version))
    if concern:
        _take_back(turn, concern)


def _concern(state: State, grid: GridMap) -> str:
    """One of the plan's places that was blocked, or else freed, in words; empty where none was."""
    if state.plan is None:
        return ""
    known, freed = state.site.map, ""
    for index, step in enumerate(state.plan.steps[state.cursor :], state.cursor + 1):
        name, goal = meaning_of(step.skill).place_of(step), goal_of(state, step)
        if goal is None or (isinstance(name, str) and name in state.memory.records):
            continue
        cell = round(goal.x_m / grid.cell_m), round(goal.y_m / grid.cell_m)
        if grid.is_free(cell) != known.is_free(cell):
            where = name if isinstance(name, str) else f"cell ({cell[0]}, {cell[1]})"
            told = f"The map changed: {where}, where step {index} goes, is"
            if not grid.is_free(cell):
                return f"{told} blocked now"
            freed = freed or f"{told} free now"
    return freed


def _take_back(turn: Turn, concern: str) -> None:
    """The plan too, where it goes to a cell that it may not go to any more."""
    state = turn.state
    assert state.plan is not None
    findings = validate(state.plan.steps[state.cursor :], ground_of(state, None))
    if any(finding.rule == Rule.CELL for finding in findings):
        drop_plan(turn, Cause(kind="refused", message=concern))
    elif state.approval is not None and state.approval.status in OPEN:
        cause = Cause(kind="lapsed", message=concern)
        turn.emit("system", ApprovalSuperseded(approval_id=state.approval.id, cause=cause))
