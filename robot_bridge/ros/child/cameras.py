"""The newest picture of each camera, undecoded; one is sent when the parent asks for it, and not before."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from robot_bridge.ros.child.framing import LONGEST_BLOB
from robot_bridge.ros.child.kinds import message_class
from robot_bridge.ros.child.plain import whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from robot_bridge.ros.child.outbox import Posting
    from robot_bridge.ros.child.troubles import Troubles

TYPES = {"raw": "sensor_msgs/Image", "compressed": "sensor_msgs/CompressedImage"}
BUFFER_BYTES = 1 << 24
"""Else rospy works through old pictures and latency grows."""


class Cameras:
    def __init__(
        self,
        cameras: dict[str, dict[str, Any]],
        outbox: Posting,
        troubles: Troubles,
        monotonic: Callable[[], float],
    ) -> None:
        self._cameras = cameras
        self._outbox = outbox
        self._troubles = troubles
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._latest: dict[str, tuple[bytes, float]] = {}

    def subscribe(self, hear: Callable[..., None]) -> None:
        for name, camera in self._cameras.items():
            hear(
                camera["topic"],
                TYPES[camera["kind"]],
                f"camera {name}",
                lambda message, name=name: self._take(name, message),
                raw=True,
                never_pauses=True,
                queue_size=1,
                buff_size=BUFFER_BYTES,
            )

    def send(self, request: int, name: str) -> None:
        """Answer a request; an empty picture where there is none that can be sent."""
        with self._lock:
            latest = self._latest.get(name)
        fields: dict[str, Any] = {"encoding": "", "width": 0, "height": 0, "step": 0, "age_s": None}
        blob = b""
        if latest is not None and len(latest[0]) < LONGEST_BLOB:
            fields["age_s"] = round(self._monotonic() - latest[1], 3)
            blob = self._opened(name, latest[0], fields)
        self._outbox.post(f"picture {request}", "picture", blob, request=request, camera=name, **fields)

    def _opened(self, name: str, data: bytes, fields: dict[str, Any]) -> bytes:
        """Its pixels; their layout goes into `fields`. Empty where it is no picture."""
        kind = self._cameras[name]["kind"]
        picture = message_class(TYPES[kind])()
        try:
            picture.deserialize(data)
        except Exception as error:  # genpy raises whatever the bytes break
            told = f"camera {name}: {self._cameras[name]['topic']} was refused: {error}"
            self._troubles.say(f"picture {name}", told, self._monotonic())
            return b""
        if kind == "raw":
            fields.update(width=picture.width, height=picture.height, step=picture.step)
            fields["encoding"] = whole(picture.encoding, 100) + (" big" if picture.is_bigendian else "")
        else:
            fields["encoding"] = "compressed"
        return bytes(picture.data)

    def _take(self, name: str, message: Any) -> None:
        header = message._connection_header
        wanted = TYPES[self._cameras[name]["kind"]]
        if header.get("type") != wanted:
            raise ValueError(f"it is {header.get('type')}, and the robot's file says {wanted}")
        with self._lock:
            self._latest[name] = (message._buff, self._monotonic())
