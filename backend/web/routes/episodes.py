"""The list of episodes, and the start of a new one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.domain.command.policy import Policy
from backend.web.builders.choices import CLOCKS, MEMORIES, POLICIES, SENDING, SITE_OF_MISSION
from backend.web.builders.policy import preview_view, rules_of, rules_typed, wrong_view
from backend.web.console import Console
from backend.web.deps import AS_MISSION, NewEpisode, OrderRefused
from backend.web.errors import Forbidden
from backend.web.listing import Show, filters
from backend.web.ordering import read_order
from backend.web.pages.environment import url
from backend.web.pages.episodes import EpisodesPage
from backend.web.pages.new_episode import NewEpisodePage
from backend.web.pages.parts import Choice, FieldError
from backend.web.pages.policy import PreviewView
from backend.web.previews import Previews
from backend.web.responses import see, wants_fragment
from backend.web.ruling import read_policy

BEGINS_WITHIN_S = 8.0
UNCOUNTED = PreviewView(
    title="What they would have asked", text="Change a rule to count the last episodes of the mission chosen."
)
LOOK_S = 0.1

Search = Annotated[str, Query(max_length=200)]
Field = Annotated[str, Form(max_length=200)]


def router(console: Console) -> APIRouter:
    routes = APIRouter()
    previews = Previews(console.deps.reader)
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

    def refuse_viewer(request: Request) -> None:
        if console.user(request).role not in COMMANDING:
            raise Forbidden("A viewer may watch and hold.", remedy="Ask an operator to start an episode.")

    @routes.get("/episodes/new")
    def new(request: Request, mission: Search = "") -> Response:
        refuse_viewer(request)
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
        mode: Field = AS_MISSION,
        rules: Field = "",
        confidence_below: Field = "",
        belief_older_s: Field = "",
        distance_above_m: Field = "",
        skills: Field = "",
        first_plan_after_failure: Field = "",
        record_disputed: Field = "",
    ) -> Response:
        typed = {
            "mission": mission,
            "seed": seed,
            "planner": planner,
            "memory": memory,
            "policy": policy,
            "site": site,
            "clock": clock,
            "mode": mode,
        }
        ruled = [
            ("policy", "on_risk"),
            ("rules", rules),
            ("confidence_below", confidence_below),
            ("belief_older_s", belief_older_s),
            ("distance_above_m", distance_above_m),
            ("skills", skills),
            *([("first_plan_after_failure", "on")] if first_plan_after_failure else []),
            *([("record_disputed", "on")] if record_disputed else []),
        ]
        if rules != "own":
            ruled = []
        order, own = read_order(typed), read_policy(ruled) if ruled else None
        if not isinstance(order, NewEpisode) or isinstance(own, tuple):
            errors = (*(order if isinstance(order, tuple) else ()), *(own if isinstance(own, tuple) else ()))
            return console.html(form(request, _kept(typed), seed, errors, ruled), 422)
        order = replace(order, risk=own.risk if own is not None else None)
        try:
            episode = orders.start(order, console.user(request).name)
        except OrderRefused as refused:
            error = FieldError(field=refused.field, message=refused.message, remedy=refused.remedy)
            return console.html(form(request, order, seed, (error,), ruled), 422)
        deadline = time.monotonic() + BEGINS_WITHIN_S
        while reader.episode(episode).seq == 0 and time.monotonic() < deadline:
            time.sleep(LOOK_S)
        return see(url("episodes", episode))

    def form(
        request: Request,
        kept: NewEpisode,
        seed: str | None = None,
        errors: tuple[FieldError, ...] = (),
        ruled: Sequence[tuple[str, str]] = (),
    ) -> NewEpisodePage:
        """With what was typed, and what is wrong with it."""
        return NewEpisodePage(
            chrome=console.chrome(request, "New episode"),
            missions=_chosen(tuple(orders.missions()), kept.mission),
            sites=_chosen((SITE_OF_MISSION, *orders.sites()), kept.site),
            clocks=_chosen(CLOCKS, kept.clock),
            modes=_chosen(SENDING, kept.mode),
            seed=str(kept.seed) if seed is None else seed,
            planners=_chosen(tuple(orders.planners()), kept.planner),
            memories=_chosen(MEMORIES, kept.memory),
            policies=_chosen(POLICIES, kept.policy),
            rules=rules_typed(ruled) if ruled else rules_of(Policy()),
            preview=UNCOUNTED,
            own_rules=bool(ruled),
            errors=errors,
        )

    @routes.post("/episodes/new/preview")
    async def preview(request: Request) -> Response:
        """How often the rules as typed would have asked in the last episodes of the mission chosen."""
        refuse_viewer(request)
        async with request.form(max_fields=200, max_files=0) as posted:
            typed = [(name, value) for name, value in posted.multi_items() if isinstance(value, str)]
        mode = dict(typed).get("policy", AS_MISSION)
        policy = read_policy([*typed, ("policy", "on_risk" if mode == AS_MISSION else mode)])
        if not isinstance(policy, Policy):
            return console.html(wrong_view(policy))
        found = await run_in_threadpool(previews.of, dict(typed).get("mission", ""), policy)
        return console.html(preview_view(found, policy))

    return routes


def _kept(typed: dict[str, str]) -> NewEpisode:
    return replace(
        NewEpisode(seed=0, mission=typed["mission"], planner=typed["planner"]),
        **{name: value for name, value in typed.items() if name not in ("seed", "mission", "planner")},
    )


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
