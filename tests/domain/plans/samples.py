"""A small recycling site with the mobile skills, for tests of schema, decoding and validation."""

from collections.abc import Mapping
from typing import Any

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import EntityRecord, Source, Status
from backend.domain.mission.site import GridMap, Region, Site, Station
from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue, Skill
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Step, Value, Watch


def takes(name: str, *types: ArgumentType, required: bool = True) -> Argument:
    return Argument(name=name, types=types, required=required)


MOBILE = Catalogue(
    skills=(
        Skill(
            name="navigate",
            description="Go to a place.",
            arguments=(
                takes("to", ArgumentType.ENTITY, ArgumentType.STATION, ArgumentType.CELL, ArgumentType.POSE),
            ),
        ),
        Skill(
            name="approach", description="Face the target.", arguments=(takes("target", ArgumentType.ENTITY),)
        ),
        Skill(
            name="grasp",
            description="Pick the target up.",
            arguments=(takes("target", ArgumentType.ENTITY),),
            may_watch=True,
        ),
        Skill(
            name="deliver",
            description="Put the held object down at its station.",
            arguments=(takes("object", ArgumentType.ENTITY), takes("station", ArgumentType.STATION)),
            may_watch=True,
        ),
        Skill(
            name="verify",
            description="Look at the believed place.",
            arguments=(takes("target", ArgumentType.ENTITY),),
        ),
        Skill(name="explore", description="Search a cell.", arguments=(takes("cell", ArgumentType.CELL),)),
    ),
    cameras=("front",),
)

SITE = Site(
    name="hall",
    map=GridMap(width=8, height=8, cell_m=1.0, occupied=((3, 3),)),
    metric=Metric("manhattan", 1.0, 0.0),
    stations=(
        Station(id="station_metal", pose=Pose(0, 0), accepts=("metal",)),
        Station(id="station_plastic", pose=Pose(7, 7), accepts=("plastic",)),
    ),
    regions=(Region(name="the kitchen", polygon_m=((5, 0), (7, 0), (7, 1), (5, 1)), restricted=True),),
)


def record(
    entity: str, x: float, y: float, cls: str = "metal", status: Status = Status.OBSERVED
) -> EntityRecord:
    return EntityRecord(
        id=entity,
        cls=cls,
        pose=Pose(x, y),
        confidence=0.9,
        status=status,
        stamp_s=0.0,
        source=Source.INITIAL,
        order=0,
        class_seq=1,
        pose_seq=1,
        status_seq=1,
        belief_seq=1,
    )


RECORDS = {
    known.id: known
    for known in (
        record("can_1", 2, 2),
        record("can_2", 4, 5, status=Status.RECONSIDER),
        record("bottle_1", 6, 6, "plastic"),
        record("jar_1", 1, 5, "glass"),
        record("can_done", 0, 0, status=Status.DELIVERED),
        record("can_lost", 2, 6, status=Status.LOST),
        record("can_kitchen", 6, 0),
    )
}


def ground(**changes: Any) -> Ground:
    usual = {
        "catalogue": MOBILE,
        "site": SITE,
        "records": RECORDS,
        "held": None,
        "assignments": {"metal": "station_metal", "plastic": "station_plastic"},
        "exposed": None,
        "robot": Pose(7, 0),
    }
    return Ground(**(usual | changes))


def step(skill: str, watch: Watch | None = None, **arguments: Value) -> Step:
    return Step(skill, arguments, watch)


def collection(entity: str, station: str) -> tuple[Step, ...]:
    """The five steps that bring one container home."""
    return (
        step("navigate", to=entity),
        step("approach", target=entity),
        step("grasp", target=entity),
        step("navigate", to=station),
        step("deliver", object=entity, station=station),
    )


def written(steps: tuple[Step, ...], catalogue: Catalogue = MOBILE) -> dict[str, Any]:
    """A reply that holds these steps, as a model would write it."""
    return {
        "rationale": "Nearest first.",
        "note": "",
        "steps": [
            {
                "skill": each.skill,
                "arguments": _written_arguments(each, catalogue),
                "watch": None if each.watch is None else _written_watch(each.watch),
            }
            for each in steps
        ],
    }


def _written_arguments(each: Step, catalogue: Catalogue) -> Mapping[str, Any]:
    skill = catalogue.skill(each.skill)
    declared = skill.arguments if skill is not None else ()
    absent = {argument.name: None for argument in declared if argument.types != (ArgumentType.WATCH,)}
    return absent | {name: _written_value(each.skill, name, each, catalogue) for name in each.arguments}


def _written_value(skill: str, name: str, each: Step, catalogue: Catalogue) -> Any:
    value = each.arguments[name]
    if isinstance(value, Pose):
        return {"x_m": value.x_m, "y_m": value.y_m, "yaw_rad": value.yaw_rad, "frame_id": value.frame_id}
    if not isinstance(value, tuple):
        return value
    declared = catalogue.skill(skill)
    argument = declared.argument(name) if declared is not None else None
    if argument is not None and ArgumentType.CELL in argument.types:
        return {"x": int(value[0]), "y": int(value[1])}
    return {"x_px": value[0], "y_px": value[1]}


def _written_watch(watch: Watch) -> dict[str, Any]:
    if watch.points == "all":
        return {"camera": watch.camera, "points": "all"}
    return {"camera": watch.camera, "points": [{"x_px": x, "y_px": y} for x, y in watch.points]}
