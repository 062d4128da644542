"""Missions and sites: read any version, write the next."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.web.builders.documents import document_page, documents_page, draft_page, ran_with
from backend.web.builders.drawing import site_map
from backend.web.builders.versions import changes_of, compared_with
from backend.web.console import Console
from backend.web.documents import DocumentRefused, Documents, Kept, WrittenMeanwhile
from backend.web.errors import Forbidden, NotThere
from backend.web.pages.documents import DocumentPage, MapForm, Shelf, SiteMap
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError, Notice
from backend.web.responses import see

LOOKED_AT = 500
"""Episodes among which those that ran a version are looked for."""
Version = Annotated[
    int | None, Query(ge=0, le=2**31 - 1, description="Which version; without it the newest.")
]
Against = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="Which version to compare with.")]
Name = Annotated[str, Query(max_length=200)]


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    _add(routes, console, "missions", console.deps.missions)
    _add(routes, console, "sites", console.deps.sites)
    return routes


def _add(routes: APIRouter, console: Console, shelf: Shelf, documents: Documents) -> None:
    """The same addresses for each kind."""

    @routes.get(f"/{shelf}", name=f"{shelf} list")
    def index(request: Request) -> Response:
        user = console.user(request)
        chrome = console.chrome(request, shelf.capitalize())
        return console.html(documents_page(chrome, user, shelf, documents.newest()))

    @routes.get(f"/{shelf}/new", name=f"{shelf} new")
    def new(request: Request, like: Name = "") -> Response:
        _may_edit(request)
        return console.html(draft(request, documents.draft(like)))

    @routes.get(f"/{shelf}/{{name}}", name=f"{shelf} show")
    def show(request: Request, name: str, version: Version = None, against: Against = None) -> Response:
        return console.html(
            shown_page(console, request, shelf, documents, documents.kept(name, version), against=against)
        )

    @routes.post(f"/{shelf}", name=f"{shelf} create")
    def create(request: Request, text: Annotated[str, Form()] = "") -> Response:
        _may_edit(request)
        try:
            name = documents.save("", _lines(text), 0, console.user(request).name)
        except DocumentRefused as refused:
            return console.html(draft(request, text, (refused.error,)), 422)
        except WrittenMeanwhile:
            error = FieldError(
                field="text", message="There is one of this name already.", remedy="Give it another name."
            )
            return console.html(draft(request, text, (error,)), 422)
        return see(url(shelf, name))

    @routes.post(f"/{shelf}/{{name}}", name=f"{shelf} save")
    def save(
        request: Request,
        name: str,
        text: Annotated[str, Form()] = "",
        shown_version: Annotated[int, Form(ge=0, le=2**31 - 1)] = 0,
    ) -> Response:
        _may_edit(request)
        try:
            documents.save(name, _lines(text), shown_version, console.user(request).name)
        except DocumentRefused as refused:
            return console.html(page(request, name, None, text, (refused.error,)), 422)
        except WrittenMeanwhile as meanwhile:
            return console.html(page(request, name, None, text, notice=_told(meanwhile)), 409)
        return see(url(shelf, name))

    def page(
        request: Request,
        name: str,
        version: int | None,
        typed: str | None = None,
        errors: tuple[FieldError, ...] = (),
        notice: Notice | None = None,
    ) -> DocumentPage:
        return shown_page(
            console, request, shelf, documents, documents.kept(name, version), typed, errors, notice
        )

    def draft(request: Request, text: str, errors: tuple[FieldError, ...] = ()) -> DocumentPage:
        chrome = console.chrome(request, f"New {shelf.removesuffix('s')}")
        return draft_page(chrome, console.user(request), shelf, text, errors)

    def _may_edit(request: Request) -> None:
        if console.user(request).role not in COMMANDING:
            raise Forbidden(f"A viewer reads {shelf} and edits none.", remedy="Ask an operator.")


def shown_page(
    console: Console,
    request: Request,
    shelf: Shelf,
    documents: Documents,
    shown: Kept,
    typed: str | None = None,
    errors: tuple[FieldError, ...] = (),
    notice: Notice | None = None,
    drawn: SiteMap | None = None,
    against: int | None = None,
) -> DocumentPage:
    """`drawn`: a drawing as it was refused. `against`: the version that is compared; else the one before."""
    versions = documents.versions(shown.name)
    other = compared_with(shown, versions, against)
    if other is None and against is not None:
        raise NotThere(f"{shown.name} has no other version {against}", remedy="Its page lists those it has.")
    may_edit = console.user(request).role in COMMANDING
    if shelf == "sites" and drawn is None:
        drawn = drawn_map(console, shown, versions[0].version, may_edit)
    return document_page(
        console.chrome(request, shown.title or shown.name),
        console.user(request),
        shelf,
        shown,
        versions,
        ran_with(console.deps.reader.episodes(limit=LOOKED_AT), shelf, shown.name, shown.version),
        typed=typed,
        errors=errors,
        notice=notice,
        drawn=drawn,
        importing=MapForm(name=shown.name) if shelf == "sites" and may_edit else None,
        changes=None
        if other is None
        else changes_of(shelf, shown, other, versions, documents.changes(other, shown)),
    )


def drawn_map(
    console: Console,
    shown: Kept,
    newest: int,
    may_draw: bool,
    typed: str = "",
    errors: tuple[FieldError, ...] = (),
) -> SiteMap | None:
    """None where the text is wrong: its page says so."""
    survey = console.deps.sites.survey(shown.name, shown.version)
    if survey is None:
        return None
    return site_map(survey, shown.version, newest=newest, may_draw=may_draw, typed=typed, errors=errors)


def refused_drawing(
    console: Console,
    request: Request,
    name: str,
    typed: str,
    errors: tuple[FieldError, ...],
    meanwhile: WrittenMeanwhile | None = None,
) -> DocumentPage:
    """The site's page with the drawing as it was sent."""
    sites = console.deps.sites
    shown = sites.kept(name)
    notice = _told(meanwhile) if meanwhile is not None else None
    drawn = drawn_map(console, shown, shown.version, True, typed, errors)
    return shown_page(console, request, "sites", sites, shown, notice=notice, drawn=drawn)


def _lines(text: str) -> str:
    """A form sends its lines with carriage returns."""
    return text.replace("\r\n", "\n")


def _told(meanwhile: WrittenMeanwhile) -> Notice:
    return Notice(
        icon="stale",
        title=f"{meanwhile.author} saved version {meanwhile.version} meanwhile.",
        text="Nothing was saved; what you wrote or drew is kept below. Compare, then save yours over it.",
        tone="caution",
    )
