"""HOLD and abort, each by two ways at once, neither waiting for the other: an intent for the runner, and the
bridge itself.

What the page is told comes from the journal alone: asked, then confirmed by measured standstill, or not
confirmed.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.intents import Abort, Hold
from backend.web.answers import Told, told
from backend.web.builders.episodes import episode_row
from backend.web.builders.timeline import abort_sheet
from backend.web.commanding import Answer
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError
from backend.web.responses import nothing, see, wants_fragment
from backend.web.stopping import new_stop, stop

LONGEST = 2000


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk, deps = console.desk, console.deps

    @routes.post("/holds")
    async def hold(request: Request, episode: str) -> Response:
        """Stop the robot now. Anyone signed in may."""
        user = console.user(request)
        await run_in_threadpool(deps.reader.episode, episode)
        answer = await stop(console, episode, user, Hold(stop_id=new_stop()))
        if not wants_fragment(request.headers):
            return see(url("episodes", episode) + "#plan")
        return await run_in_threadpool(held, request, episode, answer)

    def held(request: Request, episode: str, answer: Answer) -> Response:
        """The status bar, or the row of the list that HOLD was pressed in."""
        status = 409 if answer.settlement is not None and not answer.settlement.applied else 200
        user = console.user(request)
        if request.headers.get("hx-target", "").startswith("episode-"):
            row = episode_row(console.listing.one(episode), user, deps.clock_s())
            return console.html(row, status)
        return console.html(desk.bar(desk.moment(episode, user)), status, {"HX-Trigger": "qd:plan"})

    @routes.post("/abort")
    async def abort(request: Request, episode: str, reason: Annotated[str, Form()] = "") -> Response:
        """End the episode for good."""
        words = reason.strip()
        user = console.user(request)
        now = await run_in_threadpool(desk.moment, episode, user)
        if len(words) > LONGEST:
            answer = Told(
                status=422, errors=(_reason(f"This has {len(words):,} characters.", "Write less."),)
            )
        elif not now.may_command:
            # It would be refused; the robot of whoever commands is not stopped for that.
            answer = told(await console.commands.send(episode, user, _abort(words)), "Your abort")
        else:
            answer = told(await stop(console, episode, user, _abort(words)), "Your abort")
        if answer.status == 200:
            if not wants_fragment(request.headers):
                return see(url("episodes", episode))
            gone = nothing()
            gone.headers["HX-Trigger"] = "qd:bar, qd:plan, qd:timeline"
            return gone
        errors = answer.errors
        if answer.notice is not None:
            errors = (_reason(answer.notice.title, f"{answer.notice.text} Your words are kept."),)
        return await run_in_threadpool(asked_again, request, episode, reason, errors, answer.status)

    def asked_again(
        request: Request, episode: str, reason: str, errors: tuple[FieldError, ...], status: int
    ) -> Response:
        now = desk.moment(episode, console.user(request))
        sheet = abort_sheet(now, reason, errors)
        if wants_fragment(request.headers):
            return console.html(sheet, status)
        page = desk.page(now, console.chrome(request, f"Episode {episode}"), aborting=sheet)
        return console.html(page, status)

    return routes


def _abort(reason: str) -> Abort:
    return Abort(stop_id=new_stop(), reason=reason)


def _reason(message: str, remedy: str) -> FieldError:
    return FieldError(field="reason", message=message, remedy=remedy)
