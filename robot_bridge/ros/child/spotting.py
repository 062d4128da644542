"""Detections on their way to the parent: judged, placed in the map, thinned to the newest of each thing."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from robot_bridge.contract import ContractError
from robot_bridge.ros.child.detections import Unusable, seen_in
from robot_bridge.ros.child.geometry import FrameUnknown, planar
from robot_bridge.ros.child.messages import DETECTION
from robot_bridge.ros.child.stamps import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from robot_bridge.ros.child.detections import Seen
    from robot_bridge.ros.child.node import Node
    from robot_bridge.ros.child.outbox import Posting
    from robot_bridge.ros.child.troubles import Troubles

FLUSH_EVERY_S = 0.1
"""A detector may publish as fast as it likes; of one thing ten sightings a second are sent on."""
FLOOD_HZ = 100.0
MOST_THINGS = 200


class Spotting:
    def __init__(
        self,
        robot: dict[str, Any],
        node: Node,
        outbox: Posting,
        troubles: Troubles,
        monotonic: Callable[[], float],
    ) -> None:
        self._sources: dict[str, dict[str, Any]] = robot["detections"]
        self._map: str = robot["pose"]["map"]
        self._rate: float = robot["rate"]
        self._node = node
        self._outbox = outbox
        self._troubles = troubles
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._waiting: dict[str, dict[Any, tuple[dict[str, Any], float]]] = {
            name: {} for name in self._sources
        }
        self._heard: dict[str, int] = dict.fromkeys(self._sources, 0)
        self._flushed_s = 0.0
        self._counted_s = 0.0

    def subscribe(self, hear: Callable[..., None]) -> None:
        for name, source in self._sources.items():
            is_raw = not self._node.source.knows(source["type"])  # then decoded by what its sender says of it
            hear(
                source["topic"],
                source["type"],
                f"detections {name}",
                lambda message, name=name: self._take(name, message),
                raw=is_raw,
                queue_size=50,
                buff_size=1 << 20,
            )

    def flush(self, now_s: float) -> None:
        self._tell_floods(now_s)
        if now_s - self._flushed_s < FLUSH_EVERY_S:
            return
        self._flushed_s = now_s
        with self._lock:
            waiting, self._waiting = self._waiting, {name: {} for name in self._sources}
        for name, things in waiting.items():
            if things:
                sent = [
                    dict(seen, age_s=round(seen["age_s"] + (now_s - at_s) * self._rate, 3))
                    for seen, at_s in things.values()
                ]
                self._outbox.send("detections", source=name, detections=sent)

    def _tell_floods(self, now_s: float) -> None:
        if now_s - self._counted_s < 1.0:
            return
        with self._lock:
            heard, self._heard = self._heard, dict.fromkeys(self._sources, 0)
        for name, count in heard.items():
            rate = count / (now_s - self._counted_s)
            if rate > FLOOD_HZ and self._counted_s > 0.0:
                told = f"detections {name}: {rate:.0f} messages a second; of each thing the newest is used."
                self._troubles.say(f"flood {name}", told, now_s)
        self._counted_s = now_s

    def _take(self, name: str, message: Any) -> None:
        """Raises Unfit for the message; a part of it that is unfit is left out and told."""
        source = self._sources[name]
        with self._lock:
            self._heard[name] += 1
        try:
            seen = seen_in(_decoded(message, source["type"]), source["kind"], source)
        except Unusable as error:
            raise Unfit(str(error)) from None
        now_s = self._monotonic()
        for each in seen:
            try:
                age_s = self._node.stamps.age_of(each.stamp_s, old_s=source["old_s"]).age_s
                placed = self._node.in_map(source["frame"] or each.frame, each.frame_from_object)
                if not 0.0 <= each.confidence <= 1.0:
                    raise Unfit(f"a confidence of {each.confidence:g}; it is 0 to 1")
                self._keep(name, each, planar(self._map, placed), age_s, now_s)
            except (Unfit, FrameUnknown, ContractError) as error:
                told = f"detections {name}: {source['topic']} was refused: {error}"
                self._troubles.say(source["topic"], told, now_s)

    def _keep(self, name: str, each: Seen, pose: dict[str, Any], age_s: float, now_s: float) -> None:
        """Raises ContractError for what the parent would not take."""
        thing = each.entity or (each.cls, round(pose["x_m"], 1), round(pose["y_m"], 1))
        seen = {
            "entity": each.entity,
            "cls": each.cls,
            "pose": pose,
            "confidence": round(each.confidence, 4),
            "age_s": age_s,
        }
        DETECTION(seen, "it")
        with self._lock:
            things = self._waiting[name]
            if thing in things or len(things) < MOST_THINGS:
                things[thing] = (seen, now_s)


def _decoded(message: Any, type_name: str) -> Any:
    """The message itself, or what its connection's header says it is. Raises Unusable."""
    if not hasattr(message, "_connection_header") or not hasattr(message, "_buff"):
        return message
    header = message._connection_header
    if header.get("type") != type_name:
        raise Unusable(f"it is {header.get('type')}, and the robot's file says {type_name}")
    made = _dynamic(type_name, header["message_definition"])()
    made.deserialize(message._buff)
    return made


_MADE: dict[str, Any] = {}


def _dynamic(type_name: str, definition: str) -> Any:
    if type_name not in _MADE:
        from genpy.dynamic import generate_dynamic

        _MADE[type_name] = generate_dynamic(type_name, definition)[type_name]
    return _MADE[type_name]
