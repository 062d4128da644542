"""What a surrogate's note holds: facts, one a line. Its text is all that is remembered of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Facts = Mapping[str, str | int]
"""By subject. A whole number is a count, such as `visits of the left target: 2`; a text is anything else."""

_BETWEEN = ": "
_COUNT = re.compile("-?[0-9]{1,15}")


def written(facts: Facts) -> str:
    """The note that holds `facts`. Raises ValueError where a subject or text could not be read back."""
    for subject, value in facts.items():
        if _read_line(_line(subject, value)) != (subject, value):
            raise ValueError(f"Fact {subject!r}: {value!r} cannot be written in one line and read back.")
    return "\n".join(_line(subject, value) for subject, value in facts.items())


def read(note: str) -> dict[str, str | int]:
    """The facts that a note holds; lines that are none are passed over."""
    return dict(pair for line in note.split("\n") if (pair := _read_line(line)) is not None)


def recalled(notes: Iterable[str]) -> dict[str, str | int]:
    """What the notes shown tell together, oldest first: of a subject the last that was written."""
    facts: dict[str, str | int] = {}
    for note in notes:
        facts |= read(note)
    return facts


def _line(subject: str, value: str | int) -> str:
    return f"{subject}{_BETWEEN}{value}"


def _read_line(line: str) -> tuple[str, str | int] | None:
    subject, between, value = line.partition(_BETWEEN)
    if not (subject and between and value) or "\n" in line:
        return None
    return subject, int(value) if _COUNT.fullmatch(value) else value
