"""The robot's readings under the map, as the journal knows them and as telemetry renews them: in the same
words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.domain.episode.state import State
from backend.domain.plans.plan import describe
from backend.web.builders import words
from backend.web.builders.moment import waits_for_approval
from backend.web.pages import figures
from backend.web.pages.map import Reading

ARM = (("fingers", "Fingers"), ("touch", "Touch"))


def readings_of(state: State, telemetry: Mapping[str, str]) -> tuple[Reading, ...]:
    """What was last measured, renewed by what `telemetry` says now; speed and battery are telemetry's
    alone."""
    readings = [
        Reading(key="doing", label="Doing", text=doing(state)),
        Reading(key="pose", label="Pose", text=words.place(state.robot.pose)),
    ]
    if state.site.metric.kind != "manhattan":
        readings.append(Reading(key="heading", label="Heading", text=heading(state.robot.pose.yaw_rad)))
    readings += [
        Reading(key="speed", label="Speed", text=figures.NONE),
        Reading(key="gripper", label="Gripper", text=gripper(state)),
        Reading(key="battery", label="Battery", text=figures.NONE),
    ]
    if "fingers" in telemetry:
        readings += [Reading(key=key, label=label, text=telemetry.get(key, "")) for key, label in ARM]
    # Neither is shown while it is empty.
    readings += [
        Reading(key="progress", label="Progress", text=""),
        Reading(key="trouble", label="Trouble", text=""),
    ]
    return tuple(
        Reading(key=each.key, label=each.label, text=telemetry.get(each.key, each.text)) for each in readings
    )


def doing(state: State) -> str:
    if state.ending is not None:
        return "Nothing, the episode is over"
    if state.stops:
        return "Held"
    if state.dispatch is not None:
        return describe(state.dispatch.step).capitalize() if not state.dispatch.in_doubt else "Not known"
    return "Standing by for you" if waits_for_approval(state) else "Standing by"


def heading(yaw_rad: float) -> str:
    """Compass-like degrees of the site's frame: counter-clockwise from x."""
    return f"{round(math.degrees(yaw_rad)) % 360:03d}°"


def gripper(state: State) -> str:
    if state.at_table is not None:
        return "Held: not measured"
    return _grip(state.robot.held)


def _grip(held: str | None) -> str:
    return f"Holds {held}" if held else "Empty"


def told(body: dict[str, Any]) -> dict[str, str]:
    """What telemetry measured, by the keys of the readings; what it left out is not said."""
    said: dict[str, str] = {}
    if _is_number(body.get("x_m")) and _is_number(body.get("y_m")):
        said["pose"] = figures.place(body["x_m"], body["y_m"])
    if _is_number(body.get("yaw_rad")):
        said["heading"] = heading(body["yaw_rad"])
    if _is_number(body.get("speed_m_s")):
        said["speed"] = f"{body['speed_m_s']:.2f} m/s"
    has_gripper = "held" in body and body.get("gripper_open", True) is not None
    if has_gripper and isinstance(body["held"], str | None):
        said["gripper"] = _grip(body["held"])
    if _is_number(body.get("battery")):
        said["battery"] = figures.percent(body["battery"])
    said.update({key: body[key] for key in ("progress", "trouble") if isinstance(body.get(key), str)})
    return said | _arm(body.get("arm"))


def _arm(arm: object) -> dict[str, str]:
    """Of a robot whose bridge measures its arm."""
    if not isinstance(arm, dict) or not (
        _is_number(arm.get("opening_m")) and _is_number(arm.get("height_m"))
    ):
        return {}
    touches = [each for each in arm.get("touches", ()) if isinstance(each, str)]
    return {
        "fingers": f"{1000 * arm['opening_m']:.0f} mm apart, {arm['height_m']:.2f} m up",
        "touch": ", ".join(touches) or "Nothing",
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
