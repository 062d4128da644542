"""What must hold before a skill starts: rules over an argument and the simulated state, with remedies."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import ACTIVE, EntityRecord
from backend.domain.mission.regions import restricted_region
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Value, numbers
from backend.domain.plans.rules import Flaw, Rule, choose
from backend.domain.plans.signature import active_entities

Arguments = Mapping[str, Value]


class Simulated(Struct, frozen=True):
    """The robot as it would be at this point of the plan. `at`: the entity or station it went to last."""

    pose: Pose
    at: str | None
    held: str | None
    delivered: frozenset[str] = frozenset()


Precondition = Callable[[Arguments, Ground, Simulated], Flaw | None]


def active(name: str) -> Precondition:
    """The entity, if it is one, is still to be collected then (rule: target status)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        record = ground.records.get(_id(arguments, name))
        if record is None:
            return None
        entity = record.id
        if record.status in ACTIVE and entity != now.held and entity not in now.delivered:
            return None
        return _inactive(name, record, ground, now)

    return check


def empty_handed(name: str) -> Precondition:
    """One object at a time (rule: carrying capacity)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        if now.held is None or now.held == arguments.get(name):
            return None
        return Flaw(
            name,
            Rule.CARRYING_CAPACITY,
            f"The gripper holds {now.held} then, and takes one object.",
            f"Deliver {now.held} first.",
        )

    return check


def stands_at(name: str) -> Precondition:
    """The robot went there earlier in the plan, or stands there already (rule: precondition)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        goal = _id(arguments, name)
        if now.at == goal:
            return None
        place = place_of(goal, ground)
        if place is None or _is_near(ground.site.metric, now.pose, place):
            return None
        return Flaw(
            name,
            Rule.PRECONDITION,
            f"The robot has not gone to {goal} by then.",
            f"Navigate to {goal} before this step.",
        )

    return check


def holds(name: str) -> Precondition:
    """The object is in the gripper then (rule: precondition)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        wanted = arguments.get(name)
        if now.held == wanted:
            return None
        if now.held is None:
            message, remedy = (
                "Nothing is held then.",
                f"Navigate to, approach and grasp {wanted} before this step.",
            )
        else:
            message, remedy = f"{now.held} is held then, not {wanted}.", f"Deliver {now.held}."
        return Flaw(name, Rule.PRECONDITION, message, remedy)

    return check


def accepted(object_name: str, station_name: str) -> Precondition:
    """The object's class is assigned to that station (rule: object-station compatibility)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        record = ground.records.get(_id(arguments, object_name))
        if record is None:
            return None
        assigned = ground.assignments.get(record.cls)
        if assigned == arguments.get(station_name):
            return None
        if assigned is None:
            return Flaw(
                station_name,
                Rule.COMPATIBILITY,
                f"No station is assigned to class {record.cls}.",
                "Deliver something else, or have a station assigned.",
            )
        return Flaw(
            station_name,
            Rule.COMPATIBILITY,
            f"{record.id} is of class {record.cls}, which goes to {assigned}.",
            f"Choose {assigned}.",
        )

    return check


def permitted(name: str) -> Precondition:
    """The place lies in no restricted region (rule: restricted region)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        if not ground.site.regions:
            return None
        place = place_of(arguments.get(name), ground)
        region = restricted_region(ground.site, place.x_m, place.y_m) if place is not None else None
        if region is None:
            return None
        return Flaw(
            name,
            Rule.RESTRICTED_REGION,
            f"It lies in {region.name}, where the robot may not go.",
            "Choose a place outside it.",
        )

    return check


def free_cell(name: str) -> Precondition:
    """The cell, or the pose's cell, lies inside the map and nothing stands in it (rule: cell)."""

    def check(arguments: Arguments, ground: Ground, now: Simulated) -> Flaw | None:
        goal = arguments.get(name)
        grid = ground.site.map
        if isinstance(goal, Pose):
            x, y = float(round(goal.x_m / grid.cell_m)), float(round(goal.y_m / grid.cell_m))
        elif isinstance(goal, tuple) and len(numbers(goal)) == 2:
            x, y = numbers(goal)
        else:
            return None
        columns, rows = grid.columns, grid.rows
        if not (columns.start <= x < columns.stop and rows.start <= y < rows.stop):
            return Flaw(
                name,
                Rule.CELL,
                f"Cell ({x:g}, {y:g}) is outside the map.",
                f"Choose x from {columns.start} to {columns.stop - 1}"
                f" and y from {rows.start} to {rows.stop - 1}, in cells.",
            )
        if (x, y) in grid.occupied:
            return Flaw(name, Rule.CELL, f"Cell ({x:g}, {y:g}) is blocked.", "Choose a free cell beside it.")
        return None

    return check


def place_of(goal: Value | None, ground: Ground) -> Pose | None:
    """Where an entity is believed to be, a station stands or a cell's centre lies; None where unknown."""
    if isinstance(goal, str):
        record = ground.records.get(goal)
        if record is not None:
            return record.pose
        station = ground.site.station(goal)
        return None if station is None else station.pose
    if isinstance(goal, tuple) and len(numbers(goal)) == 2:
        size_m = ground.site.map.cell_m
        x, y = numbers(goal)
        return Pose(x * size_m, y * size_m, 0.0, ground.site.frame_id)
    return goal if isinstance(goal, Pose) else None


def _id(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    return value if isinstance(value, str) else ""


def _is_near(metric: Metric, robot: Pose, place: Pose) -> bool:
    """On a grid in the same cell; elsewhere within a characteristic length: a robot stops short of things."""
    reach_m = metric.tolerance_m if metric.kind == "manhattan" else max(metric.length_m, metric.tolerance_m)
    return metric.distance_m(robot, place) <= reach_m


def _inactive(name: str, record: EntityRecord, ground: Ground, now: Simulated) -> Flaw:
    entity = record.id
    if entity == now.held:
        message, remedy = (
            f"{entity} is in the gripper then.",
            "Leave the pick-up out and take it to its station.",
        )
    else:
        state = "delivered" if entity in now.delivered else record.status.value
        others = [other for other in active_entities(ground) if other not in (entity, now.held)]
        message = f"{entity} is {state} then, and no longer to be collected."
        remedy = choose(
            (other for other in others if other not in now.delivered), "Explore, or end the plan here."
        )
    return Flaw(name, Rule.TARGET_STATUS, message, remedy)
