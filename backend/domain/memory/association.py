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
    what was delivered stands at its station.
    """
    if evidence.entity is not None:
        return evidence.entity
    near = [
        (metric.distance_m(record.pose, evidence.pose), record.order, record.id)
        for record in memory.records.values()
        if record.cls == evidence.cls and record.status is not Status.GRASPED
    ]
    near = [candidate for candidate in near if candidate[0] <= REACH_M]
    return min(near)[2] if near else _new_id(memory, evidence.cls)


def _new_id(memory: Memory, cls: str) -> str:
    number = len(memory.records) + 1
    while f"{cls}_{number:02d}" in memory.records:
        number += 1
    return f"{cls}_{number:02d}"
