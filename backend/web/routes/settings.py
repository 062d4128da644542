"""Settings: what planners are set to, by the environment alone, and whether their servers answer."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.web.builders.choices import MODES
from backend.web.builders.settings import planner_card, settings_page
from backend.web.console import Console
from backend.web.errors import Forbidden
from backend.web.responses import see, wants_fragment


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    endpoints = console.deps.endpoints

    @routes.get("/settings")
    def show(request: Request) -> Response:
        may_probe = console.user(request).role in COMMANDING
        chrome = console.chrome(request, "Settings")
        return console.html(settings_page(chrome, endpoints.all(), endpoints.prices(), MODES, may_probe))

    @routes.post("/settings/planners/{name}/probe")
    def probe(request: Request, name: str) -> Response:
        """Ask the planner's server once; it may cost a fraction of a cent."""
        if console.user(request).role not in COMMANDING:
            raise Forbidden("A viewer asks no model server.", remedy="Ask an operator to probe it.")
        probed = endpoints.probe(name)
        if not wants_fragment(request.headers):
            return see("/settings")
        return console.html(planner_card(probed, may_probe=True))

    return routes
