"""Start an episode: mission, site, world, seed, planner, memory, who is asked."""

from __future__ import annotations

from backend.web.pages.chrome import Page
from backend.web.pages.parts import Choice, FieldError
from backend.web.pages.policy import PreviewView, Rules


class NewEpisodePage(Page, frozen=True, kw_only=True):
    """Fields: `mission`, `site`, `clock`, `mode`, `seed`, `planner`, `memory`, `policy`; with `own_rules`
    those of a policy. What was typed is kept when refused."""

    template = "episodes/new.html"

    missions: tuple[Choice, ...]
    sites: tuple[Choice, ...]
    clocks: tuple[Choice, ...]
    modes: tuple[Choice, ...]
    seed: str
    planners: tuple[Choice, ...]
    memories: tuple[Choice, ...]
    policies: tuple[Choice, ...]
    rules: Rules
    preview: PreviewView
    own_rules: bool = False
    errors: tuple[FieldError, ...] = ()
