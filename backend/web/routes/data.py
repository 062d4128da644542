"""What islands and pictures are drawn from: map and timeline as JSON, frames by their content address."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backend.domain.execution.gating import changed_pixels
from backend.usecases.framing import UnreadablePicture
from backend.web.builders.gate_form import USUAL
from backend.web.console import Console
from backend.web.errors import NotThere
from backend.web.pictures import png_of
from backend.web.responses import data
from backend.web.routes.console import At

_SHA256 = re.compile(r"[0-9a-f]{64}")
Level = Annotated[int, Query(ge=0, le=255, description="Levels of 255 past which a pixel has changed.")]
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
        return _picture(stored(sha256))

    @routes.get("/frames/{sha256}/difference")
    def difference(episode: str, sha256: str, before: str, level: Level = USUAL.level) -> Response:
        """A PNG of the frame's size: white where a channel differs from the frame `before` by more than
        `level`."""
        pixels = console.deps.pixels
        try:
            changed = changed_pixels(pixels(stored(before)), pixels(stored(sha256)), level)
        except UnreadablePicture as error:
            raise NotThere(f"Frame {sha256[:12]} cannot be compared", text=str(error)) from error
        return _picture(png_of(changed))

    def stored(sha256: str) -> bytes:
        if not _SHA256.fullmatch(sha256):
            raise NotThere(f"{sha256[:80]!r} names no frame", remedy="A frame's name is its SHA-256 in hex.")
        return console.deps.frames.get(sha256)

    return routes


def _picture(png: bytes) -> Response:
    return Response(png, media_type="image/png", headers={"Cache-Control": FOR_EVER})
