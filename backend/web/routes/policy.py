"""Who is asked, and what the planner is told for good. The preview reads journals and commands nothing."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.intents import Action, Guide, Instruct, SetPolicy
from backend.domain.command.policy import Policy
from backend.domain.mission.mission import LONGEST_INSTRUCTIONS
from backend.web.answers import Told, told
from backend.web.builders.moment import Moment
from backend.web.builders.policy import modes, preview_view, rules_of, rules_typed, said_of, wrong_view
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError
from backend.web.pages.policy import PolicyPage, PreviewView
from backend.web.previews import Previews
from backend.web.responses import see
from backend.web.ruling import read_policy

MOST_FIELDS = 200
LONGEST_NOTE = 2000

Form = Sequence[tuple[str, str]]


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk, commands = console.desk, console.commands
    previews = Previews(console.deps.reader)

    @routes.get("/policy")
    def show(request: Request, episode: str) -> Response:
        """The policy in force, how often it would have asked, and the standing instructions."""
        return page(request, episode, (), Told(status=200))

    @routes.post("/policy")
    async def change(request: Request, episode: str) -> Response:
        """From now on. What waits already goes on waiting for a person."""
        form = await _form(request)
        now = await run_in_threadpool(desk.moment, episode, console.user(request))
        policy = read_policy(form, now.state.catalogue)
        if not isinstance(policy, Policy):
            return await run_in_threadpool(page, request, episode, form, Told(status=422, errors=policy))
        action = SetPolicy(policy=policy, shown=dict(form).get("shown", ""))
        return await act(request, episode, form, action, "Your change of the policy")

    @routes.post("/policy/preview")
    async def preview(request: Request, episode: str) -> Response:
        """How often the policy as typed would have asked."""
        form = await _form(request)
        return await run_in_threadpool(previewed, request, episode, form)

    def previewed(request: Request, episode: str, form: Form) -> Response:
        now = desk.moment(episode, console.user(request))
        return console.html(_preview(now, form))

    @routes.post("/instructions")
    async def instruct(request: Request, episode: str) -> Response:
        """Standing instructions to the planner, a block of their own in every query from now on."""
        form = await _form(request)
        text = dict(form).get("instructions", "").replace("\r\n", "\n").strip()
        if len(text) > LONGEST_INSTRUCTIONS:
            error = _too_long("instructions", text, LONGEST_INSTRUCTIONS)
            answer = Told(status=422, errors=(error,))
            return await run_in_threadpool(page, request, episode, form, answer)
        shown = dict(form).get("shown", "").replace("\r\n", "\n")
        return await act(request, episode, form, Instruct(text=text, shown=shown), "Your instructions")

    @routes.post("/notes")
    async def note(request: Request, episode: str) -> Response:
        """A word to the planner, for its next call."""
        form = await _form(request)
        text = dict(form).get("guidance", "").strip()
        if not text or len(text) > LONGEST_NOTE:
            empty = FieldError(
                field="guidance", message="The note is empty.", remedy="Write what to tell it."
            )
            error = _too_long("guidance", text, LONGEST_NOTE) if text else empty
            answer = Told(status=422, errors=(error,))
            return await run_in_threadpool(page, request, episode, form, answer)
        return await act(request, episode, form, Guide(text=text), "Your note")

    async def act(request: Request, episode: str, form: Form, action: Action, what: str) -> Response:
        answer = told(await commands.send(episode, console.user(request), action), what)
        if answer.status == 200:
            return see(url("episodes", episode, "policy"))
        return await run_in_threadpool(page, request, episode, form, answer)

    def page(request: Request, episode: str, form: Form, answer: Told) -> Response:
        """With what was typed, where it was refused."""
        now = desk.moment(episode, console.user(request))
        typed, state = dict(form), now.state
        is_policy = "policy" in typed or "confidence_below" in typed
        view = PolicyPage(
            chrome=console.chrome(request, f"Policy of episode {episode}"),
            episode=episode,
            head=state.seq,
            bar=desk.bar(now),
            modes=modes(typed.get("policy", state.policy.mode)),
            rules=rules_typed(form, state.catalogue)
            if is_policy
            else rules_of(state.policy, state.catalogue),
            shown=state.policy.digest,
            preview=_preview(now, form if is_policy else ()),
            instructions=typed.get("instructions", state.instructions),
            instructed=state.instructions,
            guidance=typed.get("guidance", ""),
            said=said_of(now),
            may_change=now.may_command and not now.is_over,
            why_not=now.why_no_command or ("The episode is over." if now.is_over else ""),
            notice=answer.notice,
            errors=answer.errors,
        )
        return console.html(view, answer.status)

    def _preview(now: Moment, form: Form) -> PreviewView:
        policy = read_policy(form, now.state.catalogue) if form else now.state.policy
        if not isinstance(policy, Policy):
            return wrong_view(policy)
        return preview_view(previews.of(now.state.mission.name, policy), policy)

    return routes


async def _form(request: Request) -> Form:
    async with request.form(max_fields=MOST_FIELDS, max_files=0) as form:
        return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def _too_long(field: str, text: str, most: int) -> FieldError:
    return FieldError(
        field=field, message=f"This has {len(text):,} characters.", remedy=f"Write at most {most:,}."
    )
