"""A robot's topics on their way into a recording: the process that hears them, and the writer."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from robot_bridge.ros.bag.reading import BagError
from robot_bridge.ros.bag.writing import BagWriter, Described
from robot_bridge.ros.child import launch
from robot_bridge.ros.child.framing import FramingError, frames, pack
from robot_bridge.ros.places import RosPlace

ENDS_WITHIN_S = 10.0


class Kept(NamedTuple):
    """How many messages of each topic, and the moment it began on both clocks."""

    messages: dict[str, int]
    ros_s: float
    utc_s: float
    ended: str
    """Why it ended by itself; empty where it was told to."""


def topics_of(configuration: Mapping[str, Any], with_cameras: bool) -> tuple[str, ...]:
    """What the child of such a robot would hear. `configuration`: the child's."""
    found = ["/tf", "/tf_static"]
    if configuration["pose"]["via"] == "topic":
        found.append(configuration["pose"]["topic"])
    single = [configuration[key] for key in ("speed", "occupancy", "joints", "battery")]
    found += [each["topic"] for each in single if each is not None]
    for key in ("robots", "detections", *(("cameras",) if with_cameras else ())):
        found += [each["topic"] for each in configuration[key].values()]
    return tuple(dict.fromkeys(found))


def record(
    place: RosPlace,
    configuration: Mapping[str, Any],
    topics: Sequence[str],
    environment: Mapping[str, str],
    writer: BagWriter,
    until: Callable[[Kept], bool],
) -> Kept:
    """Until `until` says so, which is asked at each message, or the master is gone. Raises BagError where
    nothing can be heard at all."""
    command = [place.python, launch.__file__, "robot_bridge.ros.child.recorder"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**place.environment(), **environment}
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asked = {"master": configuration["master"], "node": f"{configuration['node']}_recorder", "topics": topics}
    try:
        process.stdin.write(pack(asked))
        process.stdin.flush()
        kept = _heard(process, writer, until)
    except (OSError, FramingError) as error:
        raise BagError(f"The recorder broke off: {error}.") from None
    finally:
        if not process.stdin.closed:
            process.stdin.close()
        _await(process)
    if kept.ended and not kept.messages:
        raise BagError(f"Nothing was recorded: {kept.ended}")
    return kept


def _heard(process: subprocess.Popen[bytes], writer: BagWriter, until: Callable[[Kept], bool]) -> Kept:
    assert process.stdin is not None
    assert process.stdout is not None
    kept = Kept({}, 0.0, time.time(), "")
    for message, blob in frames(process.stdout.fileno()):
        kind = message["kind"]
        if kind == "hears":
            kept = kept._replace(ros_s=message["ros_s"], utc_s=message["utc_s"])
        elif kind == "topic":
            writer.describe(
                Described(message["topic"], message["type"], message["definition"], message["md5"])
            )
        elif kind == "message":
            writer.write(message["topic"], message["type"], message["ros_s"], blob)
            kept.messages[message["topic"]] = kept.messages.get(message["topic"], 0) + 1
            if not process.stdin.closed and until(kept):
                process.stdin.close()  # what is on its way is written still
        elif kind == "bye":
            return kept._replace(ended=message["reason"])
    return kept._replace(ended="its process ended")


def _await(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
