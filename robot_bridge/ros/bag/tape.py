"""A recording in the place of rospy: its messages are given out in time, and judged as live ones are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from robot_bridge.ros.bag.reading import Bag, BagError, Recorded
from robot_bridge.ros.child.troubles import Troubles

Message = dict[str, Any]


class Posted:
    """What the node put down, until it is taken."""

    def __init__(self) -> None:
        self._kept: list[tuple[Message, bytes]] = []
        self._streams: dict[str, tuple[Message, bytes]] = {}

    def send(self, kind: str, blob: bytes = b"", **fields: Any) -> None:
        self._kept.append(({**fields, "kind": kind}, blob))

    def post(self, stream: str, kind: str, blob: bytes = b"", **fields: Any) -> None:
        self._streams[stream] = ({**fields, "kind": kind}, blob)

    def take(self) -> list[tuple[Message, bytes]]:
        kept, self._kept = self._kept, []
        streams, self._streams = self._streams, {}
        return kept + list(streams.values())


class Tape:
    """Implements the child's `Source`. `is_over` once the last message was given out; `broken` says why it
    ended early."""

    def __init__(self, bag: Bag, troubles: Troubles) -> None:
        self._bag = bag
        self._troubles = troubles
        self._called: dict[str, list[Callable[[Any], None]]] = defaultdict(list)
        self._messages: Iterator[Recorded] | None = None
        self._next: Recorded | None = None
        self._now_s = bag.begins_s
        self.missing: dict[str, str] = {}
        """Topics of the robot's file that cannot be heard, each with the reason."""
        self.is_over = False
        self.broken = ""

    def now_s(self) -> float:
        return self._now_s

    def knows(self, type_name: str) -> bool:
        return True

    def subscribe(self, topic: str, type_name: str, called: Callable[[Any], None], **options: Any) -> None:
        recorded = self._bag.topics.get(topic)
        if recorded is None:
            self.missing[topic] = f"{topic} was not recorded"
        elif recorded != type_name:
            self.missing[topic] = f"{topic} was recorded as {recorded}, and the robot's file says {type_name}"
        else:
            self._called[topic].append(called)

    def play(self, until_s: float, now_s: float) -> None:
        """Give out what was recorded up to `until_s`; `now_s` is monotonic."""
        self._now_s = max(self._now_s, until_s)
        while not self.is_over:
            if self._next is None and not self._fetch():
                return
            assert self._next is not None
            if self._next.at_s > until_s:
                return
            recorded, self._next = self._next, None
            self._give(recorded, now_s)

    def _fetch(self) -> bool:
        if self._messages is None:
            self._messages = self._bag.read(set(self._called))
        try:
            self._next = next(self._messages, None)
        except BagError as error:
            self.broken = str(error)
        self.is_over = self._next is None
        return not self.is_over

    def _give(self, recorded: Recorded, now_s: float) -> None:
        if recorded.problem:
            self._troubles.say(recorded.topic, f"{recorded.topic} was refused: {recorded.problem}", now_s)
            return
        for called in self._called[recorded.topic]:
            called(recorded.message)
