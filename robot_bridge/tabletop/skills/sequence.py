"""`sequence`: moves and waits one after the other, each with a check on what was measured right after it.

It stops at the first part that did not come to its goal and at the first check that does not hold (LogLook,
section 3.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robot_bridge.simulation.running import Ending, Skill
from robot_bridge.tabletop.arm import Arm
from robot_bridge.tabletop.planning import NoWay, plan
from robot_bridge.tabletop.skills.move import goal_of, move, unreachable
from robot_bridge.tabletop.skills.wait import wait


def sequence(arm: Arm, parts: Sequence[Mapping[str, Any]]) -> Skill:
    refused = _first_unreachable(arm, parts)
    if refused is not None:
        return refused
    for number, part in enumerate(parts, start=1):
        ending = yield from _one(arm, part)
        check = part.get("check")
        passed = None if check is None else _holds(arm, check)
        arm.note(part["skill"], "" if check is None else _words(check), passed)
        if ending.result != "succeeded":
            return ending._replace(
                result="failed", message=f"Part {number} of {len(parts)}: {ending.message}"
            )
        if passed is False:
            return Ending("failed", "check_failed", f"Part {number} of {len(parts)}: {_failed(arm, check)}")
    return Ending("succeeded", "done", f"All {len(parts)} parts are done.")


def _one(arm: Arm, part: Mapping[str, Any]) -> Skill:
    if part["skill"] == "wait":
        return (yield from wait(arm, int(part["arguments"]["steps"])))
    return (yield from move(arm, goal_of(part["arguments"])))


def _first_unreachable(arm: Arm, parts: Sequence[Mapping[str, Any]]) -> Ending | None:
    """Nothing moves where a later part could never be reached: each is planned from the one before it."""
    posture = arm.physics.joints()
    for number, part in enumerate(parts, start=1):
        if part["skill"] != "move":
            continue
        goal = goal_of(part["arguments"])
        way = plan(arm.kinematics, posture, goal.tool)
        if isinstance(way, NoWay):
            ending = unreachable(goal, way)
            return ending._replace(message=f"Part {number} of {len(parts)}: {ending.message}")
        posture = way.postures[-1]
    return None


def _holds(arm: Arm, check: Mapping[str, Any]) -> bool:
    value_m = _measured_m(arm, check)
    bound_m: float = check["bound_m"]
    return value_m <= bound_m if check["relation"] == "<=" else value_m >= bound_m


def _measured_m(arm: Arm, check: Mapping[str, Any]) -> float:
    """As it is told afterwards: rounded alike."""
    is_opening = check["quantity"] == "gripper_opening_m"
    return round(arm.physics.opening_m() if is_opening else arm.physics.tool().z_m, 4)


def _words(check: Mapping[str, Any]) -> str:
    return f"{check['quantity']} {check['relation']} {check['bound_m']:g}"


def _failed(arm: Arm, check: Mapping[str, Any] | None) -> str:
    assert check is not None
    return f"check {_words(check)} failed: {_measured_m(arm, check):.4g} m measured."
