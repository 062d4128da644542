"""Why a step was taken and what came of it: one page in order of time, printable."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.chrome import Page
from backend.web.pages.documents import Fact
from backend.web.pages.parts import Choice, Empty, Icon, Link, Tone


class ShownFrame(Struct, frozen=True, kw_only=True):
    sha256: str
    alt: str


class WhyPart(Struct, frozen=True, kw_only=True):
    """One link of the chain. `quote`: as it was written or sent. `known`: what is known now that was not
    then, empty where nothing else is."""

    seq: int
    met: str
    icon: Icon
    title: str
    text: str
    quote: str = ""
    facts: tuple[Fact, ...] = ()
    known: str = ""
    links: tuple[Link, ...] = ()
    frames: tuple[ShownFrame, ...] = ()
    tone: Tone = "quiet"


class WhyChoice(Struct, frozen=True, kw_only=True):
    """Something that went wrong in the episode, to be explained instead."""

    seq: int
    met: str
    what: str
    is_open: bool = False


class MissedRow(Struct, frozen=True, kw_only=True):
    """A record that the planner was not shown. `k`: how large K would have had to be."""

    entity: str
    k: str
    score: str
    short_by: str
    used: str
    used_seq: int | None = None
    known: str = ""
    tone: Tone = "quiet"


class EffectRow(Struct, frozen=True, kw_only=True):
    """Something that the event set off. `seq` leads to its moment."""

    seq: int
    met: str
    what: str
    why: str = ""
    tone: Tone = "quiet"


class LabelForm(Struct, frozen=True, kw_only=True):
    """Labels a failure, as an annotation with a tag. `suggested`: in words, what speaks for itself; empty for
    nothing. `given`: labels of this event, in words, with who gave them. `may_label`: whether it is offered.
    """

    seq: int
    text: str
    causes: tuple[Choice, ...]
    outcomes: tuple[Choice, ...]
    suggested: str = ""
    given: tuple[str, ...] = ()
    may_label: bool = True


class WhyPage(Page, frozen=True, kw_only=True):
    """`verdict`: what it comes to, by what is known now; `source`: who tells that. `empty`: nothing of the
    episode can be explained yet. `missed`: of the call, `missed_more` left out; `effects`: from it forward.
    `label`: None where nothing is there that could be labelled.
    """

    template = "episode/why.html"

    episode: str
    mission: str
    at: int | None
    headline: str
    tone: Tone
    verdict: str
    source: str
    parts: tuple[WhyPart, ...]
    missed: tuple[MissedRow, ...]
    missed_more: int
    missed_call: str
    effects: tuple[EffectRow, ...]
    effects_more: int
    choices: tuple[WhyChoice, ...]
    made: str
    empty: Empty | None = None
    label: LabelForm | None = None
