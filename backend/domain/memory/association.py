"""Which entity a detection is about, where the reporter has no id of its own."""

from __future__ import annotations

from backend.domain.geometry import Metric
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import VERIFIED
from backend.domain.memory.store import Memory

REACH_M = 0.5
"""A detection this near a record of its class is taken for the same entity."""


def associate(memory: Memory, evidence: Evidence, metric: Metric) -> str:
    """The id of the nearest record of the class within reach, the older one at equal distance, or a new id.

    A held or delivered entity is where its outcome says, so nothing seen elsewhere is taken for it.
    """
    if evidence.entity is not None:
        return evidence.entity
    near = [
        (metric.distance_m(record.pose, evidence.pose), record.order, record.id)
        for record in memory.records.values()
        if record.cls == evidence.cls and record.status not in VERIFIED
    ]
    near = [candidate for candidate in near if candidate[0] <= REACH_M]
    return min(near)[2] if near else _new_id(memory, evidence.cls)


def _new_id(memory: Memory, cls: str) -> str:
    number = len(memory.records) + 1
    while f"{cls}_{number:02d}" in memory.records:
        number += 1
    return f"{cls}_{number:02d}"
