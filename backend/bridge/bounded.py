"""How much a robot may say at once. Threat: a bridge is as little trusted as a model, and a name of a
megabyte would stand in every event, on every page and in every question to the planner."""

from __future__ import annotations

from backend.domain.digests import digest

LONGEST_NAME = 200
LONGEST_WORDS = 2_000
"""Characters."""
KEPT_DIGITS = 12


def name(text: str) -> str:
    """What a robot calls something. One too long keeps its beginning and a digest of the whole, so that two
    stay two and one stays one."""
    if len(text) <= LONGEST_NAME:
        return text
    return f"{text[: LONGEST_NAME - KEPT_DIGITS - 1]}…{digest(text)[:KEPT_DIGITS]}"


def words(text: str) -> str:
    """What a robot says of a step. Past the bound it says how much more it said."""
    if len(text) <= LONGEST_WORDS:
        return text
    return f"{text[:LONGEST_WORDS]}… and {len(text) - LONGEST_WORDS:,} more characters"
