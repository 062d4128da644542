"""What a source keeps saying without changing anything is journalled once a second, with how often.

A camera that sees a container thirty times a second would else fill the journal and push out what matters.
Only worlds whose clock runs are coalesced: where the world waits every piece of evidence is kept, so that
episodes compare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backend.domain.geometry import Metric
from backend.domain.memory.association import associate
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Status
from backend.domain.memory.store import Memory

ONE_IN_S = 1.0

Key = tuple[str, str]
"""Entity and source."""


class Said(Struct, frozen=True):
    """What was last passed on of an entity by a source, when (met_s), and what was kept back since."""

    passed: Evidence
    passed_s: float
    kept: Evidence | None = None
    times: int = 0


class Coalesced(Struct, frozen=True):
    """`evidence` to judge now, `times` how often each was said, and what to remember for the next call."""

    evidence: tuple[Evidence, ...]
    times: tuple[int, ...]
    said: Mapping[Key, Said]


def coalesce(
    said: Mapping[Key, Said], evidence: Sequence[Evidence], memory: Memory, metric: Metric, met_s: float
) -> Coalesced:
    """Pass on what tells something new, and of repetitions the last of each second.

    What is kept back is never lost.
    """
    now = dict(said)
    passed: list[tuple[Evidence, int]] = []
    for piece in evidence:
        entity = associate(memory, piece, metric)
        key = (entity, piece.source.value)
        last = now.get(key)
        if last is None or not _repeats(piece, last.passed, entity, memory, metric):
            kept = () if last is None or last.kept is None else ((last.kept, last.times),)
            passed += [*kept, (piece, 1)]
            now[key] = Said(piece, met_s)
        elif met_s - last.passed_s >= ONE_IN_S:
            passed.append((piece, last.times + 1))
            now[key] = Said(piece, met_s)
        else:
            now[key] = Said(last.passed, last.passed_s, piece, last.times + 1)
    for key, each in now.items():
        if each.kept is not None and met_s - each.passed_s >= ONE_IN_S:
            passed.append((each.kept, each.times))
            now[key] = Said(each.kept, met_s)
    return Coalesced(tuple(p for p, _ in passed), tuple(n for _, n in passed), now)


def _repeats(piece: Evidence, passed: Evidence, entity: str, memory: Memory, metric: Metric) -> bool:
    """It says what its source said before, and memory agrees: judging it could change no field."""
    record = memory.records.get(entity)
    return (
        record is not None
        and record.status is not Status.LOST
        and piece.cls == passed.cls == record.cls
        and piece.confidence == passed.confidence
        and metric.same_place(piece.pose, passed.pose)
        and metric.same_place(piece.pose, record.pose)
    )
