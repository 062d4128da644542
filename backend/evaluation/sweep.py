"""A study's missing episodes, played on a pool and kept as they come.

Nothing is lost and nothing counted twice, whatever breaks when. A chunk whose worker died is played anew: its
seeds determine it. What came back is stored once a second, so an interruption costs no more than that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from backend.evaluation.bare import Rig
from backend.evaluation.chunks import Chunk, chunks, play_chunk
from backend.evaluation.errors import WorkersLost
from backend.evaluation.pools import Pool
from backend.usecases.results import EpisodeResult, Results, Run

STORE_EVERY_S = 1.0
LOOK_EVERY_S = 1.0
BREAKS_IN_A_ROW = 3
"""Times that workers are lost without one chunk finished in between; more is no accident."""

Progress = Callable[[int, int], None]
Played = tuple[EpisodeResult, ...]


class Sweep:
    """Plays what is missing of `run`; whatever it raises, everything finished is kept."""

    def __init__(
        self,
        run: Run,
        results: Results,
        pool: Pool,
        rig: Rig,
        *,
        monotonic: Callable[[], float],
        progress: Progress = lambda done, total: None,
    ) -> None:
        self._run = run
        self._results = results
        self._pool = pool
        self._rig = rig
        self._monotonic = monotonic
        self._progress = progress
        self._done = run.done
        self._left = chunks(run.study, results.done(run.id))
        self._again: deque[Chunk] = deque()
        self._under_way: dict[Future[Played], Chunk] = {}
        self._unstored: list[EpisodeResult] = []
        self._stored_s = monotonic()

    def play(self) -> Run:
        """The run, finished. Raises EvaluationError, or JournalError where results cannot be stored."""
        self._progress(self._done, self._run.study.episodes)
        breaks, done = 0, self._done
        try:
            while not self._play_until_broken():
                breaks = breaks + 1 if self._done == done else 1
                done = self._done
                if breaks > BREAKS_IN_A_ROW:
                    raise self._workers_lost(breaks)
        finally:
            self._store()
        return self._results.finish(self._run.id)

    def _play_until_broken(self) -> bool:
        """True when nothing is left. False when workers were lost; their chunks are set aside."""
        executor = self._pool.open()
        try:
            whole = self._fill(executor)
            while whole and self._under_way:
                whole = self._collect() and self._fill(executor)
            return whole
        finally:
            self._pool.close(executor)
            self._clear()

    def _fill(self, executor: Executor) -> bool:
        """Few chunks wait, so that memory does not grow with the study. False where the pool is broken."""
        while len(self._under_way) < self._pool.room:
            chunk = self._again.popleft() if self._again else next(self._left, None)
            if chunk is None:
                return True
            try:
                self._under_way[executor.submit(play_chunk, self._rig, chunk)] = chunk
            except self._pool.lost:
                self._again.append(chunk)
                return False
        return True

    def _collect(self) -> bool:
        """Take what is finished. False where a worker was lost."""
        finished, _ = wait(self._under_way, LOOK_EVERY_S, FIRST_COMPLETED)
        if not finished:
            self._pool.check()
        taken = [self._take(future) for future in finished]
        if self._monotonic() - self._stored_s >= STORE_EVERY_S:
            self._store()
        return all(taken)

    def _take(self, future: Future[Played]) -> bool:
        """Keep a finished chunk's episodes. False where its worker was lost with it."""
        chunk = self._under_way.pop(future)
        try:
            rows = future.result()
        except self._pool.lost:
            self._again.append(chunk)
            return False
        self._unstored.extend(rows)
        self._done += len(rows)
        self._progress(self._done, self._run.study.episodes)
        return True

    def _clear(self) -> None:
        """What finished while the pool closed counts; what did not is played again."""
        for future, chunk in list(self._under_way.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                self._take(future)
            else:
                del self._under_way[future]
                self._again.append(chunk)

    def _store(self) -> None:
        if self._unstored:
            self._results.add(self._run.id, self._unstored)
            self._unstored = []
        self._stored_s = self._monotonic()

    def _workers_lost(self, breaks: int) -> WorkersLost:
        chunk = self._again[0]
        seeds = f"seeds {chunk.seeds[0]} to {chunk.seeds[-1]} of {chunk.arm.scenario}, {chunk.arm.method}"
        return WorkersLost(
            f"Workers died {breaks} times in a row, while playing {seeds}, among others.",
            remedy="Look for what ends them, such as a lack of memory. The same command goes on.",
        )
