"""What a request that failed is answered with: what is wrong, what to do, what was kept."""

from __future__ import annotations

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Link


class ErrorPage(Page, frozen=True, kw_only=True):
    template = "error.html"

    status: int
    title: str
    text: str
    remedy: str
    kept: str = ""
    way: Link
