"""The episode console: its page, live or replayed, and each panel as a fragment of the same address space."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backend.web.builders import audit_filter, gate_form, memory_asked, table_probe
from backend.web.builders.bar import title_of
from backend.web.builders.card import Typed
from backend.web.builders.evidence import tabs_of
from backend.web.builders.map import map_shell
from backend.web.builders.moment import Moment
from backend.web.builders.timeline import abort_sheet, timeline_view
from backend.web.console import Console
from backend.web.pages.environment import url
from backend.web.pages.evidence import TabName
from backend.web.responses import see, wants_fragment

At = Annotated[int | None, Query(ge=1, description="The seq to show; without it the newest.")]
Chosen = Annotated[str, Query(max_length=64)]
Cleared = Annotated[str, Query(max_length=64)]
QUERY = frozenset({*gate_form.FIELDS, *audit_filter.FIELDS, *memory_asked.FIELDS, *table_probe.FIELDS})
"""What a tab is asked with besides."""


def router(console: Console) -> APIRouter:
    routes = APIRouter(prefix="/episodes/{episode}")
    desk = console.desk

    def moment(request: Request, episode: str, at: int | None) -> Moment:
        return desk.moment(episode, console.user(request), at)

    @routes.get("")
    def show(
        request: Request,
        episode: str,
        at: At = None,
        tab: TabName | None = None,
        chosen: Chosen = "",
        cleared: Cleared = "",
        ask: Literal["", "abort"] = "",
        edit: Annotated[bool, Query(description="Open the plan for editing.")] = False,
    ) -> Response:
        now = moment(request, episode, at)
        title = f"{title_of(now)}{', replayed' if at is not None else ''}"
        page = desk.page(
            now,
            console.chrome(request, title),
            tab=tab or tabs_of(now.state)[0],
            chosen=chosen,
            query=request.query_params,
            typed=Typed(cleared=cleared, editing=edit),
            aborting=abort_sheet(now) if ask == "abort" and now.may_command else None,
        )
        return console.html(page)

    @routes.get("/bar")
    def bar(request: Request, episode: str, at: At = None) -> Response:
        return _alone(request, episode, at) or console.html(desk.bar(moment(request, episode, at)))

    @routes.get("/map")
    def map(request: Request, episode: str, at: At = None) -> Response:
        return _alone(request, episode, at) or console.html(map_shell(moment(request, episode, at)))

    @routes.get("/plan")
    def plan(
        request: Request, episode: str, at: At = None, cleared: Cleared = "", edit: bool = False
    ) -> Response:
        """`cleared`: the digest of the stops for which the area was said to be clear, the first of two steps
        to a release. `edit`: the plan opened for editing."""
        typed = Typed(cleared=cleared, editing=edit)
        return _alone(request, episode, at) or console.html(
            desk.plan(moment(request, episode, at), typed=typed)
        )

    @routes.get("/timeline")
    def timeline(request: Request, episode: str, at: At = None) -> Response:
        return _alone(request, episode, at) or console.html(timeline_view(moment(request, episode, at)))

    @routes.get("/abort")
    def abort(request: Request, episode: str) -> Response:
        """The sheet that asks again."""
        if not wants_fragment(request.headers):
            return see(url("episodes", episode, ask="abort"))
        return console.html(abort_sheet(moment(request, episode, None)))

    def evidence(request: Request, episode: str, tab: TabName, at: int | None, chosen: str) -> Response:
        alone = _alone(request, episode, at, tab, chosen)
        shown = desk.evidence(moment(request, episode, at), tab, chosen, request.query_params)
        return alone or console.html(shown)

    @routes.get("/table")
    def table(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """What the cameras of a table see. `camera`, `x_px`, `y_px`: the pixel whose point is read."""
        return evidence(request, episode, "table", at, chosen)

    @routes.get("/demonstration")
    def demonstration(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: the number of a view, whose frames are shown; without it the newest."""
        return evidence(request, episode, "demonstration", at, chosen)

    @routes.get("/memory")
    def memory(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        return evidence(request, episode, "memory", at, chosen)

    @routes.get("/context")
    def context(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: "4:difference" or "4:sent", a block and how it is read; "118.4:sent" of the call at seq
        118."""
        return evidence(request, episode, "context", at, chosen)

    @routes.get("/exchange")
    def exchange(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: an attempt, or "2:request" for one of its texts; "118.2" of the call at seq 118."""
        return evidence(request, episode, "exchange", at, chosen)

    @routes.get("/frames")
    def frames(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: the number of an action in the execution log; "40:7" a frame of it in full, "40:7d" with
        what changed. `radius_px`, `level`, `share_percent`: the gate set otherwise, over stored frames."""
        return evidence(request, episode, "frames", at, chosen)

    @routes.get("/log")
    def log(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: "120:plannerwords", the line before which to look, and how log and notes are read."""
        return evidence(request, episode, "log", at, chosen)

    @routes.get("/audit")
    def audit(request: Request, episode: str, at: At = None, chosen: Chosen = "") -> Response:
        """`chosen`: the seq before which events are shown. `actor`, `kind`, `entity`: which."""
        return evidence(request, episode, "audit", at, chosen)

    return routes


def _alone(
    request: Request, episode: str, at: int | None, tab: str | None = None, chosen: str = ""
) -> Response | None:
    """A fragment's address, opened by itself, leads to the page that it is a part of."""
    if wants_fragment(request.headers):
        return None
    asked = {name: value for name, value in request.query_params.items() if name in QUERY}
    return see(url("episodes", episode, tab=tab, at=at, chosen=chosen or None, **asked))
