"""Every address of the application, so that a test can ask for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute, Mount

SOCKET = "WEBSOCKET"


def addresses(app: FastAPI) -> list[tuple[str, str]]:
    """(method, path as declared) of each route and socket. Fails for a kind of route that is not known
    here."""
    return list(_walk(app.routes))


def _walk(routes: Iterable[BaseRoute]) -> Iterator[tuple[str, str]]:
    for route in routes:
        if isinstance(route, APIRoute):
            yield from ((method, route.path) for method in sorted(route.methods))
        elif isinstance(route, APIWebSocketRoute):
            yield SOCKET, route.path
        elif isinstance(route, Mount):
            assert route.path == "/static", f"{route.path} is mounted and not walked"
        else:
            inner = getattr(route, "original_router", None)
            assert inner is not None, f"{route!r} is of a kind that is not walked"
            yield from _walk(inner.routes)
