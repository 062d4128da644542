"""Results that last as long as the process: for tests, and held to the databases' contract."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from backend.domain.digests import digest
from backend.usecases.results import EpisodeResult, Run, Study

_STARTED_UTC = "2026-01-01T00:00:00.000Z"


class MemoryResults:
    def __init__(self) -> None:
        self._runs: dict[int, Run] = {}
        self._rows: dict[int, dict[tuple[int, int], EpisodeResult]] = {}
        self._ids = itertools.count(1)

    def start(self, study: Study, code_version: str, by: str = "") -> Run:
        run = Run(
            id=next(self._ids),
            study=study,
            digest=digest(study),
            code_version=code_version,
            started_utc=_STARTED_UTC,
            finished_utc=None,
            done=0,
            started_by=by,
        )
        self._runs[run.id], self._rows[run.id] = run, {}
        return run

    def unfinished(self, study: Study, code_version: str) -> Run | None:
        for run in self.runs():
            if (run.digest, run.code_version) == (digest(study), code_version) and run.finished_utc is None:
                return run
        return None

    def add(self, run: int, rows: Sequence[EpisodeResult]) -> int:
        kept = self._rows[run]
        before = len(kept)
        for row in rows:
            kept.setdefault((row.arm, row.seed), row)
        self._runs[run] = replace(self._runs[run], heard_utc=_STARTED_UTC)
        return len(kept) - before

    def hear(self, run: int) -> None:
        self._runs[run] = replace(self._runs[run], heard_utc=_STARTED_UTC)

    def finish(self, run: int) -> Run:
        self._runs[run] = replace(self._runs[run], finished_utc=_STARTED_UTC)
        return self._counted(self._runs[run])

    def run(self, run: int) -> Run | None:
        return self._counted(self._runs[run]) if run in self._runs else None

    def runs(self, *, limit: int = 100) -> list[Run]:
        return [self._counted(run) for run in sorted(self._runs.values(), key=lambda r: -r.id)[:limit]]

    def done(self, run: int) -> Iterator[tuple[int, int]]:
        return iter(tuple(self._rows[run]))

    def episodes(self, run: int, *, arm: int | None = None) -> Iterator[EpisodeResult]:
        rows = self._rows[run]
        return iter([rows[key] for key in sorted(rows) if arm is None or key[0] == arm])

    def episode(self, run: int, arm: int, seed: int) -> EpisodeResult | None:
        return self._rows.get(run, {}).get((arm, seed))

    def count(self, run: int, arm: int) -> int:
        return sum(key[0] == arm for key in self._rows.get(run, {}))

    def failures_first(self, run: int, arm: int, *, offset: int, limit: int) -> list[EpisodeResult]:
        found = sorted(self.episodes(run, arm=arm), key=lambda row: (row.success, row.seed))
        return found[offset : offset + limit]

    def _counted(self, run: Run) -> Run:
        return replace(run, done=len(self._rows[run.id]))
