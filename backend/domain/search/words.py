"""Words as they are indexed and asked for: the same on every database, whatever its own parser would do.

A facet, such as a skill, is one word more that no text can hold, so that one index answers for both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

LONGEST_WORD = 64
LONGEST_FACET = 200
_MARK = "§"
_RUN = re.compile(r"[^\W_]+")


class Place(NamedTuple):
    """A word of a text: as it is indexed, and where it stands."""

    word: str
    start: int
    end: int


def places_of(text: str) -> Iterator[Place]:
    """Runs of letters and digits, in order."""
    for found in _RUN.finditer(text):
        word = folded(found[0])[:LONGEST_WORD]
        if word:
            yield Place(word, found.start(), found.end())


def words_of(text: str) -> list[str]:
    return [place.word for place in places_of(text)]


def folded(word: str) -> str:
    """Without case, accents and compatibility forms. What folding parts in two stays one word."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in plain.casefold() if letter.isalnum() and letter != _MARK)


def facet(name: str, value: str) -> str:
    """§name§value, all of it letters, digits and §, case folded."""
    kept = "".join(
        letter if letter.isalnum() else f"{_MARK}{ord(letter):x}{_MARK}" for letter in value.casefold()
    )
    return f"{_MARK}{name}{_MARK}{kept}"[:LONGEST_FACET]
