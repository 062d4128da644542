"""The list of episodes, and the start of a new one."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.web.builders.choices import CLOCKS, MEMORIES, POLICIES, SITE_OF_MISSION
from backend.web.console import Console
from backend.web.deps import AS_MISSION, NewEpisode, OrderRefused
from backend.web.errors import Forbidden
from backend.web.listing import Show, filters
from backend.web.ordering import read_order
from backend.web.pages.environment import url
from backend.web.pages.episodes import EpisodesPage
from backend.web.pages.new_episode import NewEpisodePage
from backend.web.pages.parts import Choice, FieldError
from backend.web.responses import see, wants_fragment

BEGINS_WITHIN_S = 8.0
LOOK_S = 0.1

Search = Annotated[str, Query(max_length=200)]
Field = Annotated[str, Form(max_length=200)]


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    orders, reader = console.deps.orders, console.deps.reader

    @routes.get("/")
    def home() -> Response:
        return see("/episodes")

    @routes.get("/episodes")
    def episodes(request: Request, q: Search = "", show: Show = "all") -> Response:
        user = console.user(request)
        page = EpisodesPage(
            chrome=console.chrome(request, "Episodes"),
            list=console.listing.list(user, show, q),
            filters=filters(show),
            may_start=user.role in COMMANDING,
        )
        return console.html(page)

    @routes.get("/episodes/list")
    def fragment(request: Request, q: Search = "", show: Show = "all") -> Response:
        """The list alone, fetched again each two seconds."""
        if not wants_fragment(request.headers):
            return see(url("episodes", q=q or None, show=show))
        return console.html(console.listing.list(console.user(request), show, q))

    @routes.get("/episodes/new")
    def new(request: Request, mission: Search = "") -> Response:
        if console.user(request).role not in COMMANDING:
            raise Forbidden("A viewer may watch and hold.", remedy="Ask an operator to start an episode.")
        return console.html(form(request, NewEpisode(mission=mission, seed=1, planner="")))

    @routes.post("/episodes")
    def start(
        request: Request,
        mission: Field = "",
        seed: Field = "",
        planner: Field = "",
        memory: Field = AS_MISSION,
        policy: Field = AS_MISSION,
        site: Field = AS_MISSION,
        clock: Field = AS_MISSION,
    ) -> Response:
        typed = {
            "mission": mission,
            "seed": seed,
            "planner": planner,
            "memory": memory,
            "policy": policy,
            "site": site,
            "clock": clock,
        }
        order = read_order(typed)
        if not isinstance(order, NewEpisode):
            return console.html(form(request, _kept(typed), seed, order), 422)
        try:
            episode = orders.start(order, console.user(request).name)
        except OrderRefused as refused:
            error = FieldError(field=refused.field, message=refused.message, remedy=refused.remedy)
            return console.html(form(request, order, seed, (error,)), 422)
        deadline = time.monotonic() + BEGINS_WITHIN_S
        while reader.episode(episode).seq == 0 and time.monotonic() < deadline:
            time.sleep(LOOK_S)
        return see(url("episodes", episode))

    def form(
        request: Request, kept: NewEpisode, seed: str | None = None, errors: tuple[FieldError, ...] = ()
    ) -> NewEpisodePage:
        """With what was typed, and what is wrong with it."""
        return NewEpisodePage(
            chrome=console.chrome(request, "New episode"),
            missions=_chosen(tuple(orders.missions()), kept.mission),
            sites=_chosen((SITE_OF_MISSION, *orders.sites()), kept.site),
            clocks=_chosen(CLOCKS, kept.clock),
            seed=str(kept.seed) if seed is None else seed,
            planners=_chosen(tuple(orders.planners()), kept.planner),
            memories=_chosen(MEMORIES, kept.memory),
            policies=_chosen(POLICIES, kept.policy),
            errors=errors,
        )

    return routes


def _kept(typed: dict[str, str]) -> NewEpisode:
    return NewEpisode(seed=0, **{name: value for name, value in typed.items() if name != "seed"})


def _chosen(choices: tuple[Choice, ...], value: str) -> tuple[Choice, ...]:
    """The one named, else the first that can be had."""
    known = any(choice.value == value and choice.available for choice in choices)
    wanted = value if known else next((choice.value for choice in choices if choice.available), "")
    return tuple(
        Choice(
            value=choice.value,
            label=choice.label,
            text=choice.text,
            chosen=choice.value == wanted,
            available=choice.available,
        )
        for choice in choices
    )
