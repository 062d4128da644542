"""What-ifs: the form and what it would ask, one that was asked beside what was recorded, the list of them."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.context import DiffLine
from backend.web.pages.documents import Fact
from backend.web.pages.exchange import PlanReading
from backend.web.pages.parts import Choice, FieldError, Mark, Notice, Phrase
from backend.web.pages.view import View


class NumberField(Struct, frozen=True, kw_only=True):
    """`usual`: what it was, and is where nothing is typed."""

    field: str
    label: str
    value: str
    usual: str
    unit: str = ""


class WhatIfForm(Struct, frozen=True, kw_only=True):
    """What is to be otherwise. `when`: as it was asked, or as things stood. `instructions_usual`: those that
    stand; `not_on`: why it cannot be run on."""

    when: tuple[Choice, ...]
    numbers: tuple[NumberField, ...]
    memories: tuple[Choice, ...]
    planners: tuple[Choice, ...]
    model: str
    model_usual: str
    prompt: str
    instructions: str
    instructions_usual: str
    deeds: tuple[Choice, ...]
    entities: tuple[Choice, ...]
    x_m: str
    y_m: str
    cls: str
    statuses: tuple[Choice, ...]
    calls: str
    calls_most: int
    run_on: bool
    not_on: str = ""
    errors: tuple[FieldError, ...] = ()


class BlockRow(Struct, frozen=True, kw_only=True):
    """A block of the query before and after. `lines`: what differs, empty where nothing does."""

    name: str
    before: str
    after: str
    change: str
    is_changed: bool
    lines: tuple[DiffLine, ...] = ()


class RankRow(Struct, frozen=True, kw_only=True):
    """A record's rank and score before and after. `is_changed`: it is shown and was not, or the reverse."""

    entity: str
    rank_before: str
    rank_after: str
    score_before: str
    score_after: str
    why: str
    is_changed: bool


class ShownView(Struct, frozen=True, kw_only=True):
    """What the planner would be shown, beside what it was: records in words and by score, blocks in figures
    and lines. `more`: records that are left out of `ranks`."""

    records: Phrase
    ranks: tuple[RankRow, ...]
    more: int
    blocks: tuple[BlockRow, ...]
    before: str
    after: str


class LookView(View, frozen=True, kw_only=True):
    """`facts`: what it would cost. `kept`: the form as it was typed, to be asked exactly so; `shown`: the
    digest of this. `notice`: why it may not be asked, or what is between. `may_ask` False for who only reads.
    """

    template = "whatif/_look.html"
    variable = "look"

    episode: str
    title: str
    facts: tuple[Fact, ...] = ()
    shown: ShownView | None = None
    kept: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    may_ask: bool = False
    label: str = "Ask"
    notice: Notice | None = None


class ResultLine(Struct, frozen=True, kw_only=True):
    """One of the list. `state`: how far it is, where it is not done."""

    number: int
    call: str
    change: str
    told: str
    by: str
    when: str
    state: str = ""
    is_current: bool = False


class WhatIfPage(Page, frozen=True, kw_only=True):
    """`call`: which one is asked again, in words; `at`: its event."""

    template = "whatif/show.html"

    episode: str
    at: int
    call: str
    cause: str
    form: WhatIfForm
    look: LookView
    results: tuple[ResultLine, ...]


class Side(Struct, frozen=True, kw_only=True):
    """A plan with its verdict, or why there is none. `spent`: tokens, time and price in words."""

    title: str
    verdict: Mark
    plan: PlanReading | None
    spent: str = ""


class MomentView(Struct, frozen=True, kw_only=True):
    """One call asked again. `kind`: how the two plans agree; `differences`: step by step."""

    title: str
    seq: int
    kind: Mark
    before: Side
    after: Side
    differences: tuple[Mark, ...]
    shown: ShownView
    is_open: bool = False


class CourseRow(Struct, frozen=True, kw_only=True):
    label: str
    values: tuple[str, ...]
    differs: bool = False


class CourseView(Struct, frozen=True, kw_only=True):
    """How it went on, by column: recorded, with nothing changed where that is known, and changed."""

    columns: tuple[str, ...]
    rows: tuple[CourseRow, ...]
    parting: Phrase


class ResultView(View, frozen=True, kw_only=True):
    """`is_running`: it fetches itself again. `facts`: who, when, at what cost."""

    template = "whatif/_result.html"
    variable = "result"

    episode: str
    number: int
    is_running: bool
    state: Mark
    facts: tuple[Fact, ...]
    agreement: Phrase = ()
    moments: tuple[MomentView, ...] = ()
    course: CourseView | None = None
    notice: Notice | None = None


class WhatIfResultPage(Page, frozen=True, kw_only=True):
    """`at`: the moment that it began at."""

    template = "whatif/result.html"

    episode: str
    heading: str
    at: int
    result: ResultView
    results: tuple[ResultLine, ...]
