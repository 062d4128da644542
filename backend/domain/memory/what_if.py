"""What attention would show with other settings: the same records, ranked anew. Nothing of it is sent."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.memory.attention import retrieve
from backend.domain.memory.configuration import AttentionSettings, MemoryConfiguration
from backend.domain.memory.record import REMOTE, EntityRecord
from backend.domain.memory.retrieval import Retrieval
from backend.domain.memory.store import Memory


class Compared(Struct, frozen=True, kw_only=True):
    """`retrieval` under the other settings; `enters` and `leaves` in the order of their new and old rank."""

    retrieval: Retrieval
    enters: tuple[str, ...]
    leaves: tuple[str, ...]


def what_if(
    memory: Memory,
    configuration: MemoryConfiguration,
    settings: AttentionSettings,
    metric: Metric,
    task_place: Pose,
    now_s: float,
) -> Compared:
    """`settings` in place of the configuration's. A threshold judges the reports that records rest on, as
    they are now: what earlier reports would have led to is not told."""
    now = retrieve(memory, configuration, metric, task_place, now_s)
    other = replace(configuration, attention=settings)
    then = retrieve(accepted(memory, settings.threshold), other, metric, task_place, now_s)
    return Compared(
        retrieval=then,
        enters=tuple(entity for entity in then.exposed if entity not in now.exposed),
        leaves=tuple(entity for entity in now.exposed if entity not in then.exposed),
    )


def accepted(memory: Memory, threshold: float) -> Memory:
    """Remote beliefs as that threshold would have them: known from it on, unsupported below."""
    records: dict[str, EntityRecord] = {}
    for entity, record in memory.records.items():
        is_known = record.confidence >= threshold
        judged = record.source in REMOTE and record.supported is not is_known
        records[entity] = replace(record, supported=is_known) if judged else record
    return replace(memory, records=records)
