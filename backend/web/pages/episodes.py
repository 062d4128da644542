"""The list of episodes: what needs a person first."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Choice, Empty, Icon, Notice
from backend.web.pages.view import View


class EpisodeRow(View, frozen=True, kw_only=True):
    """`what`: asked, doing, or how it ended.

    `time` and `time_note`: waiting and its bound, MET, or when it ended.

    `since_ms`, `ends_ms`: waiting since and answered until, in epoch milliseconds, so that both tick.
    `link_age_s`: of the robot's link, None where it is not known. `seen_by`: who has acknowledged what is
    asked. `more`: how many more concerns there are.

    `hold`: "ready" offers HOLD, "stopping" and "held" say so, "none" has no robot to stop.
    """

    template = "episodes/_card.html"
    variable = "row"

    episode: str
    group: Literal["need", "run", "ended"]
    tone: Literal["quiet", "ask", "alarm", "caution"]
    icon: Icon
    state: str
    mission: str
    robots: str
    what: str
    time: str
    time_note: str
    delivered: str
    delivered_share: float
    budget: str
    budget_share: float
    budget_is_low: bool
    link: str
    link_is_stale: bool
    conn: str
    action: str
    hold: Literal["ready", "stopping", "held", "none"]
    since_ms: int | None = None
    ends_ms: int | None = None
    link_age_s: float | None = None
    seen_by: str = ""
    more: int = 0


class EpisodeGroup(Struct, frozen=True, kw_only=True):
    """A list under its heading. `what`, `time`: headings of the two columns that differ between groups."""

    name: Literal["need", "seen", "run", "ended"]
    title: str
    note: str
    what: str
    time: str
    rows: tuple[EpisodeRow, ...]
    empty: Empty | None = None


class EpisodeList(View, frozen=True, kw_only=True):
    """What is fetched again when something in it changed. `query`, `show`: the filters as asked for."""

    template = "episodes/_list.html"
    variable = "list"

    summary: str
    query: str
    show: str
    groups: tuple[EpisodeGroup, ...]
    notice: Notice | None = None


class EpisodesPage(Page, frozen=True, kw_only=True):
    template = "episodes/show.html"

    list: EpisodeList
    filters: tuple[Choice, ...]
    may_start: bool
