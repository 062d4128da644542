"""Frames on a pipe: one JSON object and some bytes each, with a magic that names the version.

    magic "QDR1" | length of the JSON | length of the bytes | JSON, UTF-8 | bytes

Lengths are uint32, big end first.

Both sides use this file. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import json
import os
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    Message = dict[str, Any]

MAGIC = b"QDR1"
HEAD = struct.Struct(">4sII")
LONGEST_JSON = 4_000_000
LONGEST_BLOB = 64_000_000
CHUNK = 1 << 16


class FramingError(Exception):
    """What came is no frame, or ended within one: the other side is not what it should be, or was killed."""


def pack(message: Message, blob: bytes = b"") -> bytes:
    """Raises FramingError for what is too long or no JSON."""
    try:
        text = json.dumps(message, separators=(",", ":"), allow_nan=False).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise FramingError(f"The message is no JSON: {error}.") from None
    if len(text) > LONGEST_JSON or len(blob) > LONGEST_BLOB:
        raise FramingError(f"The message has {len(text)} + {len(blob)} bytes, more than a frame takes.")
    return HEAD.pack(MAGIC, len(text), len(blob)) + text + blob


def frames(descriptor: int) -> Iterator[tuple[Message, bytes]]:
    """Each frame that comes, until the pipe ends between two. Blocks. Raises FramingError."""
    buffer = bytearray()
    while True:
        if not _fill(descriptor, buffer, HEAD.size, may_end=True):
            return
        magic, text_size, blob_size = HEAD.unpack_from(buffer)
        if magic != MAGIC:
            raise FramingError(f"A frame begins with {bytes(magic)!r}, not with {MAGIC!r}.")
        if text_size > LONGEST_JSON or blob_size > LONGEST_BLOB:
            raise FramingError(f"A frame says it has {text_size} + {blob_size} bytes.")
        end = HEAD.size + text_size + blob_size
        _fill(descriptor, buffer, end, may_end=False)
        try:
            message = json.loads(bytes(buffer[HEAD.size : HEAD.size + text_size]), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise FramingError(f"A frame holds no JSON: {error}.") from None
        if not isinstance(message, dict):
            raise FramingError("A frame holds no JSON object.")
        blob = bytes(buffer[HEAD.size + text_size : end])
        del buffer[:end]
        yield message, blob


def write_all(descriptor: int, data: bytes) -> None:
    """Blocks while the pipe is full. Raises OSError once nobody reads it any more."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _fill(descriptor: int, buffer: bytearray, size: int, may_end: bool) -> bool:
    while len(buffer) < size:
        data = os.read(descriptor, max(CHUNK, size - len(buffer)))
        if not data:
            if may_end and not buffer:
                return False
            raise FramingError(f"The pipe ended within a frame, after {len(buffer)} of its bytes.")
        buffer += data
    return True


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
