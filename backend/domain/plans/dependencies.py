"""D(P): the fields that the arguments and preconditions of the remaining steps rest on.

ADM-Planner, section IV-B.

Going to, facing, taking or looking at something needs its pose and its status; putting down what is held
needs nothing that perception may change; a search holds only while nothing is known that it could find: any
pose, any status.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.domain.memory.record import EntityRecord, Field
from backend.domain.memory.store import Memory
from backend.domain.plans.plan import Dependency, Step
from backend.domain.plans.skills import meaning_of

BELIEVED = (Field.POSE, Field.STATUS)
"""What a step needs of what it rests on."""


def dependencies(steps: tuple[Step, ...], memory: Memory, based_on_seq: int) -> tuple[Dependency, ...]:
    """D(P) with one entry per entity and field, spanning its steps.

    What changed after `based_on_seq` was not known to the plan's author: its version is no newer than that,
    and the value planned with is gone (`expected` None).
    """
    spans: dict[tuple[str | None, Field], tuple[int, int, str]] = {}
    for index, step in enumerate(steps):
        for key, reason in _needed(step, memory.records):
            first, _, why = spans.get(key, (index, index, reason))
            spans[key] = (first, index, why)
    return tuple(
        [
            _dependency(entity, field, first, last, reason, memory, based_on_seq)
            for (entity, field), (first, last, reason) in spans.items()
        ]
    )


def _needed(step: Step, records: Mapping[str, EntityRecord]) -> list[tuple[tuple[str | None, Field], str]]:
    meaning = meaning_of(step.skill)
    if meaning.searches:
        return [((None, field), "searches only while nothing new is known") for field in BELIEVED]
    entity = meaning.entity_of(step) if meaning.because else None
    if entity is None or entity not in records:
        return []
    return [((entity, field), meaning.because) for field in BELIEVED]


def _dependency(
    entity: str | None, field: Field, first: int, last: int, reason: str, memory: Memory, based_on_seq: int
) -> Dependency:
    if entity is None:
        return Dependency(None, field, None, based_on_seq, first, last, reason)
    record = memory.records[entity]
    version = record.version(field)
    if version > based_on_seq:
        return Dependency(entity, field, None, based_on_seq, first, last, reason)
    expected = record.pose if field is Field.POSE else record.status.value
    return Dependency(entity, field, expected, version, first, last, reason)
