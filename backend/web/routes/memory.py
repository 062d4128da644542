"""Corrections of memory, and the scores that a chart is drawn from.

What a correction would set off is shown by the memory tab before it is posted here; the digest of what was
shown comes along, and `decide` refuses anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.intents import Correct
from backend.domain.memory.corrections import Correction, Undo
from backend.web.answers import Told, told
from backend.web.builders.correction_read import read_correction
from backend.web.builders.memory_asked import LONGEST, LOOKING, TRYING, WRITING
from backend.web.builders.memory_lines import DONE
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError, Notice
from backend.web.responses import data, see, wants_fragment
from backend.web.routes.console import At

Form = Mapping[str, str]
MOST = 6


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk, commands = console.desk, console.commands

    @routes.post("/corrections")
    async def correct(request: Request, episode: str) -> Response:
        """Counts only for the records and with the consequences that the page showed."""
        form = {name: str(value) for name, value in (await request.form()).items()}
        read = read_correction(form.get("do", ""), form.get("chosen", ""), form)
        if isinstance(read, FieldError):
            return await run_in_threadpool(shown, request, episode, form, Told(status=422), None)
        action = Correct(
            correction=read,
            seen=_seen(form),
            blast=form.get("blast", "")[:64],
            reason=form.get("reason", "").strip()[: LONGEST + 1],
        )
        answer = told(await commands.send(episode, console.user(request), action), "Your correction")
        return await run_in_threadpool(shown, request, episode, form, answer, read)

    def shown(
        request: Request, episode: str, form: Form, answer: Told, correction: Correction | None
    ) -> Response:
        """Done: the record as it is now. Refused: the form again, with what it would do now."""
        done = answer.status == 200
        chosen, looking = form.get("chosen", ""), _looking(form)
        if done and not wants_fragment(request.headers):
            return see(url("episodes", episode, tab="memory", chosen=chosen or None, **looking))
        now = desk.moment(episode, console.user(request))
        if done and correction is not None:
            notice: Notice | None = _done(form, correction)
            query, typed = looking, None
        else:
            notice = answer.notice
            query, typed = {**looking, **_writing(form)}, form
        if not wants_fragment(request.headers):
            chrome = console.chrome(request, f"Episode {episode}")
            page = desk.page(now, chrome, tab="memory", chosen=chosen, query=query, notice=notice)
            return console.html(page, answer.status)
        return console.html(desk.remembered(now, chosen, query, notice, typed), answer.status)

    @routes.get("/scores.json")
    def scores(
        request: Request, episode: str, record: Annotated[list[str], Query(max_length=MOST)], at: At = None
    ) -> Response:
        """A `ScoreData`: the scores of up to six records over the episode so far."""
        return data(desk.scores(desk.moment(episode, console.user(request), at), record))

    return routes


def _seen(form: Form) -> dict[str, int]:
    """`seen_0` = "118:can_07": the revision of a record as the page showed it."""
    found: dict[str, int] = {}
    for name in ("seen_0", "seen_1"):
        revision, colon, entity = form.get(name, "").partition(":")
        if colon and revision.isdecimal() and len(revision) < 12:
            found[entity] = int(revision)
    return found


def _looking(form: Form) -> dict[str, str]:
    return {name: form[name][:LONGEST] for name in (*LOOKING, *TRYING) if form.get(name)}


def _writing(form: Form) -> dict[str, str]:
    return {name: form[name][:LONGEST] for name in WRITING if form.get(name)}


def _done(form: Form, correction: Correction) -> Notice:
    what = DONE[form.get("do", "")]
    if isinstance(correction, Undo):
        title = f"{what} the correction of event {correction.seq}."
    else:
        title = f"{what} {form.get('chosen', '') or 'a record'}.".replace("  ", " ")
    return Notice(icon="ok", title=title, text="It is in the audit, and can be undone under Corrections.")
