"""What a publisher really sends: asked of it directly, as a subscriber of any type would.

The master keeps the type that was registered first, which may be the subscriber's own; a publisher of another
type is seen by nothing else than that no message comes.
"""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

from robot_bridge.ros.child.master import CALLER, MasterGone, ask, node_address

LIMIT_S = 1.0
LONGEST_HEADER = 100_000


class Published(NamedTuple):
    """A type's name, and the digest of its definition; "*" where it is not known."""

    type: str
    md5: str


def published(master: str, node: str, topic: str) -> Published | None:
    """What `node` publishes on `topic`; None when it does not say in time."""
    try:
        protocol = ask(node_address(master, node), "requestTopic", CALLER, topic, [["TCPROS"]])
        _, host, port = protocol
        with socket.create_connection((host, int(port)), timeout=LIMIT_S) as connection:
            connection.settimeout(LIMIT_S)
            connection.sendall(_header({"callerid": CALLER, "topic": topic, "md5sum": "*", "type": "*"}))
            size = struct.unpack("<I", _read(connection, 4))[0]
            said = _fields(_read(connection, min(size, LONGEST_HEADER)))
            return Published(said["type"], said.get("md5sum", "*"))
    except (MasterGone, LookupError, OSError, ValueError, TypeError, struct.error):
        return None


def _header(fields: dict[str, str]) -> bytes:
    parts = [f"{name}={value}".encode() for name, value in fields.items()]
    body = b"".join(struct.pack("<I", len(part)) + part for part in parts)
    return struct.pack("<I", len(body)) + body


def _fields(body: bytes) -> dict[str, str]:
    fields, at = {}, 0
    while at + 4 <= len(body):
        size = struct.unpack_from("<I", body, at)[0]
        name, _, value = body[at + 4 : at + 4 + size].decode("utf-8", "replace").partition("=")
        fields[name] = value
        at += 4 + size
    return fields


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise OSError("The connection was closed.")
        data += part
    return data
