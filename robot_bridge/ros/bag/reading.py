"""A recording as messages in the order of their arrival: ROS 1's .bag, MCAP, and folders of rosbag2."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from robot_bridge.ros.bag.views import viewed

LONGEST_S = 7 * 86_400.0
"""Of a recording; what is longer has a stamp that is none."""
BROKEN = (OSError, EOFError, ValueError, LookupError, AssertionError, TypeError, RuntimeError, struct.error)
"""What the readers raise, beside errors of their own, for a file that is cut or overwritten."""


class BagError(ValueError):
    """A recording cannot be used; the text names it and says what to do."""


class Recorded(NamedTuple):
    """`at_s`: when it was recorded, seconds since 1970 or of simulated time. `message` has the fields of its
    type; None where it cannot be decoded, and `problem` says why."""

    topic: str
    type: str
    at_s: float
    message: Any
    problem: str = ""


class Bag(NamedTuple):
    """`topics`: topic -> type, as ROS 1 writes types. `read`: the messages of some topics; it raises BagError
    where the file is damaged further on."""

    path: Path
    topics: dict[str, str]
    begins_s: float
    ends_s: float
    read: Callable[[Collection[str]], Iterator[Recorded]]

    @property
    def length_s(self) -> float:
        return self.ends_s - self.begins_s


def open_bag(path: Path) -> Bag:
    """Raises BagError."""
    if find_spec("rosbags") is None:
        raise BagError("Recordings need rosbags. Run: pip install 'quarterdeck[bags]'")
    if not path.exists():
        raise BagError(f"{path.name} is not there. Mend its path.")
    try:
        bag = _mcap(path) if path.suffix == ".mcap" else None
        bag = bag or _rosbags(path)
    except _broken() as error:
        raise _damaged(path, error) from None
    if not bag.topics:
        raise BagError(f"{path.name} holds no message.")
    if not (math.isfinite(bag.length_s) and 0.0 <= bag.length_s <= LONGEST_S):
        raise BagError(f"{path.name} would last {bag.length_s:g} s: its stamps cannot be right. Mend it.")
    return bag


def _broken() -> tuple[type[Exception], ...]:
    from mcap.exceptions import McapError
    from rosbags.highlevel import AnyReaderError
    from rosbags.rosbag1 import ReaderError as Rosbag1Error
    from rosbags.rosbag2 import ReaderError as Rosbag2Error
    from rosbags.typesys import TypesysError

    return (*BROKEN, AnyReaderError, Rosbag1Error, Rosbag2Error, TypesysError, McapError)


def _damaged(path: Path, error: Exception) -> BagError:
    said = " ".join(str(error).split())[:200] or type(error).__name__
    return BagError(f"{path.name} cannot be read: {said}. If it was cut off, run: rosbag reindex {path.name}")


def _rosbags(path: Path) -> Bag:
    from rosbags.highlevel import AnyReader
    from rosbags.typesys import Stores, get_typestore

    common = get_typestore(Stores.ROS2_HUMBLE)
    """For recordings of older ROS 2, which hold no definitions."""

    with AnyReader([path], default_typestore=common) as reader:
        topics = {each.topic: plain_type(each.msgtype) for each in reader.connections}
        begins_s, ends_s = reader.start_time / 1e9, reader.end_time / 1e9

    def read(wanted: Collection[str]) -> Iterator[Recorded]:
        broken = _broken()
        try:
            with AnyReader([path], default_typestore=common) as reader:
                connections = [each for each in reader.connections if each.topic in wanted]
                if not connections:
                    return
                for connection, at_ns, data in reader.messages(connections):
                    kind = connection.msgtype
                    yield _decoded(connection.topic, kind, at_ns / 1e9, data, reader.deserialize, broken)
        except broken as error:
            raise _damaged(path, error) from None

    return Bag(path, topics, begins_s, ends_s, read)


def _mcap(path: Path) -> Bag | None:
    """ROS 1 messages in an MCAP file; None where it holds other ones."""
    from mcap.reader import make_reader

    with path.open("rb") as file:
        summary = make_reader(file).get_summary()
    if summary is None or summary.statistics is None:
        raise ValueError("its summary is missing, it was not closed")
    channels = {key: each for key, each in summary.channels.items() if each.message_encoding == "ros1"}
    if not channels and summary.channels:
        return None
    schemas = summary.schemas
    topics = {each.topic: schemas[each.schema_id].name for each in channels.values()}
    begins_s, ends_s = summary.statistics.message_start_time / 1e9, summary.statistics.message_end_time / 1e9
    definitions = {
        schemas[each.schema_id].name: schemas[each.schema_id].data.decode() for each in channels.values()
    }

    def read(wanted: Collection[str]) -> Iterator[Recorded]:
        broken = _broken()
        store = _store(definitions)
        try:
            with path.open("rb") as file:
                for schema, channel, message in make_reader(file).iter_messages(topics=list(wanted)):
                    if schema is None or channel.message_encoding != "ros1":
                        continue
                    yield _decoded(
                        channel.topic, rosbags_type(schema.name), message.log_time / 1e9, message.data,
                        store.deserialize_ros1, broken,
                    )  # fmt: skip
        except broken as error:
            raise _damaged(path, error) from None

    return Bag(path, topics, begins_s, ends_s, read)


def _store(definitions: dict[str, str]) -> Any:
    """Types by what the recording itself says of them: they need not be installed."""
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    store = get_typestore(Stores.EMPTY)
    types: dict[str, Any] = {}
    for name, text in definitions.items():
        types.update(get_types_from_msg(text, rosbags_type(name)))
    store.register(types)
    return store


def _decoded(
    topic: str,
    kind: str,
    at_s: float,
    data: Any,
    decode: Callable[[Any, str], Any],
    broken: tuple[type[Exception], ...],
) -> Recorded:
    """One message that cannot be decoded is no reason to leave the others out."""
    try:
        return Recorded(topic, plain_type(kind), at_s, viewed(decode(data, kind)))
    except broken as error:
        said = " ".join(str(error).split())[:120] or type(error).__name__
        return Recorded(topic, plain_type(kind), at_s, None, f"it cannot be decoded: {said}")


def plain_type(name: str) -> str:
    """std_msgs/msg/String is std_msgs/String."""
    return name.replace("/msg/", "/")


def rosbags_type(name: str) -> str:
    return name if "/msg/" in name else name.replace("/", "/msg/")
