"""What an instruction says, as far as a policy has to know: numbers and colours."""

from __future__ import annotations

import re

from backend.planners.surrogate.seeing.palette import NAMED

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TIMES = {"once": 1, "twice": 2, "a": 1, "an": 1, "the": 1} | {
    word: number for number, word in enumerate(_NUMBERS)
}
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_COLOUR = "|".join(NAMED)
_COUNTED = re.compile(rf"\b(?P<count>\d+|{'|'.join(_TIMES)})\s+(?P<colour>{_COLOUR})\b")
_REPEATED = re.compile(rf"\b(?:(?P<count>\d+|{'|'.join(_NUMBERS)}) times?|(?P<word>once|twice))\b")
_PLACED = re.compile(rf"\b(?:(?P<number>\d+)(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS[1:])}))\b")


def colours(instruction: str) -> tuple[str, ...]:
    """Every colour named, in order."""
    return tuple(re.findall(rf"\b({_COLOUR})\b", instruction.lower()))


def counted(instruction: str) -> tuple[tuple[str, int], ...]:
    """Colours with how many of each: `two red cubes and a blue one`."""
    found = _COUNTED.finditer(instruction.lower())
    return tuple((each["colour"], _number(each["count"])) for each in found)


def times(instruction: str) -> int:
    """How often: `three times`, `twice`; once where nothing is said."""
    found = _REPEATED.search(instruction.lower())
    return 1 if found is None else _number(found["count"] or found["word"])


def ordinal(instruction: str) -> int:
    """Which one: `the third`, `the 3rd`; the first where nothing is said."""
    found = _PLACED.search(instruction.lower())
    if found is None:
        return 1
    return int(found["number"]) if found["number"] else _ORDINALS.index(found["word"])


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _TIMES[text]
