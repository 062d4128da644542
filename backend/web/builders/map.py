"""The map of a moment: what is believed where, the stations, the robots, and the way that the plan takes."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.grounding import goal_of
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import Source
from backend.domain.mission.floor import Floor
from backend.domain.plans import validity
from backend.domain.plans.plan import Plan
from backend.usecases.reading import TelemetrySample
from backend.web.builders import words
from backend.web.builders.entities import entities_of
from backend.web.builders.ground import floored, ground_of
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
        note=f"{state.site.name}, {grid.cell_m:g} m grid" + (", surveyed floor" if floor_of(state) else ""),
        frame=state.site.frame_id,
        layers=(
            *((Layer(name="floor", label="Floor"),) if floor_of(state) is not None else ()),
            *((Layer(name="regions", label="Regions"),) if state.site.regions else ()),
            Layer(name="trail", label="Trail"),
            Layer(name="route", label="Route"),
            Layer(name="doubt", label="Doubt"),
            Layer(name="watch", label="Watched"),
            Layer(name="names", label="Names"),
        ),
        k=k_of(state),
        robot=state.robot.name.capitalize(),
        robot_key=state.robot.name,
        readings=readings_of(state, moment.readings),
        quiet=_quiet(moment),
        stale=f"{figures.age(age_s)} old" if age_s is not None and age_s >= STALE_S else "",
    )


def _quiet(moment: Moment) -> str:
    """Why beliefs age although the robot is heard. A simulated drone flies as long as its tape lasts."""
    if moment.state.ending is not None or not any(
        record.source is Source.AERIAL for record in moment.state.memory.records.values()
    ):
        return ""
    why = (
        ""
        if moment.state.mission.world.name == "ros"
        else " A simulated drone is silent from the end of its tape on."
    )
    return f"The drone no longer reports, so what it saw grows old.{why}"


def map_data(
    moment: Moment, cause: validity.Cause | None, samples: Sequence[TelemetrySample] = ()
) -> MapData:
    """`cause`: why there is the current plan. `samples`: where robots were since the last measurement, up to
    the cursor's time, in order."""
    state = moment.state
    return MapData(
        seq=state.seq,
        met_s=state.met_s,
        ground=floored(ground_of(state.site), floor_of(state), "episodes", moment.episode),
        stations=tuple(_station(state, station.id, station.pose) for station in state.site.stations),
        entities=entities_of(state, cause),
        robots=_robots(state, samples),
        route=_route(state, asks=moment.is_live and waits_for_approval(state)),
        turns_square=state.site.metric.kind == "manhattan",
    )


def floor_of(state: State) -> Floor | None:
    """What people surveyed, where they did."""
    return state.mission.site.floor if state.mission.site is not None else None


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
    last_s = state.log[-1].met_s if state.log else 0.0
    since = [sample for sample in samples if sample.robot == own and sample.met_s >= last_s]
    way = [*_trail(state), *(Point(sample.x_m, sample.y_m) for sample in since)]
    place = way[-1] if since else Point(state.robot.pose.x_m, state.robot.pose.y_m)
    others = dict.fromkeys(sample.robot for sample in samples if sample.robot != own)
    return (
        MapRobot(
            id=own,
            label=own.capitalize(),
            kind="ground",
            place=place,
            yaw_rad=None if state.site.metric.kind == "manhattan" else _heading(state, since),
            trail=joined([*way, place][-TRAIL:], turns_square=state.site.metric.kind == "manhattan"),
            spoken=f"{own.capitalize()} at {figures.place(place.x_m, place.y_m)}, "
            f"holding {state.robot.held or 'nothing'}",
        ),
        *(_other([sample for sample in samples if sample.robot == name], state) for name in others),
    )


def _heading(state: State, since: Sequence[TelemetrySample]) -> float:
    return since[-1].yaw_rad if since else state.robot.pose.yaw_rad


def joined(places: Sequence[Point], *, turns_square: bool) -> tuple[Point, ...]:
    """Places in order, without repeats. Samples leave some out: between two that share neither row nor column
    a robot on a grid went round a corner, and is drawn so, straight on before it turns."""
    way: list[Point] = []
    for place in places:
        if not way:
            way.append(place)
            continue
        last = way[-1]
        if place == last:
            continue
        if turns_square and place.x_m != last.x_m and place.y_m != last.y_m:
            went_along_x = len(way) < 2 or way[-2].y_m == last.y_m
            way.append(Point(place.x_m, last.y_m) if went_along_x else Point(last.x_m, place.y_m))
        way.append(place)
    return tuple(way)


def _other(samples: Sequence[TelemetrySample], state: State) -> MapRobot:
    newest = samples[-1]
    place = Point(newest.x_m, newest.y_m)
    is_aerial = "drone" in newest.robot
    return MapRobot(
        id=newest.robot,
        label=newest.robot.capitalize(),
        kind="aerial" if is_aerial else "ground",
        place=place,
        yaw_rad=None,
        trail=joined([Point(each.x_m, each.y_m) for each in samples][-TRAIL:], turns_square=False),
        spoken=f"{newest.robot.capitalize()} at {figures.place(place.x_m, place.y_m)}",
        is_commanded=False,
        is_stale=state.met_s - newest.met_s >= STALE_S,
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
    waypoints = tuple(
        Waypoint(place=place, label=_label(numbers), watched=_watched(plan, numbers))
        for place, numbers in stops
    )
    return Route(legs=tuple(legs), waypoints=waypoints, asks=asks)


def _label(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def _watched(plan: Plan, numbers: Sequence[int]) -> str:
    """Of these steps, by number from 1, those whose frames are watched."""
    watched = [number for number in numbers if plan.steps[number - 1].watch is not None]
    if not watched:
        return ""
    return f"Frames of {'step' if len(watched) == 1 else 'steps'} {words.span(watched)} are watched"
