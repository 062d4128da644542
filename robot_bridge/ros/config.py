"""A robot's file: what may be heard of it and sent to it, and how skills map to its actions.

Checked whole at start: an error names the file, the key and what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import yaml
from msgspec import Struct

from robot_bridge.grid.skills import CATALOGUE
from robot_bridge.ros.rules import problems

LARGEST_BYTES = 200_000
STANDARD = {skill["name"]: skill for skill in CATALOGUE["skills"]}
"""Skills whose arguments and words are known; others say theirs."""


class RobotFileError(ValueError):
    """A robot's file cannot be used; the text names file and key, and what would be right."""


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """A key that is not known is a misspelling."""


class Ros(Strict, frozen=True):
    master: str | None = None
    ip: str | None = None
    node: str = "quarterdeck_bridge"
    python: str | None = None
    path: tuple[str, ...] = ()


class PoseFrom(Strict, frozen=True):
    via: Literal["tf", "topic"] = "tf"
    topic: str = ""
    type: str = "geometry_msgs/PoseStamped"
    map: str = "map"
    base: str = "base_link"
    old_s: float = 1.0


class Stream(Strict, frozen=True):
    topic: str
    type: str = ""


class OtherRobot(Strict, frozen=True):
    topic: str
    type: str = "geometry_msgs/PoseStamped"
    kind: Literal["ground", "aerial"] = "aerial"


class Still(Strict, frozen=True):
    speed_m_s: float = 0.02
    turn_rad_s: float = 0.05


class Limits(Strict, frozen=True):
    """`workspace_m`: x, y, x, y in the map. `speed_m_s`: no goal asks for more."""

    workspace_m: tuple[float, float, float, float] | None = None
    speed_m_s: float | None = None


class Gripper(Strict, frozen=True):
    joint: str
    open_from: float
    holds_from: float


class Camera(Strict, frozen=True):
    topic: str
    kind: Literal["raw", "compressed"] = "raw"


class Detections(Strict, frozen=True):
    """`old_s` None: however old. `classes`: the robot's names to the mission's."""

    topic: str
    type: str
    kind: Literal["json", "pose_array", "vision"]
    source: Literal["initial", "aerial", "onboard"]
    frame: str = ""
    cls: str = "object"
    confidence: float = 1.0
    classes: Mapping[str, str] = {}
    old_s: float | None = 5.0


class Until(Strict, frozen=True):
    joint: str
    least: float
    most: float


class Argument(Strict, frozen=True):
    name: str
    types: tuple[Literal["entity", "station", "cell", "pose", "phrase", "integer", "number"], ...]
    description: str = ""


class Skill(Strict, frozen=True):
    """Exactly one of `action`, `service`, `topic`. `feedback`: the field of an action's feedback to be shown
    while it runs; `reason`, `message`: the result's. `measure`: what the gripper must show afterwards.
    `speeds`: the goal's fields, such as `twist.linear.x`, that ask for a speed in m/s."""

    type: str
    action: str = ""
    service: str = ""
    topic: str = ""
    goal: Mapping[str, Any] = {}
    speeds: tuple[str, ...] = ()
    feedback: str = ""
    reason: str = ""
    message: str = ""
    measure: Literal["", "holds", "empty"] = ""
    until: Until | None = None
    timeout_s: float = 30.0
    description: str = ""
    arguments: tuple[Argument, ...] = ()

    @property
    def name(self) -> str:
        return self.action or self.service or self.topic

    @property
    def via(self) -> str:
        return "action" if self.action else "service" if self.service else "topic"


class Times(Strict, frozen=True):
    future_s: float = 0.5
    jump_s: float = 1.0
    lost_s: float = 2.0
    server_wait_s: float = 3.0
    silent_s: float = 2.0


class Station(Strict, frozen=True):
    id: str
    x_m: float
    y_m: float
    yaw_rad: float = 0.0
    accepts: tuple[str, ...] = ()


class Region(Strict, frozen=True):
    name: str
    polygon_m: tuple[tuple[float, float], ...]
    restricted: bool = False


class Metric(Strict, frozen=True):
    kind: Literal["manhattan", "euclidean"] = "euclidean"
    length_m: float = 1.0
    tolerance_m: float = 0.05


