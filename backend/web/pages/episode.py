"""The episode console: one page, live or replayed."""

from __future__ import annotations

from backend.web.pages.bar import Replay, StatusBar
from backend.web.pages.chrome import Page
from backend.web.pages.evidence import Evidence
from backend.web.pages.map import MapShell
from backend.web.pages.origin import Origin
from backend.web.pages.plan import PlanCard
from backend.web.pages.timeline import TimelineView


class EpisodePage(Page, frozen=True, kw_only=True):
    """`head`: the newest seq this page already shows, from where the live socket goes on.

    `replay` None: it is live. `origin`: what evaluation it is of, None for an operators' episode. `shadow`:
    that nothing is sent to the robot, in words; empty where steps are.
    """

    template = "episode/show.html"

    episode: str
    head: int
    replay: Replay | None
    bar: StatusBar
    map: MapShell
    plan: PlanCard
    evidence: Evidence
    timeline: TimelineView
    origin: Origin | None = None
    shadow: str = ""
