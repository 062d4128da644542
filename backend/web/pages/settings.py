"""Settings: the planners that can be asked, with their probe's verdict; the policies; the theme."""

from __future__ import annotations

from backend.web.pages.chrome import Page
from backend.web.pages.documents import Fact
from backend.web.pages.parts import Choice, Mark
from backend.web.pages.view import View


class PlannerCard(View, frozen=True, kw_only=True):
    """One planner. `facts`: where it is asked and how, never its key. `verdict`: whether it can be used, or
    what the last probe said; `probed`: when that was. `can_probe`: a probe asks its server once.
    """

    template = "settings/_planner.html"
    variable = "planner"

    name: str
    title: str
    meaning: str
    verdict: Mark
    probed: str = ""
    facts: tuple[Fact, ...] = ()
    can_probe: bool = False


class SettingsPage(Page, frozen=True, kw_only=True):
    template = "settings/show.html"

    planners: tuple[PlannerCard, ...]
    prices: tuple[Fact, ...]
    policies: tuple[Choice, ...]
    rules: tuple[Fact, ...]
