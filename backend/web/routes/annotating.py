"""Annotations: the tab as a fragment, and what is written there. None of it goes into the journal."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.annotations.annotation import Annotation, Draft, refuse_annotating
from backend.domain.refusal import Refusal
from backend.web.annotations import error_of
from backend.web.builders.annotations import FIELDS
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError, Notice
from backend.web.responses import see, wants_fragment
from backend.web.routes.console import At, Chosen

LONGEST_TYPED = 20_000
CHANGED = {"HX-Trigger": "qd:timeline"}
"""Its marks are drawn anew."""

Form = Mapping[str, str]


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}/annotations")
    desk, kept = console.desk, console.deps.annotations

    @routes.get("")
    def tab(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: the annotation that is to be edited."""
        if not wants_fragment(request.headers):
            return see(url("episodes", episode, tab="annotations", at=at, chosen=chosen or None))
        moment = desk.moment(episode, console.user(request), at)
        return console.html(desk.evidence(moment, "annotations", chosen))

    @routes.post("")
    async def add(request: Request, episode: str) -> Response:
        """A new one, on a moment, a record or a span."""
        form = await _posted(request)
        return await run_in_threadpool(write, request, episode, "", form)

    @routes.post("/{annotation}")
    async def edit(request: Request, episode: str, annotation: str) -> Response:
        """The next version, by its author."""
        form = await _posted(request)
        return await run_in_threadpool(write, request, episode, annotation, form)

    @routes.post("/{annotation}/removal")
    async def remove(request: Request, episode: str, annotation: str) -> Response:
        """By its author or an admin. Its versions stay."""
        form = await _posted(request)
        return await run_in_threadpool(take_away, request, episode, annotation, form)

    def write(request: Request, episode: str, id: str, form: Form) -> Response:
        user = console.user(request)
        if (refusal := refuse_annotating(user.role)) is not None:
            raise error_of(refusal)
        draft = _draft(form)
        if isinstance(draft, Refusal):
            return shown(request, episode, id, form, draft)
        if id:
            version = _number(form.get("version", "")) or 0
            done = kept.edit(episode, id, draft, user.name, user.role, shown_version=version)
        else:
            done = kept.add(episode, draft, user.name, user.role)
        return shown(request, episode, id, form, done)

    def take_away(request: Request, episode: str, id: str, form: Form) -> Response:
        user, version = console.user(request), _number(form.get("version", "")) or 0
        done = kept.remove(episode, id, user.name, user.role, shown_version=version)
        return shown(request, episode, id, {"at": form.get("at", "")}, done)

    def shown(request: Request, episode: str, id: str, form: Form, done: Annotation | Refusal) -> Response:
        """Done: the list. Refused: the form again with what was typed, or why it cannot be."""
        at = _number(form.get("at", ""))
        if isinstance(done, Annotation):
            if not wants_fragment(request.headers):
                return see(url("episodes", episode, tab="annotations", at=at))
            moment = desk.moment(episode, console.user(request), at)
            return console.html(desk.evidence(moment, "annotations", ""), headers=CHANGED)
        if done.code not in (*FIELDS, "version"):
            raise error_of(done)
        is_late = done.code == "version"
        status, errors = (409, ()) if is_late else (422, (_told(done),))
        late = Notice(icon="stale", title=done.message, text=done.remedy, tone="caution")
        moment = desk.moment(episode, console.user(request), at)
        typed = {name: form[name] for name in FIELDS if name in form}
        panel = desk.annotated(moment, id, typed, errors, late if is_late else None)
        if wants_fragment(request.headers):
            return console.html(panel, status)
        chrome = console.chrome(request, f"Episode {episode}")
        return console.html(desk.page(moment, chrome, shown=panel), status)

    return routes


async def _posted(request: Request) -> dict[str, str]:
    async with request.form(max_fields=20, max_files=0) as posted:
        return {name: str(value)[:LONGEST_TYPED] for name, value in posted.items()}


def _draft(form: Form) -> Draft | Refusal:
    seq, until = _number(form.get("seq", "")), form.get("until_seq", "").strip()
    if seq is None:
        return Refusal("seq", "The first event is no number.", "Write one such as 118.")
    until_seq = _number(until) if until else None
    if until and until_seq is None:
        return Refusal("until_seq", "The last event is no number.", "Write one such as 120, or nothing.")
    return Draft(
        seq=seq,
        until_seq=until_seq,
        text=form.get("text", "").replace("\r\n", "\n"),
        entity=form.get("entity", ""),
        tags=form.get("tags", ""),
    )


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None


def _told(refusal: Refusal) -> FieldError:
    return FieldError(field=refusal.code, message=refusal.message, remedy=refusal.remedy)
