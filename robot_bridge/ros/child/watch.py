"""Asks the master all the while whether it is the same, and why a topic says nothing; in its own thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from robot_bridge.ros.child.handshake import published_type
from robot_bridge.ros.child.master import MasterGone, master_pid, publishers, topic_types

if TYPE_CHECKING:
    from collections.abc import Callable

    from robot_bridge.ros.child.node import Node, Watched
    from robot_bridge.ros.child.troubles import Troubles

EVERY_S = 0.5
SILENT_S = 1.5
MISSES = 2
"""Probes that may fail one after the other: a busy machine is no lost master."""


class Watch:
    """`lost` says why the master is not the one that this process registered with; empty while it is."""

    def __init__(
        self, uri: str, pid: int, node: Node, troubles: Troubles, monotonic: Callable[[], float]
    ) -> None:
        self._uri = uri
        self._pid = pid
        self._node = node
        self._troubles = troubles
        self._monotonic = monotonic
        self._ending = threading.Event()
        self._started_s = monotonic()
        self._types: dict[tuple[str, str], str] = {}
        self.lost = ""
        threading.Thread(target=self._watch, name="master watch", daemon=True).start()

    def close(self) -> None:
        self._ending.set()

    def _watch(self) -> None:
        misses = 0
        while not self._ending.wait(EVERY_S):
            try:
                pid = master_pid(self._uri)
                self._explain()
                misses = 0
            except MasterGone as error:
                misses += 1
                if misses >= MISSES:
                    self.lost = str(error)
                    return
                continue
            if pid != self._pid:
                self.lost = f"The ROS master at {self._uri} is another one: it was restarted."
                return

    def _explain(self) -> None:
        """Raises MasterGone."""
        now_s = self._monotonic()
        silent = {
            topic: watched
            for topic, watched in list(self._node.watched.items())
            if now_s - self._node.heard.get(topic, self._started_s) > SILENT_S
        }
        if not silent:
            return
        types, who = topic_types(self._uri), publishers(self._uri)
        for topic, watched in silent.items():
            told = self._why_silent(topic, watched, types.get(topic, watched.type), who.get(topic, []), now_s)
            if told:
                self._troubles.say(topic, f"{watched.what}: {told}", now_s)

    def _why_silent(
        self, topic: str, watched: Watched, registered: str, nodes: list[str], now_s: float
    ) -> str:
        """Empty where the topic may well be silent."""
        if not nodes:
            return f"nobody publishes {topic}."
        for node in nodes:
            if (topic, node) not in self._types:
                self._types[topic, node] = published_type(self._uri, node, topic) or registered
        others = [
            self._types[topic, node] for node in nodes if self._types[topic, node] not in (watched.type, "*")
        ]
        if others:
            there = others[0]
            return f"{topic} is {there}, and the robot's file says {watched.type}: no message comes through."
        if not watched.never_pauses:
            return ""
        age_s = now_s - self._node.heard.get(topic, self._started_s)
        return f"nothing on {topic} for {age_s:.1f} s: its node is frozen, or out of reach."
