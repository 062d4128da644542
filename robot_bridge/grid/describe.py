"""What the grid says of itself: site, robots, stations and initial records for `hello`, and telemetry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from robot_bridge import wire
from robot_bridge.grid import camera
from robot_bridge.grid.layout import FRAME_ID
from robot_bridge.grid.scenarios import Scenario
from robot_bridge.grid.skills import CAMERA, CATALOGUE
from robot_bridge.world import Pose, Sighting

if TYPE_CHECKING:
    from robot_bridge.grid.world import GridWorld

BATTERY_PER_STEP = 0.0005
"""A model: the share of a charge that a step costs."""
DRONE_ROUND_STEPS = 40


def world(grid: GridWorld) -> dict[str, Any]:
    scenario = grid.scenario
    return {
        "robot": "rover",
        "world": "grid",
        "scenario": scenario.name,
        "seed": grid.seed,
        "catalogue": CATALOGUE,
        "site": site(grid),
        "robots": [
            {"name": "rover", "kind": "ground", "pose": wire.pose(grid.measure().pose)},
            {"name": "drone", "kind": "aerial", "pose": wire.pose(drone_pose(scenario, grid.t))},
        ],
        "initial": [wire.evidence(each) for each in initial(grid)],
        "cameras": [
            {
                "name": CAMERA,
                "width_px": camera.SIZE_PX,
                "height_px": camera.SIZE_PX,
                "map_to_pixel": camera.map_to_pixel(grid.layout),
            }
        ],
        "budget_s": float(scenario.budget),
        "total": scenario.containers,
    }


def site(grid: GridWorld) -> dict[str, Any]:
    scenario, layout = grid.scenario, grid.layout
    return {
        "name": f"grid-{scenario.name}",
        "frame_id": FRAME_ID,
        "map": {
            "width": scenario.size,
            "height": scenario.size,
            "cell_m": scenario.cell_m,
            "occupied": [list(cell) for cell in sorted(layout.obstacles)],
        },
        "metric": {"kind": "manhattan", "length_m": scenario.cell_m, "tolerance_m": 0.0},
        "stations": [
            {"id": name, "pose": wire.pose(layout.poses[cell]), "accepts": list(accepts)}
            for name, cell, accepts in zip(layout.station_ids, layout.stations, layout.accepts, strict=True)
        ],
        "regions": [],
        "assignment": "at_reveal" if scenario.is_revealed else "fixed",
        "rules": [
            "The robot carries one container at a time.",
            "A container can be grasped from its own cell only.",
        ],
        "version": 1,
    }


def initial(grid: GridWorld) -> list[Sighting]:
    """The records that a mission begins with."""
    known = grid.scenario.containers if grid.scenario.known is None else grid.scenario.known
    return [
        Sighting(
            grid.ids[index],
            grid.classes[index],
            grid.layout.poses[cell],
            1.0,
            "initial",
            0.0,
            "survey before the mission",
        )
        for index, cell in enumerate(grid.tape.initial_cells[:known])
    ]


def telemetry(grid: GridWorld) -> list[dict[str, Any]]:
    held = grid.measure().held
    moving = grid.action is not None and bool(grid.action.way)
    battery = max(0.0, 1.0 - grid.executed * BATTERY_PER_STEP)
    rover = {
        "name": "rover",
        "pose": wire.pose(grid.measure().pose),
        "speed_m_s": grid.scenario.cell_m if moving else 0.0,
        "gripper": {"open": held is None, "held": held},
        "battery": round(battery, 4),
        "doing": "idle" if grid.action is None else grid.action.step.skill,
    }
    return [rover] if grid.t >= grid.scenario.budget else [rover, _drone(grid)]


def _drone(grid: GridWorld) -> dict[str, Any]:
    """It flies as long as its tape lasts; past that nobody hears where it is or what it
    sees."""
    return {
        "name": "drone",
        "pose": wire.pose(drone_pose(grid.scenario, grid.t)),
        "speed_m_s": round(2 * math.pi * _drone_radius_m(grid.scenario) / DRONE_ROUND_STEPS, 3),
        "gripper": None,
        "battery": None,
        "doing": "survey",
    }


def drone_pose(scenario: Scenario, t: int) -> Pose:
    """The drone circles over the middle of the floor, once in DRONE_ROUND_STEPS."""
    angle_rad = 2 * math.pi * (t % DRONE_ROUND_STEPS) / DRONE_ROUND_STEPS
    middle_m, radius_m = (scenario.size - 1) * scenario.cell_m / 2, _drone_radius_m(scenario)
    return Pose(
        round(middle_m + radius_m * math.cos(angle_rad), 3),
        round(middle_m + radius_m * math.sin(angle_rad), 3),
        round((angle_rad + math.pi / 2) % (2 * math.pi), 4),
        FRAME_ID,
    )


def _drone_radius_m(scenario: Scenario) -> float:
    return scenario.size * scenario.cell_m / 4
