"""The queue: what needs a person, over all episodes, wherever in the console one is."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Icon
from backend.web.pages.view import View


class QueueItem(Struct, frozen=True, kw_only=True):
    """One concern. `key` names this occurrence of it; `seen_by` is empty until somebody has acknowledged it.

    `since_ms`, `ends_ms`: waiting since and answered until, epoch milliseconds; `waited`, `left` the same in
    words, for pages without scripts. `lasted`: of an alarm that is over, how long it held; its
    `since_ms` is when it ended.
    """

    episode: str
    mission: str
    key: str
    tone: Literal["alarm", "ask", "caution"]
    icon: Icon
    title: str
    text: str
    waited: str = ""
    left: str = ""
    since_ms: int | None = None
    ends_ms: int | None = None
    seen_by: str = ""
    lasted: str = ""


class QueueView(View, frozen=True, kw_only=True):
    """`active`: nobody has seen it yet; `seen`: acknowledged and not over. Each the most urgent first.
    `returned`: alarms that were over before anybody saw them, the newest first."""

    template = "queue/_queue.html"
    variable = "queue"

    active: tuple[QueueItem, ...]
    seen: tuple[QueueItem, ...]
    returned: tuple[QueueItem, ...] = ()
    may_acknowledge: bool
