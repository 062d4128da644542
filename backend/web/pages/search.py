"""The search over all episodes: a question, and the moments that answer it, episode by episode."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Empty, FieldError, Icon, Link, Phrase


class FoundMoment(Struct, frozen=True, kw_only=True):
    """`moment` leads to it, in the tab that shows it. `kind` in words; `author` may be empty."""

    moment: Link
    icon: Icon
    kind: str
    text: Phrase
    author: str = ""


class FoundEpisode(Struct, frozen=True, kw_only=True):
    """`facts`: mission, planner, outcome and when, in one line."""

    episode: Link
    title: str
    facts: str
    moments: tuple[FoundMoment, ...]


class SearchField(Struct, frozen=True, kw_only=True):
    name: str
    meaning: str


class SearchPage(Page, frozen=True, kw_only=True):
    """`note`: how many were found, and what is not indexed yet."""

    template = "search/show.html"

    q: str
    note: str
    groups: tuple[FoundEpisode, ...] = ()
    earlier: Link | None = None
    later: Link | None = None
    examples: tuple[Link, ...] = ()
    fields: tuple[SearchField, ...] = ()
    errors: tuple[FieldError, ...] = ()
    empty: Empty | None = None
