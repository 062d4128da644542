"""Recordings that last as long as the process: for tests, and held to the databases' contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.domain.episode.events import Recorded
from backend.usecases.recordings import Recording
from backend.usecases.results import EpisodeResult, Results


class MemoryRecordings:
    def __init__(self, results: Results) -> None:
        self._results = results
        self._kept: dict[tuple[int, int, int], Recording] = {}
        self._journals: dict[str, tuple[Recorded, ...]] = {}

    def keep(self, run: int, row: EpisodeResult, recording: Recording, journal: Sequence[Recorded]) -> bool:
        if not self._results.add(run, [row]):
            return False
        self._kept[run, recording.arm, recording.seed] = recording
        if journal:
            self._journals[recording.episode] = tuple(journal)
        return True

    def one(self, run: int, arm: int, seed: int) -> Recording | None:
        return self._kept.get((run, arm, seed))

    def all(self, run: int) -> Iterator[Recording]:
        return iter([self._kept[key] for key in sorted(self._kept) if key[0] == run])

    def journal(self, episode: str) -> Iterator[Recorded]:
        return iter(self._journals[episode])
