"""A recording written: messages as they came, undecoded, with the definitions of their types, at ROS's time.

By the file's ending: ROS 1's .bag, or MCAP with ROS 1's messages. `open_bag` reads both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from robot_bridge.ros.bag.reading import BagError, rosbags_type

ENDINGS = (".bag", ".mcap")


class Described(NamedTuple):
    """A topic as its sender describes it."""

    topic: str
    type: str
    definition: str
    md5: str


class BagWriter(Protocol):
    def __enter__(self) -> BagWriter: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Without it a file cannot be read."""

    def describe(self, described: Described) -> None:
        """Once, before the first message of a topic and type."""

    def write(self, topic: str, type_name: str, ros_s: float, data: bytes) -> None: ...


def bag_writer(path: Path, about: Mapping[str, str]) -> BagWriter:
    """`about`: what the file says of itself. Raises BagError."""
    if path.suffix not in ENDINGS:
        raise BagError(f"{path.name} ends in {path.suffix or 'nothing'}. Call it .bag or .mcap.")
    if path.exists():
        raise BagError(f"{path.name} is there already. Give another name.")
    try:
        return Rosbag(path) if path.suffix == ".bag" else Mcap(path, about)
    except ImportError:
        raise BagError("Recordings need rosbags and mcap. Run: pip install 'quarterdeck[bags]'") from None
    except OSError as error:
        raise BagError(f"{path.name} cannot be written: {error.strerror}. Mend its path.") from None


class Rosbag:
    def __init__(self, path: Path) -> None:
        from rosbags.rosbag1 import Writer

        self._writer = Writer(path)
        self._writer.open()
        self._connections: dict[tuple[str, str], Any] = {}

    def __enter__(self) -> Rosbag:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    def describe(self, described: Described) -> None:
        topic, name, definition, md5 = described
        self._connections[topic, name] = self._writer.add_connection(
            topic, rosbags_type(name), msgdef=definition, md5sum=md5
        )

    def write(self, topic: str, type_name: str, ros_s: float, data: bytes) -> None:
        self._writer.write(self._connections[topic, type_name], round(ros_s * 1e9), data)


class Mcap:
    def __init__(self, path: Path, about: Mapping[str, str]) -> None:
        from mcap.writer import Writer

        self._file = path.open("wb")
        self._writer = Writer(self._file)
        self._writer.start(profile="ros1", library="quarterdeck")
        self._writer.add_metadata("quarterdeck", dict(about))
        self._channels: dict[tuple[str, str], int] = {}

    def __enter__(self) -> Mcap:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.finish()
        self._file.close()

    def describe(self, described: Described) -> None:
        topic, name, definition, md5 = described
        schema = self._writer.register_schema(name, "ros1msg", definition.encode())
        self._channels[topic, name] = self._writer.register_channel(topic, "ros1", schema, {"md5sum": md5})

    def write(self, topic: str, type_name: str, ros_s: float, data: bytes) -> None:
        at_ns = round(ros_s * 1e9)
        self._writer.add_message(self._channels[topic, type_name], at_ns, data, at_ns)