class Site(Strict, frozen=True):
    """`size_m`: how large the map is, where no occupancy grid says it. `map_file`: one of map_server's."""

    name: str
    cell_m: float = 0.5
    size_m: tuple[float, float] | None = None
    map_file: str = ""
    metric: Metric = Metric()
    assignment: Literal["fixed", "at_reveal"] = "fixed"
    stations: tuple[Station, ...] = ()
    regions: tuple[Region, ...] = ()
    rules: tuple[str, ...] = ()
    total: int = 0
    budget_s: float | None = None


class Robot(Strict, frozen=True, kw_only=True):
    """One robot. `shadow`: it is watched, and nothing is ever sent to it. `bag`: it is a recording of one."""

    name: str
    namespace: str = ""
    shadow: bool = False
    bag: str = ""
    ros: Ros = Ros()
    pose: PoseFrom = PoseFrom()
    speed: Stream | None = None
    still: Still = Still()
    velocity: Stream | None = None
    limits: Limits = Limits()
    occupancy: Stream | None = None
    joints: Stream | None = None
    gripper: Gripper | None = None
    battery: Stream | None = None
    robots: Mapping[str, OtherRobot] = {}
    cameras: Mapping[str, Camera] = {}
    detections: Mapping[str, Detections] = {}
    definitions: tuple[str, ...] = ()
    package: str = "quarterdeck_robots"
    skills: Mapping[str, Skill] = {}
    times: Times = Times()
    site: Site


def read_robot(path: Path) -> Robot:
    """Raises RobotFileError."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RobotFileError(f"{path.name} cannot be read: {error}.") from None
    if len(text) > LARGEST_BYTES:
        raise RobotFileError(f"{path.name} has {len(text)} characters. A robot's file takes {LARGEST_BYTES}.")
    try:
        robot = _robot(yaml.safe_load(text))
    except msgspec.ValidationError as error:
        raise RobotFileError(f"{path.name}: {in_words(str(error))}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise RobotFileError(
            f"{path.name} is no YAML: {' '.join(str(error).split())}. Mend it there."
        ) from None
    for key, problem in problems(robot):
        raise RobotFileError(f"{path.name}: {key} {problem}")
    return robot


ENTRIES = {"robots": OtherRobot, "cameras": Camera, "detections": Detections, "skills": Skill}
"""Keys under which names of one's own stand; msgspec would not say which of them is wrong."""


def _robot(raw: Any) -> Robot:
    """Raises msgspec.ValidationError."""
    for key, kind in ENTRIES.items():
        entries = raw.get(key) if isinstance(raw, dict) else None
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            try:
                msgspec.convert(entry, kind)
            except msgspec.ValidationError as error:
                problem, _, where = str(error).partition(" - at `$")
                raise msgspec.ValidationError(f"{problem} - at `$.{key}.{name}{where or '`'}") from None
    return msgspec.convert(raw, Robot)


def in_words(told: str) -> str:
    """msgspec says Expected `float`, got `str` - at `$.times.lost_s`; an operator is told the key first."""
    problem, _, where = told.partition(" - at ")
    key = where.strip("`").removeprefix("$").lstrip(".")
    if "contains unknown field" in problem:
        unknown = problem.split("`")[1]
        whole = f"{key}.{unknown}".lstrip(".")
        return f"{whole} is no key of a robot's file. Mend its spelling, or leave it out."
    if "missing required field" in problem:
        missing = problem.split("`")[1]
        return f"{f'{key}.{missing}'.lstrip('.')} is missing. Add it."
    choices = _choices(key)
    remedy = f" Choose one of {', '.join(choices)}." if choices else ""
    return f"{key or 'the file'} is wrong: {problem[0].lower()}{problem[1:]}.{remedy}"


def _choices(key: str) -> tuple[str, ...]:
    """Where the key takes one of a few words, these."""
    first, *rest = key.split(".")
    at: Any = ENTRIES[first] if first in ENTRIES else get_type_hints(Robot).get(first)
    for name in rest[1:] if first in ENTRIES else rest:
        at = get_type_hints(at).get(name) if isinstance(at, type) else None
    return get_args(at) if get_origin(at) is Literal else ()
