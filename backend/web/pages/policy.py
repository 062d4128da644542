"""Who is asked and what the planner is told for good: forms for both, and what the rules would have asked."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.bar import StatusBar
from backend.web.pages.chrome import Page
from backend.web.pages.parts import Choice, FieldError, Mark, Notice
from backend.web.pages.view import View


class RuleField(Struct, frozen=True, kw_only=True):
    """A bound: empty switches the rule off."""

    name: Literal["confidence_below", "belief_older_s", "distance_above_m"]
    label: str
    value: str
    unit: str = ""


class Rules(Struct, frozen=True, kw_only=True):
    """`skills` empty: the robot's are not known here, and `skills_typed` is written instead."""

    numbers: tuple[RuleField, ...]
    switches: tuple[Choice, ...]
    skills: tuple[Choice, ...] = ()
    skills_typed: str = ""


class Asked(Struct, frozen=True, kw_only=True):
    """How often one way to ask would have asked. `share` of the most."""

    label: str
    count: str
    share: float
    chosen: bool = False


class PreviewView(View, frozen=True, kw_only=True):
    """What a policy would have asked in the last episodes. Empty `rows`: there are none yet."""

    template = "policy/_preview.html"
    variable = "preview"

    title: str
    text: str
    rows: tuple[Asked, ...] = ()
    reasons: tuple[Mark, ...] = ()
    errors: tuple[FieldError, ...] = ()


class Said(Struct, frozen=True, kw_only=True):
    met: str
    by: str
    text: str


class PolicyPage(Page, frozen=True, kw_only=True):
    """`shown`: digest of the policy in force, which the form posts back; `instructed`: the instructions in
    force. `head`: the newest event that the page shows."""

    template = "policy/show.html"

    episode: str
    head: int
    bar: StatusBar
    modes: tuple[Choice, ...]
    rules: Rules
    shown: str
    preview: PreviewView
    instructions: str
    instructed: str
    guidance: str = ""
    said: tuple[Said, ...] = ()
    may_change: bool = True
    why_not: str = ""
    notice: Notice | None = None
    errors: tuple[FieldError, ...] = ()
