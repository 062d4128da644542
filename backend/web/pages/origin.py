"""The mark of an episode that an evaluation measured and that was played again: which, and is it the same."""

from __future__ import annotations

from backend.web.pages.parts import Link
from backend.web.pages.view import View


class Origin(View, frozen=True, kw_only=True):
    """`differs`: the figures that came out otherwise than stored, in words; empty where all are the same."""

    template = "episode/_origin.html"
    variable = "origin"

    title: str
    text: str
    differs: tuple[str, ...]
    way: Link
