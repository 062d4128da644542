"""What of a map does not move: the free floor, walls as few rectangles, regions."""

from __future__ import annotations

from functools import lru_cache

from backend.domain.digests import digest
from backend.domain.mission.site import GridMap, Site
from backend.web.pages.map import Ground, MapRegion, Point, Rect


@lru_cache(maxsize=64)
def ground_of(site: Site) -> Ground:
    """Cell (i, j) lies around (i · cell_m, j · cell_m). What a map does not call blocked is free."""
    grid = site.map
    floor = _rect(grid, 0, 0, grid.width, grid.height)
    return Ground(
        revision=f"{site.name}-{site.version}-{digest(site)[:8]}",
        bounds=floor,
        grid_m=grid.cell_m if grid.cell_m >= 0.5 else 1.0,
        free=(floor,),
        walls=_walls(grid),
        regions=tuple(
            MapRegion(
                name=region.name,
                polygon=tuple(Point(x_m, y_m) for x_m, y_m in region.polygon_m),
                is_restricted=region.restricted,
            )
            for region in site.regions
        ),
    )


def _walls(grid: GridMap) -> tuple[Rect, ...]:
    """Runs of blocked cells row by row; equal runs in neighbouring rows become one rectangle."""
    blocked = set(grid.occupied)
    open_runs: dict[tuple[int, int], int] = {}
    rects: list[Rect] = []
    for j in range(grid.height + 1):
        runs = set(_runs(blocked, grid.width, j)) if j < grid.height else set()
        for (i, length), start in list(open_runs.items()):
            if (i, length) not in runs:
                rects.append(_rect(grid, i, start, length, j - start))
                del open_runs[i, length]
        for run in runs:
            open_runs.setdefault(run, j)
    return tuple(sorted(rects, key=lambda rect: (rect.y_m, rect.x_m)))


def _runs(blocked: set[tuple[int, int]], width: int, j: int) -> list[tuple[int, int]]:
    """(first cell, length) of each run of blocked cells in row `j`."""
    runs: list[tuple[int, int]] = []
    for i in range(width):
        if (i, j) not in blocked:
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
