"""The note-rewriter: what goes wrong when a model rewrites its note, at set rates (LogLook, section 4.2).

The paper names two losses of a rewritten note: a repetition just completed is not counted, and a fact
recorded earlier is gone a few rewrites later. Here each happens to each fact by itself, at its rate per
rewrite, drawn from a seed: two memories compared on one episode meet the same luck, and a higher rate loses
all that a lower one does. What was learned at this very decision is in view while the note is written, and is
not dropped.
"""

from __future__ import annotations

import hashlib

from msgspec import Struct

from backend.planners.surrogate.facts import Facts, written


class Rates(Struct, frozen=True, kw_only=True):
    """Probabilities per fact and rewrite, 0 to 1.

    `drop`: a fact known before is left out. `miscount`: a count that has just gone up is left as it was.
    """

    drop: float = 0.0
    miscount: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}. Give a probability from 0 to 1.")


class Rewritten(Struct, frozen=True):
    """The new note, and the subjects that were lost in it: for the evaluation, never for the planner."""

    note: str
    dropped: tuple[str, ...] = ()
    miscounted: tuple[str, ...] = ()


def rewritten(known: Facts, learned: Facts, rates: Rates, seed: int, decision: int) -> Rewritten:
    """The note of `decision`: `known` from the memory shown, then `learned` since, with what goes wrong."""
    note: dict[str, str | int] = {}
    dropped: list[str] = []
    miscounted: list[str] = []
    for subject, value in {**known, **learned}.items():
        before = known.get(subject, 0)
        if subject not in learned and draw(seed, decision, "drop", subject) < rates.drop:
            dropped.append(subject)
        elif _rises(before, value) and draw(seed, decision, "miscount", subject) < rates.miscount:
            miscounted.append(subject)
            note[subject] = before
        else:
            note[subject] = value
    return Rewritten(written(note), tuple(dropped), tuple(miscounted))


def _rises(before: str | int, value: str | int) -> bool:
    return isinstance(before, int) and isinstance(value, int) and value > before


def draw(seed: int, decision: int, kind: str, subject: str) -> float:
    """Uniform in [0, 1), the same for the same arguments on every machine."""
    drawn = hashlib.sha256(f"{seed}/{decision}/{kind}/{subject}".encode()).digest()
    return int.from_bytes(drawn[:7], "big") / 2**56
