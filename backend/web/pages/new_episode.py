"""Start an episode: mission, site, world, seed, planner, memory, who is asked."""

from __future__ import annotations

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Choice, FieldError


class NewEpisodePage(Page, frozen=True, kw_only=True):
    """Fields: `mission`, `site`, `clock`, `seed`, `planner`, `memory`, `policy`. What was typed is kept when
    refused."""

    template = "episodes/new.html"

    missions: tuple[Choice, ...]
    sites: tuple[Choice, ...]
    clocks: tuple[Choice, ...]
    seed: str
    planners: tuple[Choice, ...]
    memories: tuple[Choice, ...]
    policies: tuple[Choice, ...]
    errors: tuple[FieldError, ...] = ()
