"""Numbers and lists as an instruction says them."""

from __future__ import annotations

from collections.abc import Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth")


def number(count: int) -> str:
    return _NUMBERS[count]


def ordinal(count: int) -> str:
    return _ORDINALS[count]


def times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{number(count)} times"


def listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
