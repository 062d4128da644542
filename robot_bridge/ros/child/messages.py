"""What parent and child say to each other, version 1. Each side checks what it is sent with these tables.

To the child: `configure` first; then `beat`, `goal`, `halt`, `picture`. To the parent: `ready` first; then
`state` (20 a second, the latest counts), `map`, `detections`, `ended`, `halted`, `picture`, `bye`.

Times: `ros_s` is ROS's clock, `utc_s` this machine's, both since 1970; ages are measured by the child's
monotonic clock. Poses are planar, in the frame that they name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robot_bridge import contract as c

if TYPE_CHECKING:
    from typing import Any

VERSION = 1
ENDS = ("succeeded", "failed", "cancelled", "lost", "halted", "refused")
"""`lost`: the server fell silent, so that nobody knows; `halted`: the child stopped it by itself, for want of
parent or master; `refused`: it was never sent."""


def anything(value: Any, field: str) -> None:
    """Checked by whoever uses it."""


POSE = {"x_m": c.number, "y_m": c.number, "yaw_rad": c.number, "frame_id": c.identity}


def table(fields: dict[str, c.Check]) -> c.Check:
    """An object with exactly these fields."""

    def check(value: Any, field: str) -> None:
        if not isinstance(value, dict):
            raise c.ContractError(field, "is no object", "Send one.")
        for name, inner in fields.items():
            if name not in value:
                raise c.ContractError(f"{field}.{name}", "is missing", "Send it.")
            inner(value[name], f"{field}.{name}")
        for name in value:
            if name not in fields:
                raise c.ContractError(f"{field}.{name}", "is unknown", "Leave it out.")

    return check


DETECTION = table({
    "entity": c.nullable(c.identity), "cls": c.identity, "pose": table(POSE), "confidence": c.number,
    "age_s": c.number,
})  # fmt: skip
TO_CHILD = {
    "configure": {"version": c.count, "robot": anything},
    "beat": {},
    "goal": {"goal_id": c.identity, "skill": c.identity, "values": anything},
    "halt": {"halt_id": c.identity, "reason": c.text},
    "picture": {"request": c.count, "camera": c.identity},
}
TO_PARENT = {
    "ready": {"version": c.count, "pid": c.count, "node": c.identity, "ros_s": c.number},
    "state": {
        "ros_s": c.number,
        "utc_s": c.number,
        "pose": c.nullable(table(POSE)),
        "pose_age_s": c.nullable(c.number),
        "speed_m_s": c.nullable(c.number),
        "still": c.boolean,
        "halting": c.boolean,
        "progress": c.text,
        "joints": c.mapping_of(c.number),
        "joints_age_s": c.nullable(c.number),
        "battery": c.nullable(c.number),
        "robots": c.list_of(table({"name": c.identity, "pose": table(POSE)})),
        "troubles": c.list_of(c.text),
    },
    "map": {"width": c.count, "height": c.count, "cell_m": c.length, "pose": table(POSE)},
    "detections": {"source": c.identity, "detections": c.list_of(DETECTION)},
    "ended": {"goal_id": c.identity, "end": c.one_of(*ENDS), "result": anything, "message": c.text},
    "halted": {"halt_id": c.identity, "after_s": c.number},
    "picture": {"request": c.count, "camera": c.identity, "encoding": c.text, "width": c.count,
                "height": c.count, "step": c.count, "age_s": c.nullable(c.number)},
    "bye": {"reason": c.text},
}  # fmt: skip


def check(message: dict[str, Any], known: dict[str, dict[str, c.Check]]) -> str:
    """The message's kind. Raises ContractError for what the tables do not allow."""
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in known:
        raise c.ContractError("kind", "is unknown", "Send one of {}.".format(", ".join(known)))
    table({"kind": c.text, **known[kind]})(message, kind)
    return kind
