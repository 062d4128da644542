"""docs/reference/ros-robots.md lists each key of a robot's file with its default."""

import re
from typing import Any

from msgspec import NODEFAULT
from msgspec.structs import fields

from robot_bridge.ros import config
from tests.support.checkout import ROOT

SECTIONS = {
    "": config.Robot,
    "ros.": config.Ros,
    "pose.": config.PoseFrom,
    "still.": config.Still,
    "limits.": config.Limits,
    "gripper.": config.Gripper,
    "times.": config.Times,
    "robots.NAME.": config.OtherRobot,
    "cameras.NAME.": config.Camera,
    "detections.NAME.": config.Detections,
    "skills.NAME.": config.Skill,
    "site.": config.Site,
}
BARE = ("ros.", "pose.")
"""Sections of their own, whose rows name the key alone."""


def test_each_key_is_listed_with_its_default() -> None:
    page = (ROOT / "docs" / "reference" / "ros-robots.md").read_text("utf-8")
    listed: dict[str, str] = {}
    for section in page.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        prefix = f"{title}." if f"{title}." in BARE else ""
        rows = re.findall(r"^\| `([\w.]+)` \| (.+?) \|", section, re.MULTILINE)
        listed.update({prefix + name: default for name, default in rows})

    assert set(listed) == {prefix + field.name for prefix, kind in SECTIONS.items() for field in fields(kind)}
    for prefix, kind in SECTIONS.items():
        for field in fields(kind):
            if shown(field.default) is not None:
                assert listed[prefix + field.name] == shown(field.default), prefix + field.name


def shown(default: Any) -> str | None:
    """None: a group of keys, which the page puts in words."""
    if default is NODEFAULT:
        return None
    if default is None:
        return "`null`"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if default == "":
        return "empty"
    return f"`{default}`" if isinstance(default, str | int | float) else None
