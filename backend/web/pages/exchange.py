"""The exchange with the planner: every attempt, its verdicts, what it cost, and the text of both sides."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Empty, Mark
from backend.web.pages.view import View


class TimeShare(Struct, frozen=True, kw_only=True):
    """A part of an attempt's time bar; `start` and `share` between 0 and 1 of the bar."""

    kind: Literal["queue", "reasoning", "answer", "total"]
    start: float
    share: float


class AttemptRow(Struct, frozen=True, kw_only=True):
    """`number` counts the attempts of this decision: 1 asks, 2 repairs; "–" where nothing was said."""

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


class CodeView(Struct, frozen=True, kw_only=True):
    title: str
    digest: str
    tokens: tuple[Token, ...]
    choices: tuple[Pane, ...] = ()


class Pane(Struct, frozen=True, kw_only=True):
    """Another text of the same attempt that can be read in this place."""

    name: str
    label: str
    is_open: bool


class ExchangePanel(View, frozen=True, kw_only=True):
    """`left`: what was sent (findings, request); `right`: what came back.

    `scale`: what the time bars measure.
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
    left: CodeView | None = None
    right: CodeView | None = None
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
