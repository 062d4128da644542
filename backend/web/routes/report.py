"""The printable report of an episode, of its end or of any moment before it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from backend.web.builders import report
from backend.web.builders.report import report_page
from backend.web.console import Console
from backend.web.looking_back import LookingBack
from backend.web.routes.console import At


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    desk, reader = console.desk, console.deps.reader
    back = LookingBack(console.deps, console.chronicles)

    @routes.get("/episodes/{episode}/report")
    def show(request: Request, episode: str, at: At = None) -> Response:
        """One page, for a printer or as PDF."""
        now = desk.moment(episode, console.user(request), at)
        entries = reader.events(episode, until=now.state.seq, kinds=report.KINDS, limit=None)
        chrome = console.chrome(request, f"Report of {episode}")
        misled = back.of(episode, now.evaluated).misled if now.is_live else None
        page = report_page(chrome, now, reader.episode(episode), entries, desk.map(now), misled)
        return console.html(page)

    return routes
