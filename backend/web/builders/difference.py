"""What changed between two texts: line by line, and word by word within a line that is still the same one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal

from backend.web.pages.parts import Run

Kind = Literal["same", "added", "removed", "changed"]
Edit = tuple[Kind, int | None, int | None]
"""A line's place in the old and in the new text."""

_WORDS = re.compile(r"\s+|[^\s,:;()]+|[,:;()]")
LONGEST = 4000
"""Longer lines are compared as a whole: word by word takes time that grows with the square."""


def line_edits(old: Sequence[str], new: Sequence[str], key: Callable[[str], str]) -> Iterator[Edit]:
    """In reading order. A removed and an added line of the same `key` are one line that changed."""
    for tag, i, j, k, m in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (("same", i + step, k + step) for step in range(m - k))
            continue
        waiting: dict[str, list[int]] = {}
        for at in range(i, j):
            waiting.setdefault(key(old[at]), []).append(at)
        pairs = {at: waiting[key(new[at])].pop(0) for at in range(k, m) if waiting.get(key(new[at]))}
        gone = set(range(i, j)) - set(pairs.values())
        yield from (("removed", at, None) for at in sorted(gone))
        yield from (("changed", pairs[at], at) if at in pairs else ("added", None, at) for at in range(k, m))


def first_word(line: str) -> str:
    """What a line is about, in texts whose lines begin with it: `can_04: class can, …`."""
    return line.strip().partition(" ")[0]


def word_runs(old: str, new: str) -> tuple[Run, ...]:
    """`new` with what it took the place of. Joined without the removed runs it is `new` again."""
    if max(len(old), len(new)) > LONGEST:
        return _whole(old, new)
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    runs: list[Run] = []
    for tag, i, j, k, m in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag == "equal":
            runs.append(Run(text="".join(after[k:m])))
            continue
        if j > i:
            runs.append(Run(text="".join(before[i:j]), kind="removed"))
        if m > k:
            runs.append(Run(text="".join(after[k:m]), kind="added"))
    return tuple(runs)


def _whole(old: str, new: str) -> tuple[Run, ...]:
    if old == new:
        return (Run(text=new),)
    return (Run(text=old, kind="removed"), Run(text=new, kind="added"))
