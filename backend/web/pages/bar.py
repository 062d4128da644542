"""The status bar: what the robot is doing, on which clock, how old each link is, who commands, and HOLD."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.conn import Conn
from backend.web.pages.parts import Icon, Link, Phrase, Tone
from backend.web.pages.view import View


class Phase(Struct, frozen=True, kw_only=True):
    """One of: executing, planning, awaiting approval, stopping, held, link lost, complete, replay, and their
    like.
    """

    icon: Icon
    title: str
    detail: Phrase
    tone: Tone = "quiet"


class LinkAge(Struct, frozen=True, kw_only=True):
    """`key` is what the live socket calls it: `server`, `planner`, `robot:NAME`, `source:NAME`.

    `age_s` None with `idle`: nothing is expected from it, `text` says so.
    """

    key: str
    label: str
    text: str
    state: Literal["fresh", "stale", "down", "idle"]
    age_s: float | None = None


class HoldControl(Struct, frozen=True, kw_only=True):
    """`ready`, then `stopping` until the bridge has measured standstill, then `held` until it is released;
    `gone` when there is no robot left to stop.

    `note` is the small word under it ("not confirmed", "release…", "live robot").
    """

    state: Literal["ready", "stopping", "held", "gone"]
    note: str = ""


class StatusBar(View, frozen=True, kw_only=True):
    """`at`: the replayed seq, None when live.

    `met_runs`: the clock goes on between events (and is not replayed). `up`: where the episode is listed.
    `delivered`: how far it is, in what `counted` names; at a table in steps.
    """

    template = "episode/_bar.html"
    variable = "bar"

    episode: str
    at: int | None
    title: str
    mission: str
    counted: str
    delivered: str
    calls: str
    phase: Phase
    met: str
    met_s: float
    met_runs: bool
    utc: str
    utc_iso: str
    links: tuple[LinkAge, ...]
    conn: Conn
    hold: HoldControl
    up: Link = Link(label="Episodes", href="/episodes")


class Replay(View, frozen=True, kw_only=True):
    """The banner of a replayed moment. `behind`: "4:44 min before live"."""

    template = "episode/_replay.html"
    variable = "replay"

    episode: str
    at: int
    met: str
    behind: str
