"""A layout as a MuJoCo model: the arm and its table, and what stands on it.

A body has its thing's name. What is free has a joint of that name, and a weld to the hand, off at first; what
is fixed is moved by its task alone.
"""

from __future__ import annotations

import math
from pathlib import Path

import mujoco

from robot_bridge.tabletop.colours import rgba
from robot_bridge.tabletop.shapes import FREE, Part, parts_of
from robot_bridge.tabletop.values import BUTTON_TRAVEL_M, Layout, Thing

TABLE_FILE = Path(__file__).with_name("table.xml")
HALF_TABLE_M = 0.5
CAP_SPRING_N_M, CAP_DAMPING_N_S_M = 150.0, 4.0
COLOURS = {"background": "background", "table": "table", "arm": "arm", "finger": "finger", "pad": "finger"}
"""By how the names of what is in the file begin."""


def compile_scene(layout: Layout) -> mujoco.MjModel:
    """Raises KeyError for an object of a colour or kind that is none."""
    spec = mujoco.MjSpec.from_file(str(TABLE_FILE))
    for geom in spec.geoms:
        geom.rgba = rgba(COLOURS[geom.name.partition("_")[0]])
    for thing in layout.things:
        _add(spec, thing)
    return spec.compile()


def wxyz(yaw_rad: float) -> tuple[float, float, float, float]:
    """A turn about the upright axis as a quaternion."""
    return math.cos(yaw_rad / 2), 0.0, 0.0, math.sin(yaw_rad / 2)


def part_name(thing: str, number: int) -> str:
    return f"{thing}:{number}"


def _add(spec: mujoco.MjSpec, thing: Thing) -> None:
    is_free = thing.kind in FREE
    body = spec.worldbody.add_body(
        name=thing.name, pos=list(thing.pose[:3]), quat=list(wxyz(thing.pose.yaw_rad)), mocap=not is_free
    )
    cap = body
    if is_free:
        body.add_freejoint(name=thing.name)
        _weld(spec, thing.name)
    elif thing.kind == "button":
        cap = _cap(body, thing.name)
    for number, part in enumerate(parts_of(thing)):
        _add_part(cap if part.yields else body, part_name(thing.name, number), part)


def _cap(body: mujoco.MjsBody, name: str) -> mujoco.MjsBody:
    cap = body.add_body(name=f"{name}:cap", gravcomp=1.0)
    cap.add_joint(
        name=name,
        type=mujoco.mjtJoint.mjJNT_SLIDE,
        axis=[0, 0, -1],
        range=[0.0, BUTTON_TRAVEL_M],
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        stiffness=[CAP_SPRING_N_M, 0.0, 0.0],
        damping=[CAP_DAMPING_N_S_M, 0.0, 0.0],
    )
    return cap


def _weld(spec: mujoco.MjSpec, name: str) -> None:
    """Between hand and thing; how they lie to each other is written into it when it is switched on."""
    weld = spec.add_equality(name=name, active=False)
    weld.type, weld.objtype = mujoco.mjtEq.mjEQ_WELD, mujoco.mjtObj.mjOBJ_BODY
    weld.name1, weld.name2 = "hand", name


def _add_part(body: mujoco.MjsBody, name: str, part: Part) -> None:
    geom = body.add_geom(name=name, type=part.form, pos=list(part.at_m), size=list(part.halves_m))
    geom.material, geom.rgba = "flat", rgba(part.colour)
    geom.contype, geom.conaffinity = part.touches
    geom.mass = part.mass_kg
    if not part.is_seen:
        geom.group = 4  # which no camera shows
    geom.condim, geom.friction = 4, [1.0, 0.01, 0.0001]
