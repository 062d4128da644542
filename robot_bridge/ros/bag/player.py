"""A recording in the place of the child process: the same messages to the world above, and nothing is sent.

It starts when it is first asked for, and goes on at its own time, `rate` recorded seconds a second. A hold is
answered at once: nothing moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from robot_bridge.ros.bag.reading import BagError, open_bag
from robot_bridge.ros.bag.tape import Posted, Tape
from robot_bridge.ros.child.node import Node
from robot_bridge.ros.child.troubles import Troubles

STATE_EVERY_S = 0.05
Message = dict[str, Any]


class BagChild:
    """As `robot_bridge.ros.process.Child` is used. `configuration`: the child's."""

    def __init__(
        self, file: Path, configuration: Message, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises BagError."""
        self._rate: float = configuration["rate"]
        self._monotonic = monotonic
        self._bag = open_bag(file)
        self._posted = Posted()
        self._troubles = Troubles()
        self._tape = Tape(self._bag, self._troubles)
        # Pictures are asked for by skills alone, and none runs.
        self._node = Node(
            {**configuration, "cameras": {}}, self._posted, self._troubles, monotonic, self._tape
        )
        self._began_s: float | None = None
        self._told_s = 0.0
        self.has_begun = False
        self.is_ready = False
        self.lives = 0
        self.why_not = "the recording has not begun"
        if not set(self._bag.topics) & set(self._node.watched):
            wanted = ", ".join(sorted(self._node.watched)[:6])
            raise BagError(f"{file.name} holds none of the topics that the robot's file names: {wanted}.")

    @property
    def pid(self) -> int | None:
        return None

    def begin(self) -> None:
        """From now on it plays: nothing of it is missed while a runner starts."""
        self.has_begun = True

    def tend(self) -> None:
        now_s = self._monotonic()
        if not self.has_begun:
            return
        if self._began_s is None:
            self._began_s, self.is_ready, self.lives, self.why_not = now_s, True, 1, ""
        at_s = self._bag.begins_s + (now_s - self._began_s) * self._rate
        self._tape.play(at_s, now_s)
        if now_s - self._told_s < STATE_EVERY_S:
            return
        self._told_s = now_s
        self._node.tick(now_s)
        self._tell_what_is_missing(now_s)
        state = self._node.state(now_s)
        self._posted.post(
            "state",
            "state",
            ros_s=at_s,
            utc_s=time.time(),
            halting=False,
            progress="",
            troubles=self._troubles.now(now_s),
            **{**state, "still": True},
        )

    def send(self, kind: str, **fields: Any) -> bool:
        if kind == "halt":
            self._posted.send("halted", halt_id=fields["halt_id"], after_s=0.0)
        return kind in ("beat", "halt")

    def take(self) -> list[tuple[Message, bytes]]:
        return self._posted.take()

    def close(self) -> None:
        """Nothing is held open between two reads."""

    def _tell_what_is_missing(self, now_s: float) -> None:
        for topic, why in self._tape.missing.items():
            watched = self._node.watched.get(topic)
            if watched is not None:
                self._troubles.say(topic, f"{watched.what}: {why}.", now_s)
        if self._tape.broken:
            self._troubles.say("recording", f"The recording ends early: {self._tape.broken}", now_s)
        elif self._tape.is_over:
            self._troubles.say("recording", "The recording is over.", now_s)
