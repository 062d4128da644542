"""What the arena says of itself: site, robots, stations and initial records for `hello`, and telemetry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from robot_bridge import wire
from robot_bridge.arena import camera
from robot_bridge.arena.arm import grip_of
from robot_bridge.arena.catalogue import CAMERAS, CATALOGUE
from robot_bridge.arena.scenarios import CELL_M, CELLS, STATION_CELLS, Spot, spot_of
from robot_bridge.arena.scene import OVERHEAD
from robot_bridge.world import Pose, Sighting

if TYPE_CHECKING:
    from robot_bridge.arena.world import ArenaWorld

STATIONS = {"station_plastic": ("bottle",), "station_metal": ("can",)}
TOLERANCE_M = 0.10
"""Detectors misplace by centimetres; two places this near are the same."""
LENGTH_M = 0.5
"""What distance is measured by in a score: a cell."""
CHARGE_S = 4 * 3600.0
DRONE_ROUND_S = 40.0


def stations(arena: ArenaWorld) -> dict[str, Spot]:
    return {name: spot_of(cell) for name, cell in zip(STATIONS, STATION_CELLS, strict=True)}


def world(arena: ArenaWorld) -> dict[str, Any]:
    scenario = arena.scenario
    return {
        "robot": "rover",
        "world": "arena",
        "scenario": scenario.name,
        "seed": arena.seed,
        "catalogue": CATALOGUE,
        "site": site(arena),
        "robots": [
            {"name": "rover", "kind": "ground", "pose": wire.pose(arena.measure().pose)},
            {"name": "drone", "kind": "aerial", "pose": wire.pose(drone_pose(arena.met_s))},
        ],
        "initial": [wire.evidence(each) for each in initial(arena)],
        "cameras": [
            {
                "name": name,
                "width_px": camera.SIZE_PX,
                "height_px": camera.SIZE_PX,
                "map_to_pixel": camera.map_to_pixel() if name == OVERHEAD else None,
            }
            for name in CAMERAS
        ],
        "budget_s": float(scenario.budget_s),
        "total": scenario.containers,
    }


def site(arena: ArenaWorld) -> dict[str, Any]:
    return {
        "name": arena.scenario.name,
        "frame_id": "map",
        "map": {
            "width": CELLS,
            "height": CELLS,
            "cell_m": CELL_M,
            "occupied": [list(cell) for cell in sorted(arena.tape.obstacles)],
        },
        "metric": {"kind": "euclidean", "length_m": LENGTH_M, "tolerance_m": TOLERANCE_M},
        "stations": [
            {"id": name, "pose": wire.pose(Pose(*spot_of(cell))), "accepts": list(accepts)}
            for (name, accepts), cell in zip(STATIONS.items(), STATION_CELLS, strict=True)
        ],
        "regions": [],
        "assignment": "fixed",
        "rules": [
            "The robot carries one container at a time.",
            "A container is grasped from 0.35 m in front of it: navigate, approach, then grasp.",
        ],
        "version": 1,
    }


def initial(arena: ArenaWorld) -> list[Sighting]:
    """The records that a mission begins with: the survey was right then."""
    return [
        Sighting(name, cls, Pose(*spot), 1.0, "initial", 0.0, "survey before the mission")
        for name, cls, spot in zip(arena.ids, arena.floor.classes, arena.tape.initial, strict=True)
    ]


def telemetry(arena: ArenaWorld) -> list[dict[str, Any]]:
    measured = arena.measure()
    rover = {
        "name": "rover",
        "pose": wire.pose(measured.pose),
        "speed_m_s": round(arena.physics.speed_m_s(), 3),
        "gripper": {"open": measured.gripper_open, "held": measured.held},
        "battery": battery(arena.worked_s),
        "doing": "idle" if arena.action is None else arena.action.step.skill,
        "arm": _arm(arena),
    }
    return [rover] if arena.met_s >= arena.scenario.budget_s else [rover, _drone(arena)]


def _drone(arena: ArenaWorld) -> dict[str, Any]:
    """It flies as long as its tape lasts; past that nobody hears where it is or what it
    sees."""
    return {
        "name": "drone",
        "pose": wire.pose(drone_pose(arena.met_s)),
        "speed_m_s": round(math.tau * _drone_radius_m() / DRONE_ROUND_S, 3),
        "gripper": None,
        "battery": None,
        "doing": "survey",
    }


def _arm(arena: ArenaWorld) -> dict[str, Any]:
    joints_rad = arena.physics.joints_rad()
    return {
        "joints_rad": [round(angle_rad, 3) for angle_rad in joints_rad],
        "opening_m": round(arena.physics.opening_m(), 4),
        "height_m": round(grip_of(joints_rad).height_m, 3),
        "touches": list(arena.physics.contacts()),
    }


def battery(worked_s: float) -> float:
    """A model: the share of the charge that is left."""
    return round(max(0.0, 1.0 - worked_s / CHARGE_S), 4)


def drone_pose(met_s: float) -> Pose:
    angle_rad = math.tau * (met_s % DRONE_ROUND_S) / DRONE_ROUND_S
    middle_m, radius_m = (CELLS - 1) * CELL_M / 2, _drone_radius_m()
    x_m, y_m = middle_m + radius_m * math.cos(angle_rad), middle_m + radius_m * math.sin(angle_rad)
    return Pose(round(x_m, 3), round(y_m, 3), round((angle_rad + math.pi / 2) % math.tau, 4))


def _drone_radius_m() -> float:
    return CELLS * CELL_M / 4
