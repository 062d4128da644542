"""Tags and mentions in what people write."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

MOST_TAGS = 12
LONGEST_TAG = 40
SUGGESTED = (
    "stale-target", "false-report", "count-drift", "fact-dropped", "demonstration-misread", "motion-planning",
    "empty-grasp", "stall", "press-latency", "press-not-registered", "other-execution",
    "near-miss", "good-example", "question",
)  # fmt: skip
"""Offered while typing: the causes of failure that the papers name, and a few that teams use. Any other word
is a tag as well."""

_TAG = re.compile(rf"[^\W_](?:[\w-]{{0,{LONGEST_TAG - 2}}}[^\W_])?")
_MENTION = re.compile(r"(?<![\w@.])@([\w][\w.@+-]*)")


def tags_of(typed: str) -> tuple[str, ...]:
    """The tags as they are kept: parted by commas or blanks, small, each once, in the order typed."""
    return tuple(dict.fromkeys(word for word in _split(typed) if _TAG.fullmatch(word)))


def wrong_tag(typed: str) -> str | None:
    """The first word that is no tag."""
    return next((word for word in _split(typed) if not _TAG.fullmatch(word)), None)


def mentions_of(text: str) -> tuple[str, ...]:
    """The names behind an @, each once; whether they are accounts is for whoever knows them."""
    return tuple(dict.fromkeys(name for _, name in _found(text)))


def parts_of(text: str, accounts: Collection[str]) -> Iterator[tuple[str, bool]]:
    """The text in pieces, and of each whether it mentions an account."""
    end = 0
    for start, name in _found(text):
        if name not in accounts:
            continue
        if start > end:
            yield text[end:start], False
        end = start + 1 + len(name)
        yield text[start:end], True
    if end < len(text):
        yield text[end:], False


def _found(text: str) -> Iterator[tuple[int, str]]:
    """A full stop or dash at the end is the sentence's, not the name's."""
    for found in _MENTION.finditer(text):
        yield found.start(), found[1].rstrip(".-+@")


def _split(typed: str) -> Iterator[str]:
    for word in re.split(r"[\s,;]+", typed):
        if bare := word.removeprefix("#").casefold():
            yield bare
