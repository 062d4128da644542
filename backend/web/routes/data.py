"""What islands and pictures are drawn from: map and timeline as JSON, frames by their content address."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from backend.web.console import Console
from backend.web.errors import NotThere
from backend.web.responses import data
from backend.web.routes.console import At

_SHA256 = re.compile(r"[0-9a-f]{64}")
FOR_EVER = "private, max-age=31536000, immutable"
"""A frame's address is its content."""


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk = console.desk

    @routes.get("/map.json")
    def map(request: Request, episode: str, at: At = None) -> Response:
        """A `MapData`: the state at the cursor."""
        return data(desk.map(desk.moment(episode, console.user(request), at)))

    @routes.get("/timeline.json")
    def timeline(request: Request, episode: str) -> Response:
        """A `TimelineData`: the whole episode, live and replayed alike."""
        return data(desk.timeline(desk.moment(episode, console.user(request))))

    @routes.get("/frames/{sha256}")
    def frame(episode: str, sha256: str) -> Response:
        """A PNG, as it was recorded."""
        if not _SHA256.fullmatch(sha256):
            raise NotThere(f"{sha256[:80]!r} names no frame", remedy="A frame's name is its SHA-256 in hex.")
        headers = {"Cache-Control": FOR_EVER}
        return Response(console.deps.frames.get(sha256), media_type="image/png", headers=headers)

    return routes
