"""The live map: its shell, and the JSON that its island draws.

The island computes no meaning: what a mark says is here.

`GET /episodes/{episode}/map.json[?at=SEQ]` answers with a `MapData`, the state at the cursor. Lengths are
metres in the site's frame, x to the right and y up; angles are radians, counter-clockwise from x; times are
mission seconds (met_s). Between two answers only robots move, by the live socket's telemetry.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.view import View

EntityShape = Literal[
    "observed", "assigned", "grasped", "delivered", "reconsider", "lost", "unsupported", "removed"
]  # fmt: skip


class Rect(Struct, frozen=True, array_like=True):
    """Corner of least x and y, width, height."""

    x_m: float
    y_m: float
    width_m: float
    height_m: float


class Point(Struct, frozen=True, array_like=True):
    x_m: float
    y_m: float


class FloorPicture(Struct, frozen=True, kw_only=True):
    """A surveyed floor as two pictures of its size: white where cells are `known`, and where `occupied`.

    `place` and `yaw_rad`: the pose of its lower left corner; the pictures' first row is the farthest up.
    """

    occupied: str
    known: str
    place: Point
    yaw_rad: float
    width_m: float
    height_m: float


class Ground(Struct, frozen=True, kw_only=True):
    """What does not move. `free` and `walls` as rectangles (runs of cells); what is neither is unknown.
    `floor`: a finer map, surveyed by people, drawn over both where it knows more.

    `bounds`: what is shown at first, with a margin. `grid_m`: spacing of the drawn grid. `revision` changes
    when anything here does.
    """

    revision: str
    bounds: Rect
    grid_m: float
    free: tuple[Rect, ...]
    walls: tuple[Rect, ...] = ()
    regions: tuple[MapRegion, ...] = ()
    floor: FloorPicture | None = None


class MapRegion(Struct, frozen=True, kw_only=True):
    name: str
    polygon: tuple[Point, ...]
    is_restricted: bool = False


class CardRow(Struct, frozen=True, kw_only=True):
    """A line of the card.

    `share` draws a bar; `since_met_s` makes the age in `text` tick ("{age} ago, drone").
    """

    label: str
    text: str
    share: float | None = None
    since_met_s: float | None = None


class Card(Struct, frozen=True, kw_only=True):
    """What is told on hover or focus."""

    title: str
    word: str
    rows: tuple[CardRow, ...]
    note: str = ""


class MapEntity(Struct, frozen=True, kw_only=True):
    """A believed entity.

    `doubt` (0 to 1, 1 − q) is its halo; `seen_met_s` fades it with age; `in_k`: the planner sees it.

    `place` None: it is held or delivered and drawn with the robot or the station. `was`: where it was
    believed before the change that caused the current plan, with `moved` in words. `spoken` is read to who
    cannot see the mark. `cls`: its class, drawn as a small shape before the name. `note` stands under the
    name; `note_since_met_s` makes the age in it tick ("lost {age} ago").
    """

    id: str
    shape: EntityShape
    place: Point | None
    doubt: float
    seen_met_s: float
    in_k: bool
    is_target: bool
    note: str
    spoken: str
    card: Card
    was: Point | None = None
    moved: str = ""
    note_since_met_s: float | None = None
    cls: str = ""


class MapStation(Struct, frozen=True, kw_only=True):
    id: str
    label: str
    place: Point
    delivered: tuple[str, ...]
    spoken: str
    card: Card


class MapRobot(Struct, frozen=True, kw_only=True):
    """`yaw_rad` None: no heading is known.

    `trail`: where it was, oldest first. `is_commanded`: this episode's robot.
    """

    id: str
    label: str
    kind: Literal["ground", "aerial"]
    place: Point
    yaw_rad: float | None
    trail: tuple[Point, ...]
    spoken: str
    is_commanded: bool = True
    is_stale: bool = False
    footprint_m: float | None = None


class Waypoint(Struct, frozen=True, kw_only=True):
    """`label`: the steps that happen here, "2–3". `watched`: those of them whose frames are watched, in
    words."""

    place: Point
    label: str
    watched: str = ""


class Route(Struct, frozen=True, kw_only=True):
    """The plan's way: the first leg drawn solid, the rest dashed. `asks`: it waits for approval (blue)."""

    legs: tuple[tuple[Point, ...], ...]
    waypoints: tuple[Waypoint, ...]
    asks: bool


class MapData(Struct, frozen=True, kw_only=True):
    """`unit_m`, `unit`: what the scale bar counts in ("m", or "cells"). `turns_square`: robots go along the
    grid's rows, so that no trail cuts a corner."""

    seq: int
    met_s: float
    ground: Ground
    stations: tuple[MapStation, ...]
    entities: tuple[MapEntity, ...]
    robots: tuple[MapRobot, ...]
    route: Route | None
    unit: str = "m"
    unit_m: float = 1.0
    turns_square: bool = False


class Layer(Struct, frozen=True, kw_only=True):
    """A layer that can be switched off; what is off is remembered by the browser."""

    name: Literal["floor", "regions", "trail", "route", "doubt", "watch", "names"]
    label: str
    is_on: bool = True


class Reading(Struct, frozen=True, kw_only=True):
    """`key`: what telemetry calls it: `doing`, `pose`, `heading`, `speed`, `gripper`, `battery`; where the
    bridge measures an arm, `fingers` and `touch` too, `progress` where the skill says how far it is, and
    `trouble` where it says what is wrong.
    """

    key: str
    label: str
    text: str


class MapShell(View, frozen=True, kw_only=True):
    """`note`: site, grid and frame. `k`: how many records the planner sees, 0 where there is no such line.

    `stale`: how old the readings are, empty while they are fresh. `quiet`: what it means when a source
    other than the robot falls silent; empty where there is none.
    """

    template = "episode/_map.html"
    variable = "map"

    episode: str
    at: int | None
    seq: int
    note: str
    frame: str
    layers: tuple[Layer, ...]
    k: int
    robot: str
    robot_key: str
    readings: tuple[Reading, ...]
    stale: str = ""
    quiet: str = ""
