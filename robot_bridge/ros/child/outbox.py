"""What waits to be written to the parent: of each stream the latest alone, of all else all, in order."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from robot_bridge.ros.child.framing import FramingError, pack, write_all

if TYPE_CHECKING:
    from typing import Any, Protocol

    class Posting(Protocol):
        """Where what was heard is put down for the parent."""

        def send(self, kind: str, blob: bytes = ..., **fields: Any) -> None:
            """Kept until it is taken."""

        def post(self, stream: str, kind: str, blob: bytes = ..., **fields: Any) -> None:
            """In place of what the stream has waiting."""


MOST_WAITING = 10_000
"""Ends and halts; a parent that has taken none of so many is gone."""


class Outbox:
    """A parent that reads slowly costs old states, never memory. `is_broken` once nobody reads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._kept: deque[bytes] = deque()
        self._streams: OrderedDict[str, bytes] = OrderedDict()
        self._changed = threading.Condition()
        self._closing = False
        self._writing = False
        self.is_broken = False
        self._thread = threading.Thread(target=self._write, name="outbox", daemon=True)
        self._thread.start()

    def send(self, kind: str, blob: bytes = b"", **fields: Any) -> None:
        """Kept until it is written."""
        frame = _frame(kind, fields, blob)
        with self._changed:
            self._kept.append(frame)
            if len(self._kept) > MOST_WAITING:
                self.is_broken = True
            self._changed.notify()

    def post(self, stream: str, kind: str, blob: bytes = b"", **fields: Any) -> None:
        """In place of what the stream has waiting."""
        frame = _frame(kind, fields, blob)
        with self._changed:
            self._streams[stream] = frame
            self._changed.notify()

    def flush(self, within_s: float) -> None:
        """Write what waits, then no more."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(within_s)

    def _write(self) -> None:
        while True:
            with self._changed:
                while not self._kept and not self._streams:
                    if self._closing:
                        return
                    self._changed.wait()
                frame = self._kept.popleft() if self._kept else self._streams.popitem(last=False)[1]
            try:
                write_all(self._descriptor, frame)
            except OSError:
                self.is_broken = True
                return


def _frame(kind: str, fields: dict[str, Any], blob: bytes) -> bytes:
    try:
        return pack(dict(fields, kind=kind), blob)
    except FramingError as error:
        return pack({"kind": "bye", "reason": f"{kind} was not sent: {error}"})
