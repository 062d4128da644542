"""What the table says of itself: its part of `hello`, and telemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robot_bridge import wire
from robot_bridge.tabletop.catalogue import CAMERAS, CATALOGUES, EPISODE_STEPS, WATCHED_PX
from robot_bridge.tabletop.kinematics import BASE_X_M
from robot_bridge.tabletop.physics import CONTROL_S
from robot_bridge.world import Pose

if TYPE_CHECKING:
    from robot_bridge.tabletop.world import TabletopWorld

ROBOT = "panda"
CELL_M = 0.1
FIRST, CELLS = -5, 11
"""The lowest column and row of the site's map, and how many there are: the table's middle is cell 0, 0."""


def world(table: TabletopWorld) -> dict[str, Any]:
    scenario = table.scenario
    told = {
        "robot": ROBOT,
        "world": "tabletop",
        "scenario": scenario.name,
        "seed": table.seed,
        "catalogue": CATALOGUES[scenario.executor],
        "site": site(table),
        "robots": [{"name": ROBOT, "kind": "ground", "pose": wire.pose(Pose(BASE_X_M, 0.0))}],
        "initial": [],
        "cameras": [
            {"name": name, "width_px": WATCHED_PX, "height_px": WATCHED_PX, "map_to_pixel": None}
            for name in CAMERAS
        ],
        "budget_s": EPISODE_STEPS * CONTROL_S,
        "total": 0,
        "instruction": table.task.layout.instruction,
        "task": scenario.task,
        "difficulty": scenario.difficulty,
        "executor": scenario.executor,
        "demonstration": len(table.shown),
        "views": [wire.frame(each) for each in table.views()],
        "tool": table.tool()._asdict(),
    }
    subgoal = table.subgoal()
    return told if subgoal is None else {**told, "subgoal": wire.subgoal(subgoal)}


def site(table: TabletopWorld) -> dict[str, Any]:
    return {
        "name": table.scenario.name,
        "frame_id": "map",
        "map": {"width": CELLS, "height": CELLS, "cell_m": CELL_M, "occupied": [], "first": [FIRST, FIRST]},
        "metric": {"kind": "euclidean", "length_m": CELL_M, "tolerance_m": 0.01},
        "stations": [],
        "regions": [],
        "assignment": "fixed",
        "rules": [
            "x leads away from the arm's base, y to its left, z up from the table top; metres, frame map.",
            f"An episode has {EPISODE_STEPS} steps, 20 a second; the world stands still between actions.",
        ],
        "version": 1,
    }


def telemetry(table: TabletopWorld) -> list[dict[str, Any]]:
    measured = table.measure()
    return [
        {
            "name": ROBOT,
            "pose": wire.pose(measured.pose),
            "speed_m_s": round(table.physics.speed_m_s(), 3),
            "gripper": None,  # what is held no sensor tells; the fingers are told below
            "battery": None,
            "doing": "idle" if table.action is None else table.action.step.skill,
            "arm": {
                "joints_rad": [round(float(each), 3) for each in table.physics.joints()],
                "opening_m": measured.opening_m,
                "height_m": measured.height_m,
                "touches": list(table.physics.grasp.contacts()),
            },
        }
    ]


def truth(table: TabletopWorld) -> list[dict[str, Any]]:
    """Where each thing is."""
    held, poses = table.physics.grasped, table.physics.poses()
    told = []
    for thing in table.task.layout.things:
        at = poses[thing.name]
        pose = wire.pose(Pose(round(at.x_m, 4), round(at.y_m, 4), round(at.yaw_rad, 4)))
        state = "held" if thing.name == held else "placed"
        told.append({"entity": thing.name, "cls": thing.kind, "pose": pose, "state": state})
    return told
