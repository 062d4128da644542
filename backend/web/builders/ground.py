"""What of a map does not move: the free floor, walls as few rectangles, a surveyed floor, regions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from backend.domain.digests import digest
from backend.domain.mission.floor import Floor, corners_m
from backend.domain.mission.site import GridMap, Region, Site
from backend.domain.mission.survey import Survey
from backend.web.pages.environment import url
from backend.web.pages.map import FloorPicture, Ground, MapRegion, Point, Rect

EMPTY_M = 10.0
"""The side of what is shown of a site of which nothing is drawn."""


@lru_cache(maxsize=64)
def ground_of(site: Site) -> Ground:
    """Cell (i, j) lies around (i · cell_m, j · cell_m). What is neither blocked nor unknown is free."""
    grid = site.map
    floor = _rect(grid, grid.columns.start, grid.rows.start, grid.width, grid.height)
    unseen = set(grid.unknown)
    known = {(i, j) for i in grid.columns for j in grid.rows} - unseen if unseen else set()
    return Ground(
        revision=f"{site.name}-{site.version}-{digest(site)[:8]}",
        bounds=floor,
        grid_m=grid.cell_m if grid.cell_m >= 0.5 else 1.0,
        free=_rects(grid, known) if unseen else (floor,),
        walls=_rects(grid, set(grid.occupied)),
        regions=tuple(_region(region) for region in site.regions),
    )


def floored(ground: Ground, floor: Floor | None, *address: str) -> Ground:
    """The ground with the surveyed floor over it, whose pictures lie below `address`."""
    if floor is None:
        return ground
    revision = floor_revision(floor)
    return replace(
        ground,
        revision=f"{ground.revision}-{revision}",
        bounds=_around(ground.bounds, corners_m(floor)),
        floor=FloorPicture(
            occupied=url(*address, "floor", "occupied.png", of=revision),
            known=url(*address, "floor", "known.png", of=revision),
            place=Point(floor.x_m, floor.y_m),
            yaw_rad=floor.yaw_rad,
            width_m=_tidy(floor.width * floor.cell_m),
            height_m=_tidy(floor.height * floor.cell_m),
        ),
    )


def site_ground(survey: Survey, version: int) -> Ground:
    """Of a site by itself, with no robot's map below it."""
    places = [corner for region in survey.regions for corner in region.polygon_m]
    places += [(station.pose.x_m, station.pose.y_m) for station in survey.stations]
    places += corners_m(survey.floor) if survey.floor is not None else ()
    start = Rect(places[0][0], places[0][1], 0.0, 0.0) if places else Rect(0.0, 0.0, EMPTY_M, EMPTY_M)
    bounds = _around(start, places)
    margin_m = 0.0 if survey.floor is not None else max(1.0, 0.1 * max(bounds.width_m, bounds.height_m))
    bounds = Rect(
        _tidy(bounds.x_m - margin_m),
        _tidy(bounds.y_m - margin_m),
        _tidy(bounds.width_m + 2 * margin_m),
        _tidy(bounds.height_m + 2 * margin_m),
    )
    bare = Ground(
        revision=f"{survey.name}-{version}", bounds=bounds, grid_m=1.0, free=() if survey.floor else (bounds,)
    )
    return floored(bare, survey.floor, "sites", survey.name)


@lru_cache(maxsize=64)
def floor_revision(floor: Floor) -> str:
    return digest(floor)[:12]


def _around(rect: Rect, places: Sequence[tuple[float, float]]) -> Rect:
    """The least rectangle that holds it and the places."""
    xs = [rect.x_m, rect.x_m + rect.width_m, *(x_m for x_m, _ in places)]
    ys = [rect.y_m, rect.y_m + rect.height_m, *(y_m for _, y_m in places)]
    return Rect(_tidy(min(xs)), _tidy(min(ys)), _tidy(max(xs) - min(xs)), _tidy(max(ys) - min(ys)))


def _region(region: Region) -> MapRegion:
    return MapRegion(
        name=region.name,
        polygon=tuple(Point(x_m, y_m) for x_m, y_m in region.polygon_m),
        is_restricted=region.restricted,
    )


def _rects(grid: GridMap, cells: set[tuple[int, int]]) -> tuple[Rect, ...]:
    """Runs of cells row by row; equal runs in neighbouring rows become one rectangle."""
    open_runs: dict[tuple[int, int], int] = {}
    rects: list[Rect] = []
    for j in (*grid.rows, grid.rows.stop):
        runs = set(_runs(cells, grid.columns, j)) if j in grid.rows else set()
        for (i, length), start in list(open_runs.items()):
            if (i, length) not in runs:
                rects.append(_rect(grid, i, start, length, j - start))
                del open_runs[i, length]
        for run in runs:
            open_runs.setdefault(run, j)
    return tuple(sorted(rects, key=lambda rect: (rect.y_m, rect.x_m)))


def _runs(cells: set[tuple[int, int]], columns: range, j: int) -> list[tuple[int, int]]:
    """(first cell, length) of each run of them in row `j`."""
    runs: list[tuple[int, int]] = []
    for i in columns:
        if (i, j) not in cells:
            continue
        if runs and sum(runs[-1]) == i:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((i, 1))
    return runs


def _rect(grid: GridMap, i: int, j: int, width: int, height: int) -> Rect:
    cell_m = grid.cell_m
    corner_x_m, corner_y_m = (i - 0.5) * cell_m, (j - 0.5) * cell_m
    return Rect(_tidy(corner_x_m), _tidy(corner_y_m), _tidy(width * cell_m), _tidy(height * cell_m))


def _tidy(length_m: float) -> float:
    return round(length_m, 4)
