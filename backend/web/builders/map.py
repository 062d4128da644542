"""The map of a moment: what is believed where, the stations, the robots, and the way that the plan takes."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.grounding import goal_of
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.plans import validity
from backend.usecases.reading import TelemetrySample
from backend.web.builders.entities import entities_of
from backend.web.builders.ground import ground_of
from backend.web.builders.links import STALE_S
from backend.web.builders.memory import k_of
from backend.web.builders.moment import Moment, waits_for_approval
from backend.web.builders.readings import readings_of
from backend.web.pages import figures
from backend.web.pages.map import (
    Card,
    CardRow,
    Layer,
    MapData,
    MapRobot,
    MapShell,
    MapStation,
    Point,
    Route,
    Waypoint,
)

TRAIL = 120
"""Places of the trail: about the last two minutes of a robot that moves each second."""


def map_shell(moment: Moment) -> MapShell:
    state = moment.state
    grid = state.site.map
    age_s = moment.now.ages_s.get(f"robot:{state.robot.name}") if moment.is_live else None
    return MapShell(
        episode=moment.episode,
        at=moment.at,
        seq=state.seq,
        note=f"{state.site.name}, {grid.cell_m:g} m grid",
        frame=state.site.frame_id,
        layers=(
            *((Layer(name="regions", label="Regions"),) if state.site.regions else ()),
            Layer(name="trail", label="Trail"),
            Layer(name="route", label="Route"),
            Layer(name="doubt", label="Doubt"),
        ),
        k=k_of(state),
        robot=state.robot.name.capitalize(),
        robot_key=state.robot.name,
        readings=readings_of(state, moment.readings),
        stale=f"{figures.age(age_s)} old" if age_s is not None and age_s >= STALE_S else "",
    )


def map_data(
    moment: Moment, cause: validity.Cause | None, samples: Sequence[TelemetrySample] = ()
) -> MapData:
    """`cause`: why there is the current plan. `samples`: the newest of each robot by the cursor's time, if
    any."""
    state = moment.state
    return MapData(
        seq=state.seq,
        met_s=state.met_s,
        ground=ground_of(state.site),
        stations=tuple(_station(state, station.id, station.pose) for station in state.site.stations),
        entities=entities_of(state, cause),
        robots=_robots(state, samples),
        route=_route(state, asks=moment.is_live and waits_for_approval(state)),
    )


def _station(state: State, station_id: str, pose: Pose) -> MapStation:
    delivered = tuple(entity for entity, station in state.delivered.items() if station == station_id)
    label = station_id.removeprefix("station_").replace("_", " ").capitalize()
    takes = [cls for cls, station in state.assignments.items() if station == station_id]
    return MapStation(
        id=station_id,
        label=label,
        place=Point(pose.x_m, pose.y_m),
        delivered=delivered,
        spoken=f"{label} station, {len(delivered)} delivered",
        card=Card(
            title=station_id,
            word="Station",
            rows=(
                CardRow(label="Takes", text=", ".join(takes) or "not settled yet"),
                CardRow(label="Delivered", text=str(len(delivered))),
            ),
            note=", ".join(delivered),
        ),
    )


def _robots(state: State, samples: Sequence[TelemetrySample]) -> tuple[MapRobot, ...]:
    own = state.robot.name
    newest = {sample.robot: sample for sample in samples}
    mine = newest.get(own)
    last_s = state.log[-1].met_s if state.log else 0.0
    place = Point(state.robot.pose.x_m, state.robot.pose.y_m)
    if mine is not None and mine.met_s >= last_s:
        place = Point(mine.x_m, mine.y_m)
    others = tuple(_other(sample, state) for sample in newest.values() if sample.robot != own)
    return (
        MapRobot(
            id=own,
            label=own.capitalize(),
            kind="ground",
            place=place,
            yaw_rad=None if state.site.metric.kind == "manhattan" else state.robot.pose.yaw_rad,
            trail=(*_trail(state), place),
            spoken=f"{own.capitalize()} at {figures.place(place.x_m, place.y_m)}, "
            f"holding {state.robot.held or 'nothing'}",
        ),
        *others,
    )


def _other(sample: TelemetrySample, state: State) -> MapRobot:
    return MapRobot(
        id=sample.robot,
        label=sample.robot.capitalize(),
        kind="aerial" if "drone" in sample.robot else "ground",
        place=Point(sample.x_m, sample.y_m),
        yaw_rad=None,
        trail=(),
        spoken=f"{sample.robot.capitalize()} at {figures.place(sample.x_m, sample.y_m)}",
        is_commanded=False,
        is_stale=state.met_s - sample.met_s >= STALE_S,
    )


def _trail(state: State) -> tuple[Point, ...]:
    """Where it was, from what was measured after each action."""
    places: list[Point] = []
    for line in reversed(state.log):
        places[:0] = [Point(x_m, y_m) for x_m, y_m in line.measured.path_m]
        if len(places) >= TRAIL:
            break
    return tuple(places[-TRAIL:])


def _route(state: State, *, asks: bool) -> Route | None:
    """From place to place, straight or, on a grid, along its rows: how the robot goes is its own business."""
    plan = state.plan
    if plan is None or state.ending is not None:
        return None
    here = Point(state.robot.pose.x_m, state.robot.pose.y_m)
    is_gridded = state.site.metric.kind == "manhattan"
    legs: list[tuple[Point, ...]] = []
    stops: list[tuple[Point, list[int]]] = []
    for index in range(state.cursor, len(plan.steps)):
        goal = goal_of(state, plan.steps[index])
        place = Point(goal.x_m, goal.y_m) if goal is not None else here
        if place != here:
            corner = Point(place.x_m, here.y_m)
            turns = is_gridded and corner not in (here, place)
            legs.append((here, corner, place) if turns else (here, place))
            here = place
        if stops and stops[-1][0] == place:
            stops[-1][1].append(index + 1)
        else:
            stops.append((place, [index + 1]))
    waypoints = tuple(Waypoint(place=place, label=_label(numbers)) for place, numbers in stops)
    return Route(legs=tuple(legs), waypoints=waypoints, asks=asks)


def _label(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
