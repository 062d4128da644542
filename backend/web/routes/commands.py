"""Actions on an episode: each becomes an intent, and the answer is the card as it is then.

Nothing is decided here. Who may, whether it still fits and what it does is judged by `decide`, in the runner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.hold import digest_of_stops, to_be_released
from backend.domain.command.intents import (
    Action,
    Approve,
    AskAgain,
    AskConn,
    GiveUpConn,
    Guide,
    HandOverConn,
    KeepConn,
    Reject,
    Release,
    Resolve,
    TakeConn,
)
from backend.web.answers import Told, told
from backend.web.builders.card import Typed
from backend.web.console import Console
from backend.web.guard.names import LONGEST_NAME
from backend.web.pages.chrome import NoticeView
from backend.web.pages.conn import Offer
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError
from backend.web.responses import see, wants_fragment
from backend.web.stopping import new_stop

LONGEST = 2000
Digest = Annotated[str, Form(min_length=1, max_length=128)]
Text = Annotated[str, Form()]
Name = Annotated[str, Form(max_length=LONGEST_NAME)]


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk, commands = console.desk, console.commands

    async def act(
        request: Request, episode: str, action: Action, what: str, keep: Callable[[Told], Typed] | None = None
    ) -> Response:
        """Send one action and answer with the plan card. `keep`: what was typed, shown again if it is
        refused."""
        answer = told(await commands.send(episode, console.user(request), action), what)
        typed = keep(answer) if keep is not None and answer.status != 200 else Typed()
        return await run_in_threadpool(card, request, episode, answer, typed)

    def card(request: Request, episode: str, answer: Told, typed: Typed) -> Response:
        if not wants_fragment(request.headers):
            if answer.status == 200:
                return see(url("episodes", episode) + "#plan")
            now = desk.moment(episode, console.user(request))
            chrome = console.chrome(request, f"Episode {episode}")
            return console.html(desk.page(now, chrome, notice=answer.notice, typed=typed), answer.status)
        now = desk.moment(episode, console.user(request))
        return console.html(desk.plan(now, answer.notice, typed), answer.status)

    async def wrong(request: Request, episode: str, text: str, error: FieldError) -> Response:
        """A field that need not be sent to be known as wrong."""
        typed = Typed(text=text, errors=(error,))
        return await run_in_threadpool(card, request, episode, Told(status=422), typed)

    @routes.post("/approvals/{approval}/grant")
    async def grant(
        request: Request, episode: str, approval: str, plan_digest: Digest, pins_digest: Digest
    ) -> Response:
        """Counts only for exactly what the page showed."""
        action = Approve(approval_id=approval, plan_digest=plan_digest, pins_digest=pins_digest)
        return await act(request, episode, action, "Your approval")

    @routes.post("/approvals/{approval}/rejection")
    async def reject(request: Request, episode: str, approval: str, reason: Text = "") -> Response:
        """Counts even late: a plan that runs already is stopped."""
        error = _text_error("reason", reason, "A rejection needs a reason.", "the planner is sent your words")
        if error is not None:
            return await wrong(request, episode, reason, error)
        action = Reject(approval_id=approval, reason=reason.strip(), stop_id=new_stop())
        return await act(request, episode, action, "Your rejection", lambda _: Typed(text=reason))

    @routes.post("/releases")
    async def release(request: Request, episode: str, shown: Digest) -> Response:
        """The second of two steps. Releases the stops that the page showed, no others."""
        now = await run_in_threadpool(desk.moment, episode, console.user(request))
        stops = to_be_released(now.head.stops)
        known = stops if digest_of_stops(stops) == shown else ()
        return await act(request, episode, Release(stop_ids=known), "Your release")

    @routes.post("/requests")
    async def ask_again(request: Request, episode: str, guidance: Text = "") -> Response:
        """Ask for a plan again, with guidance if there is any."""
        words = guidance.strip()
        if len(words) > LONGEST:
            return await wrong(request, episode, guidance, _too_long("guidance", words))
        if words:
            guided = told(
                await commands.send(episode, console.user(request), Guide(text=words)), "Your guidance"
            )
            if guided.status != 200:
                typed = Typed(text=guidance, errors=guided.errors)
                return await run_in_threadpool(card, request, episode, guided, typed)
        # Guidance that was taken is not offered for sending once more, whatever became of the asking.
        return await act(request, episode, AskAgain(), "Your asking")

    @routes.post("/guidance")
    async def guide(request: Request, episode: str, guidance: Text = "") -> Response:
        """A word to the planner, for its next call."""
        error = _text_error(
            "guidance", guidance, "The guidance is empty.", "write what the planner should know"
        )
        if error is not None:
            return await wrong(request, episode, guidance, error)
        return await act(
            request, episode, Guide(text=guidance.strip()), "Your guidance", lambda _: Typed(text=guidance)
        )

    @routes.post("/dispatches/{dispatch}/account")
    async def resolve(
        request: Request,
        episode: str,
        dispatch: str,
        executed: Annotated[Literal["yes", "no"], Form()],
        account: Text = "",
    ) -> Response:
        """What became of a step that no ledger remembers, as a person saw it."""
        error = _text_error("account", account, "Say what you saw.", "it is kept for the record")
        if error is not None:
            return await wrong(request, episode, account, error)
        action = Resolve(dispatch_id=dispatch, executed=executed == "yes", account=account.strip())
        return await act(request, episode, action, "Your account", lambda _: Typed(text=account))

    @routes.post("/conn")
    async def conn(
        request: Request,
        episode: str,
        action: Annotated[Offer, Form()] = "take",
        other: Name = "",
        reason: Annotated[str, Form(max_length=LONGEST)] = "",
    ) -> Response:
        """`other`: whose conn it is that is asked for or taken over, or to whom the answer is."""
        wanted = conn_action(action, other, reason.strip())
        answer = told(await commands.send(episode, console.user(request), wanted), "Your request")
        if not wants_fragment(request.headers):
            return await run_in_threadpool(card, request, episode, answer, Typed())
        if answer.notice is not None:
            headers = {"HX-Retarget": "#notice", "HX-Reswap": "morph", "HX-Trigger": "qd:bar, qd:plan"}
            return console.html(NoticeView(notice=answer.notice), answer.status, headers)
        now = await run_in_threadpool(desk.moment, episode, console.user(request))
        bar = await run_in_threadpool(desk.bar, now)
        return console.html(bar, headers={"HX-Trigger": "qd:plan"})

    return routes


def conn_action(action: Offer, other: str, reason: str) -> Action:
    """What a button of the conn means."""
    if action == "ask":
        return AskConn(reason=reason)
    if action == "hand_over":
        return HandOverConn(to=other)
    if action == "keep":
        return KeepConn(asked_by=other, reason=reason)
    return GiveUpConn() if action == "give_up" else TakeConn(over=other or None)


def _text_error(field: str, text: str, empty: str, why: str) -> FieldError | None:
    words = text.strip()
    if not words:
        return FieldError(field=field, message=empty, remedy=f"Write it down; {why}.")
    return _too_long(field, words) if len(words) > LONGEST else None


def _too_long(field: str, words: str) -> FieldError:
    return FieldError(
        field=field, message=f"This has {len(words):,} characters.", remedy=f"Write at most {LONGEST:,}."
    )
