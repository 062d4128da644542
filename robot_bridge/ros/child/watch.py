"""Asks the master all the while whether it is the same, and why a topic says nothing; in its own thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from robot_bridge.ros.child.handshake import Published, published
from robot_bridge.ros.child.kinds import TypeMissing, message_class
from robot_bridge.ros.child.master import MasterGone, master_pid, publishers

if TYPE_CHECKING:
    from collections.abc import Callable

    from robot_bridge.ros.child.node import Node, Watched
    from robot_bridge.ros.child.troubles import Troubles

EVERY_S = 0.5
SILENT_S = 1.5
ASK_AGAIN_S, ASKING_S = 3.0, 1.0
MISSES = 2
"""Probes that may fail one after the other: a busy machine is no lost master."""


class Asked(NamedTuple):
    """What a node said that it publishes, when it was asked last, and how often since without an answer."""

    there: Published
    at_s: float
    misses: int


NEVER = Asked(Published("*", "*"), -1e9, 0)


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
        self._asked: dict[tuple[str, str], Asked] = {}
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
        who = publishers(self._uri)
        for topic, watched in silent.items():
            told = self._why_silent(topic, watched, who.get(topic, []), now_s)
            if told:
                self._troubles.say(topic, f"{watched.what}: {told}", now_s)

    def _why_silent(self, topic: str, watched: Watched, nodes: list[str], now_s: float) -> str:
        """Empty where the topic may well be silent."""
        if not nodes:
            return f"nobody publishes {topic}."
        there = [self._there(topic, node, now_s) for node in nodes]
        told = [unlike(topic, watched.type, each, md5_of) for each in there if each is not None]
        if any(told):
            return next(each for each in told if each)
        if told and not watched.never_pauses:
            return ""
        age_s = now_s - self._node.heard.get(topic, self._started_s)
        return f"nothing on {topic} for {age_s:.1f} s: its node is frozen, or out of reach."

    def _there(self, topic: str, node: str, now_s: float) -> Published | None:
        """What the node publishes; None where it has not answered twice, as one that crashed and is still
        registered. Asked now and then, and not where asking has taken long: the master is watched too."""
        asked = self._asked.get((topic, node), NEVER)
        if now_s - asked.at_s > ASK_AGAIN_S and self._monotonic() - now_s < ASKING_S:
            found = published(self._uri, node, topic)
            misses = 0 if found is not None else asked.misses + 1
            asked = Asked(found or asked.there, self._monotonic(), misses)
            self._asked[topic, node] = asked
        return asked.there if asked.misses < MISSES else None


def unlike(topic: str, wanted: str, there: Published, md5_of: Callable[[str], str]) -> str:
    """Why no message of `there` is heard as `wanted`; empty where they are alike, as far as is known."""
    if there.type not in (wanted, "*"):
        return f"{topic} is {there.type}, and the robot's file says {wanted}: no message comes through."
    if "*" not in (there.md5, md5_of(wanted)) and there.md5 != md5_of(wanted):
        return (
            f"{topic} is {wanted} by another definition than is installed here: no message comes through."
            " Install the robot's own package of it."
        )
    return ""


def md5_of(type_name: str) -> str:
    """Of the definition that is installed here; "*" where none is."""
    try:
        return str(message_class(type_name)._md5sum)
    except TypeMissing:
        return "*"
