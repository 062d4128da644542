"""Small recordings of the simulated rover, written as ROS writes them: no ROS is needed for it."""

import json
import math
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from rosbags.rosbag1 import Writer
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Rosbag2Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from robot_bridge.ros.files import SHIPPED

ROS = get_typestore(Stores.ROS1_NOETIC)
ROS.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms", "tf2_msgs/msg/TFMessage"))
BEGAN_S = 1_700_000_000.0
Said = tuple[str, str, float, Any]
"""Topic, type, seconds from the beginning, message."""


def kind(name: str) -> Any:
    return ROS.types[name.replace("/", "/msg/")]


def stamp(at_s: float) -> Any:
    whole = math.floor(BEGAN_S + at_s)
    return kind("builtin_interfaces/Time")(sec=whole, nanosec=round((BEGAN_S + at_s - whole) * 1e9))


def header(frame: str, at_s: float) -> Any:
    return kind("std_msgs/Header")(seq=0, stamp=stamp(at_s), frame_id=frame)


def turned(yaw_rad: float = 0.0) -> Any:
    half = yaw_rad / 2
    return kind("geometry_msgs/Quaternion")(x=0.0, y=0.0, z=math.sin(half), w=math.cos(half))


def transform(parent: str, child: str, x: float, y: float, at_s: float) -> Any:
    moved = kind("geometry_msgs/Vector3")(x=x, y=y, z=0.0)
    placed = kind("geometry_msgs/Transform")(translation=moved, rotation=turned())
    return kind("geometry_msgs/TransformStamped")(
        header=header(parent, at_s), child_frame_id=child, transform=placed
    )


def tf(x: float, y: float, at_s: float) -> Said:
    both = [transform("map", "odom", 0.0, 0.0, at_s), transform("odom", "base_link", x, y, at_s)]
    return "/tf", "tf2_msgs/TFMessage", at_s, kind("tf2_msgs/TFMessage")(transforms=both)


def seen(topic: str, at_s: float, frame: str = "map", **detection: Any) -> Said:
    body = {"frame_id": frame, "stamp_s": BEGAN_S + at_s, "detections": [{"cls": "can", **detection}]}
    return said(topic, json.dumps(body), at_s)


def said(topic: str, text: str, at_s: float) -> Said:
    return topic, "std_msgs/String", at_s, kind("std_msgs/String")(data=text)


def grid(
    at_s: float, side: int = 10, cell_m: float = 0.5, frame: str = "map", blocked: tuple[int, ...] = (5,)
) -> Said:
    pose = kind("geometry_msgs/Pose")(
        position=kind("geometry_msgs/Point")(x=-cell_m / 2, y=-cell_m / 2, z=0.0), orientation=turned()
    )
    info = kind("nav_msgs/MapMetaData")(
        map_load_time=stamp(0.0), resolution=cell_m, width=side, height=side, origin=pose
    )
    cells = np.zeros(side * side, np.int8)
    cells[list(blocked)] = 100
    message = kind("nav_msgs/OccupancyGrid")(header=header(frame, at_s), info=info, data=cells)
    return "/map", "nav_msgs/OccupancyGrid", at_s, message


def drive(seconds: float = 4.0, hz: float = 10.0) -> list[Said]:
    """From (0, 0) along x at 0.5 m/s; a can is known at first, another is seen on the way."""
    count = round(seconds * hz)
    ways = [tf(0.5 * number / hz, 0.0, number / hz) for number in range(count)]
    return [
        grid(0.0),
        seen("/survey", 0.05, id="can_01", x_m=2.0, y_m=1.0, confidence=0.9),
        *ways,
        seen("/drone/detections", 1.0, id="can_02", x_m=3.0, y_m=2.0, confidence=0.8),
    ]


def write_bag(path: Path, all_said: Iterable[Said]) -> Path:
    """As ROS 1's .bag. The times of a topic may come in any order."""
    connections: dict[tuple[str, str], Any] = {}
    with Writer(path) as writer:
        for topic, name, at_s, message in sorted(all_said, key=lambda each: each[2]):
            typed = name.replace("/", "/msg/")
            if (topic, name) not in connections:
                connections[topic, name] = writer.add_connection(topic, typed, typestore=ROS)
            data = ROS.serialize_ros1(message, typed)
            writer.write(connections[topic, name], round((BEGAN_S + at_s) * 1e9), data)
    return path


def write_rosbag2(folder: Path, all_said: Iterable[Said], storage: StoragePlugin) -> Path:
    """As ROS 2 records them: a folder."""
    store = get_typestore(Stores.ROS2_HUMBLE)

    def converted(message: Any) -> Any:
        made = store.types[message.__msgtype__]
        return made(**{each.name: inner(getattr(message, each.name)) for each in fields(made) if each.init})

    def inner(value: Any) -> Any:
        if isinstance(value, list):
            return [inner(each) for each in value]
        return converted(value) if hasattr(value, "__msgtype__") else value

    connections: dict[str, Any] = {}
    with Rosbag2Writer(folder, version=9, storage_plugin=storage) as writer:
        for topic, name, at_s, message in sorted(all_said, key=lambda each: each[2]):
            typed = name.replace("/", "/msg/")
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, typed, typestore=store)
            data = store.serialize_cdr(converted(message), typed)
            writer.write(connections[topic], round((BEGAN_S + at_s) * 1e9), data)
    return folder


def robot_of(folder: Path, bag: str, **changes: Any) -> Path:
    """The simulated rover's file, of a recording."""
    raw = yaml.safe_load((SHIPPED / "simulated-rover.yaml").read_text("utf-8"))
    raw.update(
        {"bag": bag, "shadow": True, "definitions": [], "speed": None, "joints": None, "gripper": None}
    )
    for skill in raw["skills"].values():
        skill.pop("measure", None)
    raw.update(changes)
    file = folder / "recorded-rover.yaml"
    file.write_text(yaml.safe_dump(raw), "utf-8")
    return file
