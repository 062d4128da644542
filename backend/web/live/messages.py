"""What a tab is told, encoded once for all tabs that listen."""

from __future__ import annotations

import time

import msgspec

from backend.usecases.live import TelemetryMessage
from backend.usecases.reading import Entry
from backend.web.builders.readings import told
from backend.web.live.panels import panels_of
from backend.web.pages.live import AgeBody, EventBody, QueueBody, TelemetryBody

_encoder = msgspec.json.Encoder()


def event_text(episode: str, entry: Entry) -> str:
    recorded = entry.recorded
    body = EventBody(kind=entry.kind, panels=panels_of(entry.kind))
    return _text(
        {"type": "event", "episode": episode, "seq": recorded.seq, "met_s": recorded.met_s, "body": body}
    )


def shown_of(message: TelemetryMessage) -> TelemetryBody:
    body = message.body
    return TelemetryBody(
        robot=body.robot,
        x_m=body.x_m,
        y_m=body.y_m,
        yaw_rad=body.yaw_rad,
        readings=told(msgspec.to_builtins(body)),
    )


def telemetry_text(message: TelemetryMessage, shown: TelemetryBody) -> str:
    return _text(
        {
            "type": "telemetry",
            "episode": message.episode,
            "stream": f"robot:{message.stream}",
            "met_s": message.met_s,
            "body": shown,
        }
    )


def age_text(episode: str, met_s: float, ages_s: dict[str, float | None]) -> str:
    body = AgeBody(server_ms=time.time_ns() // 1_000_000, ages_s=ages_s)
    return _text({"type": "age", "episode": episode, "stream": "links", "met_s": met_s, "body": body})


def queue_text(body: QueueBody) -> str:
    return _text({"type": "queue", "episode": "", "stream": "queue", "met_s": 0.0, "body": body})


def _text(message: dict[str, object]) -> str:
    return _encoder.encode(message).decode()
