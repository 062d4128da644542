"""The arena as a MuJoCo model: the robot's file, and around it walls, obstacles, bins and containers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import mujoco

from robot_bridge.arena.scenarios import CELL_M, LEAST_M, MOST_M, STATION_CELLS, Cell, Spot, spot_of

ROBOT_FILE = Path(__file__).with_name("robot.xml")

WALL_M, WALL_HEIGHT_M = 0.05, 0.30
OBSTACLE_HEIGHT_M = 0.15
BIN_HALF_M, BIN_WALL_M, BIN_HEIGHT_M = 0.12, 0.005, 0.10
HEIGHT_M = 0.12
"""Of a container."""

COLOURS = {"bottle": "0.15 0.48 0.75 1", "can": "0.77 0.24 0.19 1"}
BIN_COLOURS = ("0.47 0.59 0.73 1", "0.66 0.59 0.46 1")
WALL_COLOUR, OBSTACLE_COLOUR = "0.55 0.53 0.50 1", "0.36 0.35 0.33 1"

# Cylinders both, of nearly one size: what differs between the kinds is where they belong.
RADII_M = {"bottle": 0.030, "can": 0.033}

OVERHEAD = "overhead"
OVERHEAD_SPAN_M = MOST_M - LEAST_M + 2 * WALL_M


def compile_scene(
    obstacles: Sequence[Cell], ids: Sequence[str], classes: Sequence[str], spots: Sequence[Spot], start: Spot
) -> mujoco.MjModel:
    """Each container is a free body of its id's name; the robot stands at `start`, heading along x."""
    spec = mujoco.MjSpec.from_file(str(ROBOT_FILE))
    spec.body("rover").pos = [*start, 0.04]
    _walls(spec)
    for number, cell in enumerate(obstacles):
        half_m = CELL_M / 2
        _box(spec, f"obstacle_{number}", spot_of(cell), (half_m, half_m), OBSTACLE_HEIGHT_M, OBSTACLE_COLOUR)
    for cell, colour in zip(STATION_CELLS, BIN_COLOURS, strict=True):
        _bin(spec, spot_of(cell), colour)
    for name, cls, spot in zip(ids, classes, spots, strict=True):
        _container(spec, name, cls, spot)
    middle_m = (LEAST_M + MOST_M) / 2
    spec.worldbody.add_camera(
        name=OVERHEAD,
        pos=[middle_m, middle_m, 3.0],
        proj=mujoco.mjtProjection.mjPROJ_ORTHOGRAPHIC,
        fovy=OVERHEAD_SPAN_M,
    )
    return spec.compile()


def _walls(spec: mujoco.MjSpec) -> None:
    half_m, middle_m = (MOST_M - LEAST_M) / 2 + WALL_M, (LEAST_M + MOST_M) / 2
    for number, edge_m in enumerate((LEAST_M - WALL_M / 2, MOST_M + WALL_M / 2)):
        _box(spec, f"wall_x{number}", (edge_m, middle_m), (WALL_M / 2, half_m), WALL_HEIGHT_M, WALL_COLOUR)
        _box(spec, f"wall_y{number}", (middle_m, edge_m), (half_m, WALL_M / 2), WALL_HEIGHT_M, WALL_COLOUR)


def _bin(spec: mujoco.MjSpec, spot: Spot, colour: str) -> None:
    """Four thin walls; the floor is its bottom."""
    x_m, y_m = spot
    for side in (-1, 1):
        off_m = side * BIN_HALF_M
        _box(spec, "", (x_m + off_m, y_m), (BIN_WALL_M, BIN_HALF_M), BIN_HEIGHT_M, colour)
        _box(spec, "", (x_m, y_m + off_m), (BIN_HALF_M, BIN_WALL_M), BIN_HEIGHT_M, colour)


def _box(spec: mujoco.MjSpec, name: str, spot: Spot, halves_m: Spot, height_m: float, colour: str) -> None:
    geom = spec.worldbody.add_geom(spec.find_default("world"))
    geom.name, geom.type = name, mujoco.mjtGeom.mjGEOM_BOX
    geom.pos, geom.size = [*spot, height_m / 2], [*halves_m, height_m / 2]
    geom.rgba = _rgba(colour)


def _container(spec: mujoco.MjSpec, name: str, cls: str, spot: Spot) -> None:
    body = spec.worldbody.add_body(name=name, pos=[*spot, HEIGHT_M / 2])
    body.add_freejoint(name=name)
    geom = body.add_geom(spec.find_default("container"))
    geom.name, geom.type = name, mujoco.mjtGeom.mjGEOM_CYLINDER
    geom.size = [RADII_M[cls], HEIGHT_M / 2, 0.0]
    geom.rgba = _rgba(COLOURS[cls])


def _rgba(colour: str) -> list[float]:
    return [float(part) for part in colour.split()]
