"""Answers: a view as a fragment for htmx and as a page for everyone else, never kept, and never mistaken for
each other.

One address gives both, told apart by `HX-Request`; a boosted link and a step back in history want the page.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from jinja2 import Environment
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse, Response

from backend.web.pages.view import View, render

SEE_OTHER = 303


def wants_fragment(headers: Headers | Mapping[str, str]) -> bool:
    return (
        headers.get("hx-request") == "true"
        and headers.get("hx-boosted") != "true"
        and headers.get("hx-history-restore-request") != "true"
    )


def html(
    environment: Environment, view: View, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    return HTMLResponse(render(environment, view), status, {"Vary": "HX-Request", **(headers or {})})


def data(value: Struct) -> Response:
    """For an island: JSON as the page contexts fix it."""
    return Response(msgspec.json.encode(value), media_type="application/json")


def see(address: str) -> Response:
    """After a form: the page is fetched anew, so that a reload sends nothing again."""
    return RedirectResponse(address, SEE_OTHER)


def nothing() -> Response:
    """An empty fragment: what was there goes away. (204 would leave it.)"""
    return HTMLResponse("", headers={"Vary": "HX-Request"})
