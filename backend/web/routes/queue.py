"""The queue of what needs a person, what somebody has seen of it, and how each person likes the console."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.web.console import Console
from backend.web.errors import Forbidden, Malformed
from backend.web.responses import see, wants_fragment

PREFERENCES = {"theme": ("system", "light", "dark"), "sound": ("off", "on"), "notify": ("off", "on")}
"""What each person may choose; the first is what they have when they never chose."""

Key = Annotated[str, Form(max_length=300)]
Alarms = Annotated[list[str], Form(max_length=500)]
Name = Annotated[str, Form(max_length=40)]


def router(console: Console) -> APIRouter:
    routes = APIRouter()

    @routes.get("/queue")
    def queue(request: Request) -> Response:
        if not wants_fragment(request.headers):
            return see("/episodes")
        return console.html(console.queue.view(console.user(request)))

    @routes.post("/episodes/{episode}/acknowledgements")
    def acknowledge(request: Request, episode: str, key: Key = "") -> Response:
        """`key`: the occurrence that was seen. One that is over by now is kept all the same."""
        return seen(request, [(episode, key)])

    @routes.post("/queue/acknowledgements")
    def acknowledge_returned(request: Request, alarm: Alarms) -> Response:
        """`alarm`, `EPISODE KEY` once for each: exactly those that the page showed as over."""
        return seen(request, [(episode, key) for episode, _, key in (each.partition(" ") for each in alarm)])

    def seen(request: Request, occurrences: Sequence[tuple[str, str]]) -> Response:
        user = console.user(request)
        if user.role not in COMMANDING:
            raise Forbidden("A viewer may watch and hold.", remedy="Ask an operator to acknowledge it.")
        for episode, _ in occurrences:
            console.deps.reader.episode(episode)
        if not occurrences or not all(key for _, key in occurrences):
            raise Malformed("Nothing was acknowledged", remedy="Press the button beside what you have seen.")
        for episode, key in occurrences:
            console.deps.acknowledgements.acknowledge(episode, key, user.name)
        if not wants_fragment(request.headers):
            return see("/episodes")
        return console.html(console.queue.view(user, fresh=True))

    @routes.post("/preferences")
    def prefer(request: Request, name: Name = "", value: Name = "") -> Response:
        if value not in PREFERENCES.get(name, ()):
            known = "; ".join(f"{each}: {', '.join(values)}" for each, values in PREFERENCES.items())
            raise Malformed(
                f"{name[:40] or 'Nothing'} cannot be {value[:40] or 'chosen'}", remedy=f"Choose of {known}."
            )
        console.deps.preferences.put(console.user(request).name, name, value)
        return Response(status_code=204)

    return routes
