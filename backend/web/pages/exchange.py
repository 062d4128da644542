"""The exchange with the planner: every attempt, its verdicts, what it cost, and the text of both sides."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Empty, Mark, Tone
from backend.web.pages.view import View


class TimeShare(Struct, frozen=True, kw_only=True):
    """A part of an attempt's time bar; `start` and `share` between 0 and 1 of the bar."""

    kind: Literal["queue", "reasoning", "answer", "total"]
    start: float
    share: float


class AttemptRow(Struct, frozen=True, kw_only=True):
    """`number` counts the attempts of this decision: 1 asks, 2 repairs; "–" where nothing was said.

    `chosen`: what opens it.
    """

    number: int
    label: str
    reply: Mark
    plan: Mark
    tokens_in: str
    cached: str
    tokens_out: str
    reasoning: str
    latency: str
    cost: str
    times: tuple[TimeShare, ...] = ()
    chosen: str = ""
    is_open: bool = False


class Totals(Struct, frozen=True, kw_only=True):
    label: str
    tokens_in: str
    cached: str
    tokens_out: str
    reasoning: str
    latency: str
    cost: str


class Token(Struct, frozen=True):
    """A piece of JSON text: punctuation, key, string, or anything else. `is_bad`: what a finding is about."""

    text: str
    kind: Literal["punctuation", "key", "string", "other"]
    is_bad: bool = False


class Pane(Struct, frozen=True, kw_only=True):
    """Another text of the same attempt that can be read in this place. `chosen`: what opens it."""

    name: str
    label: str
    chosen: str
    is_open: bool


class Argument(Struct, frozen=True, kw_only=True):
    """`is_bad`: a finding is about it."""

    name: str
    value: str
    is_bad: bool = False


class PlanStep(Struct, frozen=True, kw_only=True):
    """A step as it was proposed, with what the validator found in it."""

    number: int
    skill: str
    arguments: tuple[Argument, ...]
    findings: tuple[Mark, ...] = ()


class PlanReading(Struct, frozen=True, kw_only=True):
    """The plan of one answer. `findings`: what concerns it as a whole."""

    rationale: str
    steps: tuple[PlanStep, ...]
    findings: tuple[Mark, ...] = ()


class CodeView(Struct, frozen=True, kw_only=True):
    """One side of an attempt: a text, or the plan that it amounts to. `note`: what to know about the text."""

    title: str
    digest: str
    tokens: tuple[Token, ...] = ()
    plan: PlanReading | None = None
    note: str = ""
    choices: tuple[Pane, ...] = ()


class BudgetLine(Struct, frozen=True, kw_only=True):
    """What the episode has used by now. `share` None: no bound."""

    label: str
    text: str
    share: float | None
    tone: Tone = "quiet"


class ExchangePanel(View, frozen=True, kw_only=True):
    """`left`: what was sent (findings, request); `right`: what came back.

    `scale`: what the time bars measure. `said`: what became of the open attempt, in words, and `facts` how it
    was asked. `earlier`, `later`: what opens the calls beside this one, `newest` the newest one;
    `asked_at`: the event that asked this one.
    """

    template = "episode/_exchange.html"
    variable = "exchange"

    episode: str
    at: int | None
    decision: int | None
    caption: str = ""
    scale: str = ""
    attempts: tuple[AttemptRow, ...] = ()
    totals: Totals | None = None
    said: Mark | None = None
    facts: tuple[str, ...] = ()
    budgets: tuple[BudgetLine, ...] = ()
    left: CodeView | None = None
    right: CodeView | None = None
    earlier: str = ""
    later: str = ""
    newest: str = ""
    asked_at: int | None = None
    empty: Empty | None = None


_JSON = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<punctuation>[{}\[\],:]+)'
)


def json_tokens(text: str, bad: frozenset[str] = frozenset()) -> tuple[Token, ...]:
    """Split JSON text for reading.

    Text that is no JSON comes out whole; joined, the tokens give `text` again.

    `bad`: values (without quotes) that a finding names.
    """
    tokens: list[Token] = []
    end = 0
    for found in _JSON.finditer(text):
        if found.start() > end:
            tokens.append(_other(text[end : found.start()], bad))
        piece, end = found[0], found.end()
        if found["key"]:
            tokens.append(Token(piece, "key"))
        elif found["string"]:
            tokens.append(Token(piece, "string", piece[1:-1] in bad))
        else:
            tokens.append(Token(piece, "punctuation"))
    if end < len(text):
        tokens.append(_other(text[end:], bad))
    return tuple(tokens)


def _other(text: str, bad: frozenset[str]) -> Token:
    return Token(text, "other", text.strip() in bad)
