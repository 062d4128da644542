"""The API's addresses: one for each operation, its description, and a page that shows that to people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from backend.web.api import annotating, commands, corrections, hindsight, people, reads, searching, storage
from backend.web.api.calls import Endpoint
from backend.web.api.openapi import description
from backend.web.api.operations import ROOT, Operation
from backend.web.api.page import api_page
from backend.web.console import Console

COMMAND = "command_"


def operations(console: Console) -> list[Operation]:
    """Every one of them, by what it is about."""
    return [
        *reads.operations(console),
        *hindsight.operations(console),
        *annotating.operations(console),
        *searching.operations(console),
        *storage.operations(console),
        *corrections.operations(console),
        *commands.operations(console),
        *people.operations(console),
    ]


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    table = operations(console)

    @cache
    def described() -> dict[str, Any]:
        """Made when somebody first asks for it: a page need not wait for that."""
        return description(table, console.deps.settings.version)

    @routes.get(f"{ROOT}/openapi.json")
    def openapi() -> Response:
        """What each operation takes and gives, OpenAPI 3.1."""
        return Response(msgspec.json.encode(described()), media_type="application/json")

    @routes.get("/api")
    def page(request: Request) -> Response:
        """The same for people."""
        return console.html(api_page(console.chrome(request, "API"), described()))

    for operation in table:
        if not operation.id.startswith(COMMAND):
            run = Endpoint(console, operation).answer
            routes.add_api_route(operation.path, run, methods=[operation.method], include_in_schema=False)
    address = f"{ROOT}/episodes/{{episode}}/commands/{{command}}"
    routes.add_api_route(address, _command(console, table), methods=["POST"], include_in_schema=False)
    return routes


def _command(console: Console, table: list[Operation]) -> Callable[[Request], Awaitable[Response]]:
    """All commands share one route, and each has an operation of its own."""
    known = {
        each.id.removeprefix(COMMAND): Endpoint(console, each)
        for each in table
        if each.id.startswith(COMMAND)
    }

    async def run(request: Request) -> Response:
        name = str(request.path_params["command"])
        endpoint = known.get(name)
        if endpoint is None:
            raise commands.unknown(name)
        return await endpoint.answer(request)

    return run
