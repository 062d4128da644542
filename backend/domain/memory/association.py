"""Which entity a detection is about, where the reporter has no id of its own."""

from __future__ import annotations

from backend.domain.geometry import Metric
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Status
from backend.domain.memory.store import Memory

REACH_M = 0.5
"""A detection this near a record of its class is taken for the same entity."""


def associate(memory: Memory, evidence: Evidence, metric: Metric) -> str:
    """The id of the nearest record of the class within reach, the older one at equal distance, or a new id.

    What is held moves with the robot, so nothing seen is taken for it;
    what was delivered stands at its station. What a person removed is taken for what they meant, unless
    something else is near; what they merged into another record is that other one.
    """
    if evidence.entity is not None:
        return _merged(memory, evidence.entity)
    near = [
        (
            record.status is Status.REMOVED,
            metric.distance_m(record.pose, evidence.pose),
            record.order,
            record.id,
        )
        for record in memory.records.values()
        if record.cls == evidence.cls and record.status is not Status.GRASPED
    ]
    near = [candidate for candidate in near if candidate[1] <= REACH_M]
    return _merged(memory, min(near)[3]) if near else new_id(memory, evidence.cls)


def _merged(memory: Memory, entity: str) -> str:
    record = memory.records.get(entity)
    return record.merged_into or entity if record is not None else entity


def new_id(memory: Memory, cls: str) -> str:
    number = len(memory.records) + 1
    while f"{cls}_{number:02d}" in memory.records:
        number += 1
    return f"{cls}_{number:02d}"
