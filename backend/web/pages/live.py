"""The bodies of the live socket's messages (docs/reference/live.md).

A message is `{type, episode, seq | stream, met_s, body}`; `type` says which of these `body` is.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

PanelName = Literal[
    "bar",
    "map",
    "plan",
    "table",
    "demonstration",
    "memory",
    "context",
    "exchange",
    "frames",
    "log",
    "audit",
    "timeline",
]


class EventBody(Struct, frozen=True, kw_only=True):
    """An event was committed: its kind, and the panels it changed. The page fetches those again."""

    kind: str
    panels: tuple[PanelName, ...]


class TelemetryBody(Struct, frozen=True, kw_only=True):
    """Where a robot is, and its readings as the page writes them. `yaw_rad` None: no heading known."""

    robot: str
    x_m: float
    y_m: float
    yaw_rad: float | None
    readings: dict[str, str]


class AgeBody(Struct, frozen=True, kw_only=True):
    """The server's clock and, by link key, how long ago each link was last heard; None: nothing is expected
    from it.
    """

    server_ms: int
    ages_s: dict[str, float | None]


class QueueTold(Struct, frozen=True, kw_only=True):
    """Something that nobody has acknowledged yet. `key` is its own across all episodes."""

    key: str
    episode: str
    title: str
    text: str
    tone: Literal["alarm", "ask", "caution"]


class QueueBody(Struct, frozen=True, kw_only=True):
    """What needs a person, over all episodes: how many, how bad at worst, and the most urgent. `returned`:
    how many alarms were over before anybody saw them.

    `version` changes when a list of episodes would, `queue` when the queue does: fetch it again then.
    """

    version: str
    queue: str
    active: int
    seen: int
    returned: int
    tone: Literal["alarm", "ask", "caution", "quiet"]
    items: tuple[QueueTold, ...]
