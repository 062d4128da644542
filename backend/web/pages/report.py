"""The printable report of an episode: one page with map, outcome, who decided what, and figures."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.documents import Fact
from backend.web.pages.map import EntityShape
from backend.web.pages.parts import Icon, Tone


class Shape(Struct, frozen=True, kw_only=True):
    """A rectangle of the picture, in its units: x to the right, y down."""

    x: float
    y: float
    width: float
    height: float


class Outline(Struct, frozen=True, kw_only=True):
    """`points`: "x,y x,y", as SVG writes them."""

    points: str
    label: str = ""
    x: float = 0.0
    y: float = 0.0
    is_restricted: bool = False


class PlaceMark(Struct, frozen=True, kw_only=True):
    x: float
    y: float
    label: str
    shape: EntityShape | None = None


class ReportMap(Struct, frozen=True, kw_only=True):
    """The site as an SVG of `width` × `height`: `unit` of it are a metre. `path`: where the robot was
    measured, in order; `mark`: the size of a mark."""

    width: float
    height: float
    unit: float
    mark: float
    free: tuple[Shape, ...]
    walls: tuple[Shape, ...]
    regions: tuple[Outline, ...]
    stations: tuple[PlaceMark, ...]
    entities: tuple[PlaceMark, ...]
    path: str
    robot: PlaceMark | None
    spoken: str


class DecisionLine(Struct, frozen=True, kw_only=True):
    """One plan: who made it and why, who decided, and what came of it. `seq` leads to its moment."""

    number: str
    seq: int
    met: str
    author: str
    what: str
    why: str
    decided: str
    came: str
    tone: Tone = "quiet"


class FailureLine(Struct, frozen=True, kw_only=True):
    seq: int
    met: str
    icon: Icon
    what: str
    why: str


class WrongLine(Struct, frozen=True, kw_only=True):
    """A wrong belief that a plan rested on. `seq`: of the plan; `why` names the cause."""

    seq: int
    met: str
    what: str
    why: str


class ReportPage(Page, frozen=True, kw_only=True):
    """`as_of`: the moment that it is of, where the episode goes on or an earlier one is shown. `more_*`: what
    is left out so that it stays one page. `misled`: how long plans rested on what was wrong, by what is known
    now; empty where the report is of an earlier moment. `by_cause`: of that, in words."""

    template = "episode/report.html"

    episode: str
    at: int | None
    mission: str
    outcome: str
    tone: Tone
    message: str
    as_of: str
    facts: tuple[Fact, ...]
    figures: tuple[Fact, ...]
    map: ReportMap
    decisions: tuple[DecisionLine, ...]
    more_decisions: int
    failures: tuple[FailureLine, ...]
    more_failures: int
    made: str
    misled: str = ""
    by_cause: str = ""
    known_from: str = ""
    wrong: tuple[WrongLine, ...] = ()
    more_wrong: int = 0
