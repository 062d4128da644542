"""A person's plan: composed or edited as a form, checked while it is typed, then sent like any other action.

The check commands nothing and keeps nothing: it answers with the form as typed and what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.intents import Action, Edit, Propose
from backend.domain.episode.state import State
from backend.domain.plans.plan import Step
from backend.web.answers import Told, told
from backend.web.builders.card import Typed
from backend.web.builders.editor import Draft, editor_of
from backend.web.composing import after, rows_of, steps_of
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.parts import Notice
from backend.web.responses import see, wants_fragment

LONGEST_WHY = 500
MOST_FIELDS = 6000

Form = Sequence[tuple[str, str]]


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk, commands = console.desk, console.commands

    @routes.post("/plans/draft")
    async def draft(request: Request, episode: str) -> Response:
        """The form as typed, after the button that was pressed if one was, and what the validator says."""
        form = await _form(request)
        return await run_in_threadpool(checked, request, episode, form)

    def checked(request: Request, episode: str, form: Form) -> Response:
        now = desk.moment(episode, console.user(request))
        typed = _draft(form, now.state)
        if wants_fragment(request.headers):
            return console.html(editor_of(now, typed))
        return page(request, episode, Told(status=200), typed)

    def page(request: Request, episode: str, answer: Told, typed: Draft | None) -> Response:
        """The card or the whole page, with what was typed."""
        now = desk.moment(episode, console.user(request))
        kept = Typed(draft=typed)
        if wants_fragment(request.headers):
            return console.html(desk.plan(now, answer.notice, kept), answer.status)
        chrome = console.chrome(request, f"Episode {episode}")
        return console.html(desk.page(now, chrome, notice=answer.notice, typed=kept), answer.status)

    async def send(request: Request, episode: str, form: Form, action: Action | Notice) -> Response:
        if isinstance(action, Notice):
            answer = Told(status=422, notice=action)
        else:
            answer = told(await commands.send(episode, console.user(request), action), "Your plan")
        if answer.status == 200 and not wants_fragment(request.headers):
            return see(url("episodes", episode) + "#plan")
        if answer.status == 200:
            return await run_in_threadpool(page, request, episode, answer, None)
        return await run_in_threadpool(kept, request, episode, form, answer)

    def kept(request: Request, episode: str, form: Form, answer: Told) -> Response:
        """Nothing typed is lost: the form comes back with why it was not taken."""
        now = desk.moment(episode, console.user(request))
        if answer.errors:
            error = answer.errors[0]
            notice = Notice(icon="bad", title=error.message, text=error.remedy, tone="alarm")
            answer = Told(status=answer.status, notice=notice)
        return page(request, episode, answer, _draft(form, now.state))

    @routes.post("/plans")
    async def propose(request: Request, episode: str) -> Response:
        """A plan from nothing, checked like any other."""
        form = await _form(request)
        now = await run_in_threadpool(desk.moment, episode, console.user(request))
        steps = _steps(form, now.state)
        if isinstance(steps, Notice):
            return await send(request, episode, form, steps)
        rationale = _one(form, "rationale")[:LONGEST_WHY]
        action = Propose(steps=steps, seen_seq=_seen(form, now.state), rationale=rationale)
        return await send(request, episode, form, action)

    @routes.post("/approvals/{approval}/edit")
    async def edit(
        request: Request, episode: str, approval: Annotated[str, Path(max_length=200)]
    ) -> Response:
        """What a person made of the plan that waits. It takes its place, and waits in turn."""
        form = await _form(request)
        now = await run_in_threadpool(desk.moment, episode, console.user(request))
        steps = _steps(form, now.state)
        if isinstance(steps, Notice):
            return await send(request, episode, form, steps)
        action = Edit(
            approval_id=approval,
            plan_digest=_one(form, "plan_digest"),
            pins_digest=_one(form, "pins_digest"),
            steps=steps,
            seen_seq=_seen(form, now.state),
            rationale=_one(form, "rationale")[:LONGEST_WHY],
        )
        return await send(request, episode, form, action)

    return routes


async def _form(request: Request) -> Form:
    async with request.form(max_fields=MOST_FIELDS, max_files=0) as form:
        return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def _one(form: Form, name: str) -> str:
    return next((value.strip() for key, value in form if key == name), "")


def _seen(form: Form, state: State) -> int:
    """The seq of what the page showed; a page that does not say saw nothing."""
    seen = _one(form, "seen_seq")
    return min(int(seen), state.seq) if seen.isdecimal() and len(seen) < 12 else 0


def _draft(form: Form, state: State) -> Draft:
    return Draft(
        rows=after(_one(form, "op"), rows_of(form), state.catalogue),
        plan_digest=_one(form, "plan_digest"),
        seen_seq=_seen(form, state),
        rationale=_one(form, "rationale")[:LONGEST_WHY],
    )


def _steps(form: Form, state: State) -> tuple[Step, ...] | Notice:
    steps, flaws = steps_of(rows_of(form), state.catalogue, state.site.frame_id)
    if flaws:
        title = f"{flaws[0].field}: {flaws[0].message}"
        return Notice(icon="bad", title=title, text=f"{flaws[0].remedy} Your steps are kept.", tone="alarm")
    return steps
