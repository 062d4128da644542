"""The scores of chosen records over the time of an episode, and the lowest score that was sent.

Between two events beliefs only age, so a stretch is drawn by its two ends. What an episode was is sampled
while its journal is read: as many moments as fit, the further apart the longer it lasts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from backend.domain.episode.grounding import task_place
from backend.domain.episode.state import State
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.attention import score_of
from backend.domain.memory.columns import columns_of, scores
from backend.domain.memory.configuration import AttentionSettings
from backend.domain.memory.record import ACTIVE, EntityRecord
from backend.domain.memory.store import Memory
from backend.web.pages.memory import ScoreData, ScoreSeries

MOMENTS = 160
FIRST_APART_S = 1.0


class Sample(Struct, frozen=True):
    """What retrieval went by after event `seq`."""

    seq: int
    met_s: float
    memory: Memory
    place: Pose


class Sampled:
    """Moments of one episode, in order. Not for several threads at a time."""

    def __init__(self) -> None:
        self._samples: list[Sample] = []
        self._apart_s = FIRST_APART_S

    def add(self, state: State) -> None:
        if self._samples and state.met_s - self._samples[-1].met_s < self._apart_s:
            return
        self._samples.append(Sample(state.seq, state.met_s, state.memory, task_place(state)))
        if len(self._samples) > MOMENTS:
            self._apart_s *= 2
            self._samples = self._samples[::2]

    def until(self, state: State) -> list[Sample]:
        """Those up to the state, and the state itself."""
        past = [sample for sample in self._samples if sample.seq < state.seq]
        return [*past, Sample(state.seq, state.met_s, state.memory, task_place(state))]


def score_data(state: State, samples: Sequence[Sample], entities: Sequence[str]) -> ScoreData:
    """A score is None while the record is not known, held, delivered, lost or removed. Ends at `state`."""
    settings, metric = state.mission.memory.attention, state.site.metric
    draws_line = state.mission.memory.entities == "attention"
    times_s: list[float] = []
    line: list[float | None] = []
    found: dict[str, list[float | None]] = {entity: [] for entity in entities}
    for sample, now_s in _ends(samples):
        times_s.append(round(now_s, 3))
        line.append(_kth(sample, settings, metric, now_s) if draws_line else None)
        for entity in entities:
            record = sample.memory.records.get(entity)
            found[entity].append(
                round(score_of(record, settings, metric, sample.place, now_s), 4)
                if record is not None and _counts(record)
                else None
            )
    return ScoreData(
        seq=state.seq,
        met_s=tuple(times_s),
        k=settings.k if draws_line else 0,
        kth=tuple(line),
        series=tuple(ScoreSeries(entity=entity, score=tuple(values)) for entity, values in found.items()),
    )


def _ends(samples: Sequence[Sample]) -> Iterator[tuple[Sample, float]]:
    """Each sample at its own time, and at the time of the next one, where it had aged until then."""
    for index, sample in enumerate(samples):
        yield sample, sample.met_s
        if index + 1 < len(samples) and samples[index + 1].met_s > sample.met_s:
            yield sample, samples[index + 1].met_s


def _kth(sample: Sample, settings: AttentionSettings, metric: Metric, now_s: float) -> float | None:
    """The lowest score that is sent; None while all are."""
    records = [record for record in sample.memory.records.values() if _counts(record)]
    if len(records) <= settings.k:
        return None
    values = scores(columns_of(records, settings), settings, metric, sample.place, now_s)
    place = len(records) - settings.k
    return round(float(np.partition(values, place)[place]), 4)


def _counts(record: EntityRecord) -> bool:
    return record.supported and record.status in ACTIVE
