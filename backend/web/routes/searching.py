"""The search over all episodes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backend.domain.refusal import Refusal
from backend.web.builders.search import search_page
from backend.web.console import Console
from backend.web.searching import FARTHEST, search

Question = Annotated[str, Query(max_length=2000)]
Start = Annotated[int, Query(ge=0, le=FARTHEST, description="How many moments to pass over.")]


def router(console: Console) -> APIRouter:
    routes = APIRouter()

    @routes.get("/search")
    def show(request: Request, q: Question = "", start: Start = 0) -> Response:
        """Every word must be in one moment; fields such as `skill:` narrow it."""
        answer = search(console.deps.search, q, start=start)
        page = search_page(console.chrome(request, "Search"), q, answer, start)
        return console.html(page, 422 if isinstance(answer, Refusal) else 200)

    return routes
