"""The messages of a runner's socket (docs/reference/live.md): what was committed, where robots are, ages.

JSON objects `{type, episode, seq | stream, met_s, body}`. They tell that something changed; what changed is
read from the database, so a message that got lost costs nothing but time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct


class EventBody(Struct, frozen=True, kw_only=True):
    kind: str
    actor: str


class ArmBody(Struct, frozen=True, kw_only=True):
    """`opening_m` between the fingers, `height_m` of the grip; `touches`: what each finger touches."""

    joints_rad: tuple[float, ...]
    opening_m: float
    height_m: float
    touches: tuple[str, ...]


class TelemetryBody(Struct, frozen=True, kw_only=True):
    """A robot now. `held`, `gripper_open`: None for a robot without a gripper; `battery` 0 to 1 or None.

    `arm`: None where its bridge measures none. `trouble`: what is wrong with it, empty where nothing is; None
    where its bridge never says; `progress`: what its running skill says of itself, likewise.
    """

    robot: str
    x_m: float
    y_m: float
    yaw_rad: float
    frame_id: str
    speed_m_s: float
    held: str | None
    gripper_open: bool | None
    battery: float | None
    doing: str
    arm: ArmBody | None = None
    trouble: str | None = None
    progress: str | None = None


class AgeBody(Struct, frozen=True, kw_only=True):
    """Seconds since each link was last heard, by key; None: nothing is expected from it.

    `seq`: the journal's head.

    Keys: `runner` (its last completed pass), `planner` (since it was asked), `robot:NAME`, `source:NAME`
    (since it last gave evidence).
    """

    seq: int
    ages_s: Mapping[str, float | None]


class EventMessage(Struct, frozen=True, kw_only=True, tag="event"):
    episode: str
    seq: int
    met_s: float
    body: EventBody


class TelemetryMessage(Struct, frozen=True, kw_only=True, tag="telemetry"):
    """`stream` is the robot's name: a newer message of a stream replaces the older."""

    episode: str
    stream: str
    met_s: float
    body: TelemetryBody


class AgeMessage(Struct, frozen=True, kw_only=True, tag="age"):
    episode: str
    stream: str = "ages"
    met_s: float
    body: AgeBody


LiveMessage = EventMessage | TelemetryMessage | AgeMessage

NUDGE = '{"type":"nudge"}'
"""What a web process sends after it wrote an intent: the runner looks into its inbox now."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(LiveMessage)


def encode_live(message: LiveMessage) -> str:
    return _encoder.encode(message).decode()


def decode_live(text: str | bytes) -> LiveMessage:
    """Raises msgspec.MsgspecError for what is no such message."""
    return _decoder.decode(text)


def telemetry_of(episode: str, met_s: float, robot: Mapping[str, Any]) -> TelemetryMessage:
    """From the contract's ROBOT_NOW."""
    pose, gripper = robot["pose"], robot["gripper"]
    body = TelemetryBody(
        robot=robot["name"],
        x_m=pose["x_m"],
        y_m=pose["y_m"],
        yaw_rad=pose["yaw_rad"],
        frame_id=pose["frame_id"],
        speed_m_s=robot["speed_m_s"],
        held=None if gripper is None else gripper["held"],
        gripper_open=None if gripper is None else gripper["open"],
        battery=robot["battery"],
        doing=robot["doing"],
        arm=msgspec.convert(robot.get("arm"), ArmBody | None),
        trouble=robot.get("trouble"),
        progress=robot.get("progress"),
    )
    return TelemetryMessage(episode=episode, stream=robot["name"], met_s=met_s, body=body)
