"""What a source keeps saying without changing anything is journalled once a second, with how often.

A camera that sees a container thirty times a second would else fill the journal and push out what matters.
Only worlds whose clock runs are coalesced: where the world waits every piece of evidence is kept, so that
episodes compare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.geometry import Metric
from backend.domain.memory.association import associate
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import EntityRecord, Status
from backend.domain.memory.store import Memory

ONE_IN_S = 1.0

JITTER = 0.1
"""By how much a detector's confidence may waver and say the same."""

Key = tuple[str, str]
"""Entity and source."""


class Said(Struct, frozen=True):
    """What was last passed on of an entity by a source, when (met_s), to a memory of which revision, and what
    was kept back since."""

    passed: Evidence
    passed_s: float
    revision: int
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
        if last is None or not _repeats(piece, last, memory.records.get(entity), metric):
            kept = () if last is None or last.kept is None else ((last.kept, last.times),)
            passed += [*kept, (piece, 1)]
            now[key] = Said(piece, met_s, memory.revision)
        elif met_s - last.passed_s >= ONE_IN_S:
            passed.append((piece, last.times + 1))
            now[key] = Said(piece, met_s, memory.revision)
        else:
            now[key] = replace(last, kept=piece, times=last.times + 1)
    for key, each in now.items():
        if each.kept is not None and met_s - each.passed_s >= ONE_IN_S:
            passed.append((each.kept, each.times))
            now[key] = Said(each.kept, met_s, memory.revision)
    return Coalesced(tuple(p for p, _ in passed), tuple(n for _, n in passed), now)


def _repeats(piece: Evidence, last: Said, record: EntityRecord | None, metric: Metric) -> bool:
    """It says what its source said before, and memory agrees or is as it was when that was judged:
    judging it too would come out alike."""
    return (
        piece.cls == last.passed.cls
        and abs(piece.confidence - last.passed.confidence) <= JITTER
        and metric.same_place(piece.pose, last.passed.pose)
        and (record is None or _agrees(piece, record, metric) or not _changed_since(record, last.revision))
    )


def _agrees(piece: Evidence, record: EntityRecord, metric: Metric) -> bool:
    is_there = record.cls == piece.cls and metric.same_place(piece.pose, record.pose)
    return is_there and record.status is not Status.LOST


def _changed_since(record: EntityRecord, revision: int) -> bool:
    return max(record.pose_seq, record.status_seq, record.class_seq) > revision
