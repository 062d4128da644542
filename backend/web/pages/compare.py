"""Two episodes side by side: one cursor, both maps, what differs in figures, and where they part.

The left episode is called A and the right one B, everywhere.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.map import EntityShape
from backend.web.pages.parts import Empty, Icon, Link, Notice, Tone
from backend.web.pages.report import ReportMap

Weight = Literal["same", "other", "much"]


class Switch(Struct, frozen=True, kw_only=True):
    """A switch of the memory configuration. `differs`: the other episode has it otherwise."""

    label: str
    value: str
    differs: bool


class Believed(Struct, frozen=True, kw_only=True):
    """An entity on the small map, in its units. `label` empty: there are too many to be named."""

    x: float
    y: float
    label: str
    shape: EntityShape
    in_k: bool
    is_target: bool
    is_otherwise: bool
    """The other episode believes otherwise of it."""


class SideMap(Struct, frozen=True, kw_only=True):
    """`route`: the plan's legs, each as SVG writes points; the first one is driven next."""

    drawn: ReportMap
    believed: tuple[Believed, ...]
    route: tuple[str, ...]


class Known(Struct, frozen=True, kw_only=True):
    """A record that is shown. `is_alone`: the other episode's planner is not shown it."""

    entity: str
    is_alone: bool


class Side(Struct, frozen=True, kw_only=True):
    """One episode at the cursor. `place`: where it stands, in words; `past`: that it had ended before the
    cursor. `plan`: what is done next, `plan_note` which plan that is; `facts` as label and value."""

    letter: Literal["A", "B"]
    episode: str
    title: str
    href: str
    place: str
    past: str
    switches: tuple[Switch, ...]
    map: SideMap
    plan: str
    plan_note: str
    facts: tuple[tuple[str, str], ...]
    known: tuple[Known, ...]
    known_note: str


class FigureRow(Struct, frozen=True, kw_only=True):
    """`difference`: A minus B. `weight`: the same, other, or other in what matters most."""

    label: str
    left: str
    right: str
    difference: str
    weight: Weight = "other"


class FigureGroup(Struct, frozen=True, kw_only=True):
    title: str
    rows: tuple[FigureRow, ...]


class BeliefRow(Struct, frozen=True, kw_only=True):
    entity: str
    left: str
    right: str


class PartingRow(Struct, frozen=True, kw_only=True):
    """`place`: "Step 41"; `href` moves the cursor there, `opens` lead to the moment in A, in B, or both.
    `share`: its place on the axis, 0 to 100."""

    place: str
    href: str
    aspect: str
    text: str
    share: float
    opens: tuple[Link, ...] = ()
    is_current: bool = False


class Lane(Struct, frozen=True, kw_only=True):
    """An episode along the axis, in percent of it. `phases`: (start, width, class)."""

    letter: Literal["A", "B"]
    phases: tuple[tuple[float, float, str], ...]
    marks: tuple[LaneMark, ...]
    end: float


class LaneMark(Struct, frozen=True, kw_only=True):
    share: float
    icon: Icon
    label: str
    href: str
    tone: Tone = "quiet"


class Curve(Struct, frozen=True, kw_only=True):
    """Context units a call, of both, as SVG writes points, in a box of 220 by 100. `ticks`: from above."""

    left: str
    right: str
    cursor: float
    ticks: tuple[str, ...]
    spoken: str


class Transport(Struct, frozen=True, kw_only=True):
    """`here`: "Step 96 of 208". `last`: the greatest place, `at` the present one; `address`: the page's own
    without its place. A link is None where there is nothing further."""

    here: str
    at: float
    last: float
    share: float
    flag: str
    address: str
    before: Link | None
    after: Link | None
    parting_before: Link | None
    parting_after: Link | None


class ComparePage(Page, frozen=True, kw_only=True):
    """`partings`: the first difference first. `axis`: labels with their place in percent. `settings`: name,
    A, B. `swap`, `change`: the two the other way round, and the choice of others."""

    template = "compare/show.html"

    lead: str
    notices: tuple[Notice, ...]
    by: Literal["step", "time", "delivery"]
    ways: tuple[Link, ...]
    swap: Link
    change: Link
    sides: tuple[Side, ...]
    settings: tuple[tuple[str, str, str], ...]
    groups: tuple[FigureGroup, ...]
    beliefs: tuple[BeliefRow, ...]
    more_beliefs: int
    partings: tuple[PartingRow, ...]
    more_partings: int
    unparted: Empty | None
    curve: Curve | None
    lanes: tuple[Lane, ...]
    axis: tuple[tuple[float, str], ...]
    transport: Transport


class CandidateRow(Struct, frozen=True, kw_only=True):
    """An episode that can be chosen. `note`: what it shares with the one chosen first."""

    episode: str
    mission: str
    facts: str
    outcome: str
    note: str
    is_left: bool
    is_right: bool


class ChoosePage(Page, frozen=True, kw_only=True):
    """Choose two. `left`, `right`: as named so far, which may be an episode that is in no list."""

    template = "compare/choose.html"

    left: str
    right: str
    query: str
    rows: tuple[CandidateRow, ...]
    shown: str
    empty: Empty | None = None
