"""Where a step leads, copied from memory or the site and never from what a model wrote (section IV-D)."""

from __future__ import annotations

from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Step, numbers
from backend.domain.plans.skills import meaning_of


def goal_of(state: State, step: Step) -> Pose | None:
    """The believed place of the step's entity, station or cell; None for a step without a place."""
    place = meaning_of(step.skill).place_of(step)
    if isinstance(place, str):
        return place_of(state, place)
    if isinstance(place, tuple) and len(pair := numbers(place)) == 2:
        cell_m = state.site.map.cell_m
        return Pose(pair[0] * cell_m, pair[1] * cell_m, 0.0, state.site.frame_id)
    return place if isinstance(place, Pose) else None


def place_of(state: State, name: str) -> Pose | None:
    record = state.memory.records.get(name)
    if record is not None:
        return record.pose
    station = state.site.station(name)
    return station.pose if station is not None else None


def task_place(state: State) -> Pose:
    """The place of the active task: the held object's station,
    else the plan's target, else where the robot stands."""
    held = state.robot.held
    if held is not None and held in state.memory.records:
        station = state.site.station(state.assignments.get(state.memory.records[held].cls, ""))
        return station.pose if station is not None else state.robot.pose
    if state.plan is not None and state.plan.target in state.memory.records:
        return state.memory.records[str(state.plan.target)].pose
    return state.robot.pose


def ground_of(state: State, exposed: tuple[str, ...] | None) -> Ground:
    """What the validator checks a plan against. `exposed` None: every known entity may be named."""
    return Ground(
        catalogue=state.catalogue,
        site=state.site,
        records=state.memory.records,
        held=state.robot.held,
        assignments=state.assignments,
        exposed=None if exposed is None else frozenset(exposed),
        robot=state.robot.pose,
        arrived=state.robot.arrived,
    )
