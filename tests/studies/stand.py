"""Runs in memory, and the desk that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from backend.domain.annotations.annotation import Annotation
from backend.evaluation.bare import play
from backend.evaluation.rebuild import rebuild
from backend.evaluation.replays import Replays
from backend.rig import grid_rig
from backend.studies.desk import StudyDesk
from backend.usecases.inline import InlineExecutor
from backend.usecases.recordings import Recording
from backend.usecases.results import EpisodeResult, Run, Study
from backend.usecases.results_in_memory import MemoryResults
from backend.web.pages.chrome import Chrome, User

VERSION = "1.0"
MARA = User(name="mara", initials="MA", role="operator")
CHROME = Chrome(title="Evaluation", server_ms=0, utc="14:06:51", utc_iso="2026-11-30T14:06:51Z", user=MARA)
STARTED_S = 1_767_225_600.0
"""The moment at which results in memory say that they were started."""


class NoRecordings:
    """A Recordings without any."""

    def __init__(self) -> None:
        self.kept: dict[int, list[Recording]] = {}

    def all(self, run: int) -> list[Recording]:
        return self.kept.get(run, [])


@dataclass
class Stand:
    results: MemoryResults = field(default_factory=MemoryResults)
    recordings: NoRecordings = field(default_factory=NoRecordings)
    now_s: float = STARTED_S
    spawned: list[Sequence[str]] = field(default_factory=list)
    annotations: dict[str, list[Annotation]] = field(default_factory=dict)

    @property
    def desk(self) -> StudyDesk:
        return StudyDesk(
            self.results,
            self.recordings,  # type: ignore[arg-type]
            Replays(lambda place: rebuild(place, self.results, grid_rig, VERSION), InlineExecutor()),
            version=VERSION,
            clock_s=lambda: self.now_s,
            spawn=self.spawned.append,
            annotated=lambda episodes: {
                each: self.annotations[each] for each in episodes if each in self.annotations
            },
        )

    def played(self, study: Study, *, version: str = VERSION, of: int | None = None) -> Run:
        """The study played, or only its first `of` seeds; finished where all are there."""
        run = self.results.start(study, version, "mara")
        seeds = study.seeds if of is None else of
        for seed in range(study.first_seed, study.first_seed + seeds):
            rows = [play(arm, seed, grid_rig, index) for index, arm in enumerate(study.arms)]
            self.results.add(run.id, rows)
        return self.results.finish(run.id) if seeds == study.seeds else self.results.run(run.id) or run

    def stored(self, study: Study, rows: list[EpisodeResult], *, version: str = VERSION) -> Run:
        """A run with these rows, whether anything would give them or not."""
        run = self.results.start(study, version)
        self.results.add(run.id, rows)
        return self.results.finish(run.id)

    def unreadable(self, why: str) -> Run:
        run = self.results.start(
            Study(kind="memory", name="of tomorrow", arms=(), first_seed=0, seeds=0), "9.0"
        )
        self.results._runs[run.id] = replace(run, unreadable=why)
        return self.results._runs[run.id]
