"""The search over all episodes as the page and the API use it: the index is caught up first, for a moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from backend.domain.refusal import Refusal
from backend.domain.search.query import Query, read_query

PAGE = 50
FARTHEST = 100_000
CATCH_UP_S = 2.0
"""How long a search waits for what is not indexed yet."""


class Found(Protocol):
    """A moment, and the episode that it is in. `outcome`: empty while that goes on."""

    @property
    def episode(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def mission(self) -> str: ...

    @property
    def planner(self) -> str: ...

    @property
    def outcome(self) -> str: ...

    @property
    def ordered_by(self) -> str: ...

    @property
    def ordered_utc(self) -> str: ...

    @property
    def seq(self) -> int: ...

    @property
    def met_s(self) -> float: ...

    @property
    def kind(self) -> str: ...

    @property
    def author(self) -> str: ...

    @property
    def text(self) -> str: ...


class Search(Protocol):
    def find(self, query: Query, *, limit: int, offset: int = 0) -> Sequence[Found]:
        """Of the newest episodes first, each in order."""

    def catch_up(self, is_over: Callable[[], bool]) -> int:
        """Indexes what is not, until `is_over()`; how many episodes are left."""


class Answer(Struct, frozen=True, kw_only=True):
    """`is_more`: there are moments beyond these. `behind`: episodes that are not, or not wholly, indexed."""

    query: Query
    found: Sequence[Found]
    is_more: bool
    behind: int


def search(
    index: Search, text: str, *, start: int = 0, limit: int = PAGE, within_s: float = CATCH_UP_S
) -> Answer | Refusal:
    """An empty question finds nothing."""
    query = read_query(text)
    if isinstance(query, Refusal):
        return query
    deadline_s = time.monotonic() + within_s
    behind = index.catch_up(lambda: time.monotonic() > deadline_s)
    if query.is_empty:
        return Answer(query=query, found=(), is_more=False, behind=behind)
    found = index.find(query, limit=limit + 1, offset=start)
    return Answer(query=query, found=found[:limit], is_more=len(found) > limit, behind=behind)
