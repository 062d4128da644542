"""When a recycling mission is complete:
all containers at their assigned stations and nothing held (section V-D)."""

from __future__ import annotations

from collections.abc import Mapping

from backend.domain.memory.record import EntityRecord


def correctly_delivered(
    delivered: Mapping[str, str], records: Mapping[str, EntityRecord], assignments: Mapping[str, str]
) -> int:
    """How many delivered entities stand at the station assigned to their class.
    `delivered`: entity -> station."""
    return sum(1 for entity, station in delivered.items() if assignments.get(records[entity].cls) == station)


def is_complete(
    total: int,
    held: str | None,
    delivered: Mapping[str, str],
    records: Mapping[str, EntityRecord],
    assignments: Mapping[str, str],
) -> bool:
    if held is not None or total <= 0 or len(delivered) < total:
        return False
    return correctly_delivered(delivered, records, assignments) >= total
