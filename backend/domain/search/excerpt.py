"""The piece of a text that shows why it was found, with what was found marked."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.search.query import Query, Term
from backend.domain.search.words import Place, places_of

BEFORE = 60
LENGTH = 240


class Piece(Struct, frozen=True):
    text: str
    is_found: bool = False


def excerpt(text: str, query: Query) -> tuple[Piece, ...]:
    """About LENGTH characters around the first find, on one line; the beginning where no word was asked."""
    places = list(places_of(text))
    found = sorted({span for term in query.terms if not term.is_excluded for span in _spans(places, term)})
    first = found[0][0] if found else 0
    start = 0 if first <= BEFORE else _word_start(text, first - BEFORE)
    end = min(len(text), start + LENGTH)
    pieces: list[Piece] = [Piece("… ")] if start else []
    at = start
    for begin, stop in found:
        if begin < at or stop > end:
            continue
        pieces += [Piece(_line(text[at:begin])), Piece(_line(text[begin:stop]), True)]
        at = stop
    pieces.append(Piece(_line(text[at:end]) + (" …" if end < len(text) else "")))
    return tuple(piece for piece in pieces if piece.text)


def _spans(places: Sequence[Place], term: Term) -> list[tuple[int, int]]:
    size = len(term.words)
    return [
        (places[at].start, places[at + size - 1].end)
        for at in range(len(places) - size + 1)
        if _is_at(places, at, term)
    ]


def _is_at(places: Sequence[Place], at: int, term: Term) -> bool:
    *whole, last = term.words
    if any(places[at + n].word != word for n, word in enumerate(whole)):
        return False
    found = places[at + len(whole)].word
    return found.startswith(last) if term.is_prefix else found == last


def _word_start(text: str, at: int) -> int:
    blank = text.find(" ", at)
    return blank + 1 if 0 <= blank < at + BEFORE // 2 else at


def _line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")
