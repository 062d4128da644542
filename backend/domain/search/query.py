"""What is asked for: words, "phrases", beginnings*, and fields such as skill:grasp; a dash before leaves out.

All of it must hold of one moment; the fields of EPISODE hold of its episode.
"""

from __future__ import annotations

import re
from typing import get_args

from msgspec import Struct

from backend.domain.plans.validity import CauseKind
from backend.domain.refusal import Refusal
from backend.domain.search.moments import KINDS
from backend.domain.search.words import facet, words_of

LONGEST = 500
MOST = 20
CAUSES = tuple(kind for kind in get_args(CauseKind) if kind not in ("first", "completed"))
MOMENT = {
    "entity": "a record, such as can_07",
    "skill": "such as grasp",
    "by": "an account, or a planner's model",
    "tag": "of an annotation",
    "mention": "an account that an annotation mentions",
    "cause": f"of a replan: {', '.join(CAUSES)}",
    "in": f"one of {', '.join(KINDS)}",
}
"""Fields of a moment, each with what it means."""
EPISODE = {
    "outcome": "completed, budget, aborted, failed, or running",
    "mission": "its name",
    "planner": "policy, openai, recorded, operator, surrogate, per_chunk or oracle",
    "memory": "the memory configuration",
    "world": "grid, tabletop, arena or ros",
    "robot": "its name",
    "episode": "its id",
    "operator": "whoever ordered it or had the conn last",
}
"""Fields of an episode."""

_PART = re.compile(r'(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))')


class Term(Struct, frozen=True, kw_only=True):
    """Words that follow each other. `is_prefix`: the last one is a beginning."""

    words: tuple[str, ...]
    is_prefix: bool = False
    is_excluded: bool = False


class Filter(Struct, frozen=True, kw_only=True):
    """A field of the episode. A value that ends in * is a beginning."""

    field: str
    value: str
    is_excluded: bool = False


class Query(Struct, frozen=True, kw_only=True):
    """`terms`: of the moment, facets included; `filters`: of its episode."""

    terms: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def is_about_episodes(self) -> bool:
        """No moment is asked for: each episode is shown by its end, or by its opening."""
        return not any(not term.is_excluded for term in self.terms)

    @property
    def is_empty(self) -> bool:
        return not self.terms and not self.filters


def read_query(text: str) -> Query | Refusal:
    if len(text) > LONGEST:
        return Refusal("q", f"This is {len(text)} characters long.", f"Ask in at most {LONGEST}.")
    terms: list[Term] = []
    filters: list[Filter] = []
    for dash, field, quoted, bare in _PART.findall(text):
        value = quoted or bare
        if not field and bare.endswith(":") and (bare[:-1] in MOMENT or bare[:-1] in EPISODE):
            field, value = bare[:-1], ""
        if field in MOMENT or field in EPISODE:
            value = value.strip()
            if not value.rstrip("*"):
                known = {**MOMENT, **EPISODE}
                return Refusal("q", f"{field}: names nothing.", f"Write {known[field]}, without a blank.")
        elif field and not bare.startswith("/"):
            told = f"There is no field {field}."
            return Refusal("q", told, f"There are {', '.join([*MOMENT, *EPISODE])}.")
        elif field:  # an address, such as http://robot
            value = f"{field} {bare}"
        excluded = dash == "-"
        if field in EPISODE:
            filters.append(Filter(field=field, value=value, is_excluded=excluded))
        elif field in MOMENT:
            terms.append(_facet(field, value, excluded))
        elif words := tuple(words_of(value)):
            is_prefix = value.endswith("*")
            terms.append(Term(words=words, is_prefix=is_prefix, is_excluded=excluded))
    if len(terms) + len(filters) > MOST:
        return Refusal("q", "This asks for too much at once.", f"Ask for at most {MOST} things.")
    return Query(terms=tuple(terms), filters=tuple(filters))


def _facet(field: str, value: str, excluded: bool) -> Term:
    word = facet(field, value.rstrip("*"))
    return Term(words=(word,), is_prefix=value.endswith("*"), is_excluded=excluded)
