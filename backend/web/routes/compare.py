"""Two episodes side by side, and the choice of them. Nothing here commands a robot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backend.domain.comparing.cursor import By
from backend.usecases.reading import EpisodeSummary
from backend.web.builders.compare import compare_page
from backend.web.builders.compare_choice import choose_page
from backend.web.comparing import Comparer
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.responses import see

Episode = Annotated[str, Query(max_length=200)]
Place = Annotated[float | None, Query(ge=0, allow_inf_nan=False, description="The cursor's place.")]
READ = 100


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/compare")
    reader = console.deps.reader
    comparer = Comparer(reader, console.desk)

    @routes.get("")
    def show(
        request: Request, left: Episode = "", right: Episode = "", by: By | None = None, at: Place = None
    ) -> Response:
        """Both at one cursor; without `at`, where they first part."""
        if not left or not right:
            return see(url("compare", "choice", left=left or None, right=right or None))
        compared = comparer.compared(console.user(request), left, right, by, at)
        return console.html(compare_page(console.chrome(request, f"Compare {left} and {right}"), compared))

    @routes.get("/choice")
    def choose(request: Request, left: Episode = "", right: Episode = "", q: Episode = "") -> Response:
        """Which two. An episode of an evaluation is named by its own page."""
        found = reader.episodes(search=q, limit=READ)
        named = list(_named(left, right))
        chrome = console.chrome(request, "Compare episodes")
        return console.html(choose_page(chrome, found, named, left=left, right=right, query=q))

    def _named(left: str, right: str) -> Iterator[EpisodeSummary]:
        """Raises the store's error for an unknown episode."""
        yield from (reader.episode(name) for name in dict.fromkeys((left, right)) if name)

    return routes
