"""Static memory M^s: the site's map, stations, regions and rules,
versioned and apart from what changes (section IV-B)."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backend.domain.geometry import Metric, Pose


class Station(Struct, frozen=True, kw_only=True):
    """A collection station. `accepts` lists the classes it takes;
    empty where assignment happens at the reveal."""

    id: str
    pose: Pose
    accepts: tuple[str, ...] = ()


class Region(Struct, frozen=True, kw_only=True):
    """A named polygon, vertices in metres in the site's frame."""

    name: str
    polygon_m: tuple[tuple[float, float], ...]
    restricted: bool = False


class GridMap(Struct, frozen=True, kw_only=True):
    """An occupancy grid. Cell (i, j) covers cell_m square around (i·cell_m, j·cell_m);
    `occupied` lists blocked cells, `unknown` those that nobody has looked at: they are shown so, and free.
    `first`: the lowest column and row, which may be negative; left out, in writing too, where both are 0."""

    width: int
    height: int
    cell_m: float
    occupied: tuple[tuple[int, int], ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()
    first: tuple[int, int] | UnsetType = UNSET

    @property
    def columns(self) -> range:
        i = 0 if self.first is UNSET else self.first[0]
        return range(i, i + self.width)

    @property
    def rows(self) -> range:
        j = 0 if self.first is UNSET else self.first[1]
        return range(j, j + self.height)

    def holds(self, cell: tuple[int, int]) -> bool:
        return cell[0] in self.columns and cell[1] in self.rows

    def is_free(self, cell: tuple[int, int]) -> bool:
        """Inside, and nothing known to stand there."""
        return self.holds(cell) and cell not in self.occupied


def changed_cells(one: GridMap, other: GridMap) -> int:
    """How many cells, of one size, are blocked, unknown, free or outside in one and not so in the other."""
    across, along = _shared(one.columns, other.columns), _shared(one.rows, other.rows)
    outside = one.width * one.height + other.width * other.height - 2 * across * along
    differs = {*set(one.occupied) ^ set(other.occupied), *set(one.unknown) ^ set(other.unknown)}
    return outside + sum(one.holds(cell) and other.holds(cell) for cell in differs)


def _shared(one: range, other: range) -> int:
    return max(0, min(one.stop, other.stop) - max(one.start, other.start))


class Site(Struct, frozen=True, kw_only=True):
    """`survey`: the name of what people laid over it, whose version this is then; empty for the bridge's own.
    `assignment`: `fixed` by each station's `accepts`, or `at_reveal`:
    a class goes to the nearest station still free. `takes_stations`: the robot goes by the places it is
    sent, so that people may set and move stations."""

    name: str
    frame_id: str = "map"
    map: GridMap
    metric: Metric
    stations: tuple[Station, ...]
    regions: tuple[Region, ...] = ()
    assignment: Literal["fixed", "at_reveal"] = "fixed"
    rules: tuple[str, ...] = ()
    version: int = 1
    survey: str = ""
    takes_stations: bool = False

    def station(self, station_id: str) -> Station | None:
        for station in self.stations:
            if station.id == station_id:
                return station
        return None
