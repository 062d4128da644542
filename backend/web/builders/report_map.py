"""The map of a report: one picture without scripts, in units of its own with y down."""

from __future__ import annotations

from collections.abc import Sequence

from backend.web.builders import words
from backend.web.pages.map import MapData, Point, Rect
from backend.web.pages.report import Outline, PlaceMark, ReportMap, Shape

WIDTH = 360.0
MOST_PLACES = 2_000
"""Places of the path that are drawn; of a longer one, every so many."""


def report_map(drawn: MapData, path: Sequence[tuple[float, float]]) -> ReportMap:
    bounds = drawn.ground.bounds
    unit = WIDTH / bounds.width_m if bounds.width_m > 0 else 1.0
    height = bounds.height_m * unit

    def at(x_m: float, y_m: float) -> tuple[float, float]:
        return round((x_m - bounds.x_m) * unit, 2), round(height - (y_m - bounds.y_m) * unit, 2)

    def shape(rect: Rect) -> Shape:
        x, y = at(rect.x_m, rect.y_m + rect.height_m)
        return Shape(x=x, y=y, width=round(rect.width_m * unit, 2), height=round(rect.height_m * unit, 2))

    def mark(point: Point, label: str, **more: object) -> PlaceMark:
        x, y = at(point.x_m, point.y_m)
        return PlaceMark(x=x, y=y, label=label, **more)  # type: ignore[arg-type]

    robot = next((each for each in drawn.robots if each.is_commanded), None)
    every = max(1, len(path) // MOST_PLACES)
    return ReportMap(
        width=WIDTH,
        height=round(height, 2),
        unit=round(unit, 3),
        mark=12.0,
        free=tuple(map(shape, drawn.ground.free)),
        walls=tuple(map(shape, drawn.ground.walls)),
        regions=tuple(
            Outline(
                points=" ".join("{},{}".format(*at(corner.x_m, corner.y_m)) for corner in region.polygon),
                label=region.name,
                x=at(region.polygon[0].x_m, region.polygon[0].y_m)[0],
                y=at(region.polygon[0].x_m, region.polygon[0].y_m)[1],
                is_restricted=region.is_restricted,
            )
            for region in drawn.ground.regions
            if region.polygon
        ),
        stations=tuple(
            mark(station.place, f"{station.label} {len(station.delivered)}") for station in drawn.stations
        ),
        entities=tuple(
            mark(entity.place, entity.id, shape=entity.shape)
            for entity in drawn.entities
            if entity.place is not None
        ),
        path=" ".join("{},{}".format(*at(x_m, y_m)) for x_m, y_m in path[::every]),
        robot=mark(robot.place, robot.label) if robot is not None else None,
        spoken=_spoken(drawn),
    )


def _spoken(drawn: MapData) -> str:
    left = sum(entity.place is not None for entity in drawn.entities)
    stations = words.counted(len(drawn.stations), "station")
    return (
        f"Map with {stations}, {words.counted(left, 'entity', 'entities')} on the floor and the robot's path"
    )
