"""What-ifs: the form and what it would ask, the asking, and what came of it. Nothing here commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.domain.refusal import Refusal
from backend.sandbox.change import NEWEST, Asked, in_words
from backend.sandbox.looking import Look
from backend.web.builders.whatif_form import whatif_form
from backend.web.builders.whatif_look import look_view, named
from backend.web.builders.whatif_read import read_asked, typed_of
from backend.web.builders.whatif_result import result_lines, result_view
from backend.web.console import Console
from backend.web.errors import Forbidden, NotThere
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError, Notice
from backend.web.pages.whatif import LookView, WhatIfPage, WhatIfResultPage
from backend.web.responses import see, wants_fragment

Seq = Annotated[int, Query(ge=1, le=NEWEST)]
Number = Annotated[int, Path(ge=0, le=NEWEST)]
Typed = Mapping[str, str]

REFRESH = {"HX-Refresh": "true"}
CHANGED = Notice(
    icon="warn",
    title="This is not what the page showed.",
    text="Nobody was asked. Look at what it would be asked now, then ask.",
    tone="caution",
)


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    experiments, clock_s = console.deps.experiments, console.deps.clock_s

    @routes.get("/whatif")
    def show(request: Request, episode: str, at: Seq = NEWEST) -> Response:
        """`at`: a moment; the newest call by then is asked again. Without it, the newest of all."""
        return page(request, episode, at, dict(request.query_params))

    @routes.get("/whatif/look")
    def look(request: Request, episode: str, at: Seq = NEWEST) -> Response:
        """What the form as typed would ask and cost; asks nobody."""
        typed = typed_of(request.query_params)
        if not wants_fragment(request.headers):
            return see(url("episodes", episode, "whatif", at=at, **typed))
        found, errors = looked(episode, at, typed)
        return console.html(look_view(found, typed, may_ask(request), errors))

    @routes.post("/experiments")
    async def start(request: Request, episode: str) -> Response:
        """Ask exactly what the page showed: `shown` is its digest. Not for viewers."""
        if not may_ask(request):
            raise Forbidden("A viewer reads what-ifs.", remedy="Ask an operator to ask this one.")
        form = {name: str(value) for name, value in (await request.form()).items()}
        at = int(form["at"]) if form.get("at", "").isdecimal() and len(form["at"]) < 10 else NEWEST
        return await run_in_threadpool(asked, request, episode, max(1, at), form)

    @routes.get("/experiments/{number}")
    def result(request: Request, episode: str, number: Number) -> Response:
        """One that was asked; fetched again each two seconds while it is under way."""
        found = experiments.one(episode, number)
        if found is None:
            raise NotThere(
                f"Episode {episode} has no what-if {number}",
                remedy="Its page of what-ifs lists them.",
                way=("What-ifs", url("episodes", episode, "whatif")),
            )
        shown = result_view(found, experiments.calls(episode, found), clock_s())
        if wants_fragment(request.headers):  # by one that was under way; done, the list tells of it too
            return console.html(shown) if shown.is_running else Response(headers=REFRESH)
        made = WhatIfResultPage(
            chrome=console.chrome(request, f"What-if {number} of {episode}"),
            episode=episode,
            heading=f"What if: {in_words(found.asked.change)}",
            at=found.asked.at,
            result=shown,
            results=result_lines(experiments.all(episode), clock_s(), number),
        )
        return console.html(made)

    def asked(request: Request, episode: str, at: int, form: Typed) -> Response:
        typed = typed_of(form)
        found, errors = looked(episode, at, typed)
        if errors:
            return page(request, episode, at, typed, status=422)
        if form.get("shown") != found.digest:
            return page(request, episode, at, typed, CHANGED, 409)
        number = experiments.start(episode, found, console.user(request).name)
        if isinstance(number, Refusal):
            told = Notice(
                icon="bad", title=number.message, text=f"{number.remedy} Nobody was asked.", tone="alarm"
            )
            return page(request, episode, at, typed, told, 409)
        return see(url("episodes", episode, "experiments", number))

    def page(
        request: Request, episode: str, at: int, query: Typed, notice: Notice | None = None, status: int = 200
    ) -> Response:
        typed = typed_of(query)
        found, errors = looked(episode, at, typed)
        call = found.calls[0]
        view: LookView = look_view(found, typed, may_ask(request), errors, notice)
        made = WhatIfPage(
            chrome=console.chrome(request, f"What if, {episode}"),
            episode=episode,
            at=found.asked.at if at == NEWEST else at,
            call=named(found),
            cause=call.cause.message,
            form=whatif_form(found, at, typed, console.deps.orders.planners(), errors),
            look=view,
            results=result_lines(experiments.all(episode), clock_s()),
        )
        return console.html(made, status)

    def looked(episode: str, at: int, typed: Typed) -> tuple[Look, tuple[FieldError, ...]]:
        """With what cannot be read left out, so that the form can be shown with it. Raises NotThere."""
        read = read_asked(at, typed)
        found = experiments.look(episode, Asked(at=at) if isinstance(read, tuple) else read)
        if isinstance(found, Refusal):
            raise NotThere(
                found.message, remedy=found.remedy, way=("To the episode", url("episodes", episode))
            )
        return found, read if isinstance(read, tuple) else ()

    def may_ask(request: Request) -> bool:
        return console.user(request).role in COMMANDING

    return routes
