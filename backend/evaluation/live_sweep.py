"""A study's missing episodes with a live model, each kept with its recording the moment it is finished.

Threads play them, since a model is waited for and nothing is computed. All methods of a seed come before the
next seed, so that what an interrupted study leaves is paired.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait

from backend.evaluation.live_play import Played
from backend.evaluation.sweep import Progress
from backend.usecases.inline import InlineExecutor
from backend.usecases.recordings import Recordings
from backend.usecases.results import Results, Run

Play = Callable[[int, int, Callable[[], bool]], Played]
"""(arm's place in the study, seed, whether the study is stopping) -> the episode."""


class LiveSweep:
    """Plays what is missing of `run`; whatever it raises, everything finished is kept."""

    def __init__(
        self,
        run: Run,
        results: Results,
        recordings: Recordings,
        play: Play,
        *,
        workers: int = 1,
        progress: Progress = lambda done, total: None,
    ) -> None:
        self._run = run
        self._results = results
        self._recordings = recordings
        self._play = play
        self._workers = workers
        self._progress = progress
        self._done = run.done
        self._stopping = threading.Event()
        self._under_way: set[Future[Played]] = set()

    def play(self) -> Run:
        """The run, finished. Raises EvaluationError, or JournalError where results cannot be stored.

        What is under way then ends before its next call to the model.
        """
        self._progress(self._done, self._run.study.episodes)
        executor = self._executor()
        try:
            for arm, seed in self._missing():
                self._under_way.add(executor.submit(self._play, arm, seed, self._stopping.is_set))
                if len(self._under_way) >= self._workers:
                    self._take()
            while self._under_way:
                self._take()
        except BaseException:
            self._stopping.set()
            raise
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
            self._keep_the_rest()
        return self._results.finish(self._run.id)

    def _executor(self) -> Executor:
        return InlineExecutor() if self._workers == 1 else ThreadPoolExecutor(self._workers, "episode")

    def _missing(self) -> Iterator[tuple[int, int]]:
        study, done = self._run.study, set(self._results.done(self._run.id))
        for seed in study.each_seed:
            yield from ((arm, seed) for arm in range(len(study.arms)) if (arm, seed) not in done)

    def _take(self) -> None:
        """Wait for the next, and keep all that are finished, those before one that failed included."""
        finished, self._under_way = wait(self._under_way, return_when=FIRST_COMPLETED)
        failed = [future for future in finished if future.exception() is not None]
        for future in finished - set(failed):
            self._keep(future.result())
        for future in failed:
            future.result()

    def _keep_the_rest(self) -> None:
        for future in self._under_way:
            if future.done() and not future.cancelled() and future.exception() is None:
                self._keep(future.result())
        self._under_way = set()

    def _keep(self, played: Played) -> None:
        self._recordings.keep(self._run.id, played.row, played.recording, played.journal)
        self._done += 1
        self._progress(self._done, self._run.study.episodes)
