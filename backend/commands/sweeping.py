"""A study played to its end from the command line: where it plays, what it shows meanwhile, how it stops."""

from __future__ import annotations

import contextlib
import getpass
import sys
import time
from collections.abc import Iterator

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from backend.commands.failures import fail
from backend.evaluation.dask_pool import DaskPool
from backend.evaluation.pools import Pool, pool_of
from backend.evaluation.resuming import resumable
from backend.evaluation.sweep import Sweep
from backend.persistence.errors import StorageFull
from backend.processes.exits import Exit
from backend.rig import world_rig
from backend.usecases.results import Results, Run, Study
from backend.web.builders.words import counted


def swept(
    study: Study, results: Results, version: str, *, workers: int, dask: str | None, fresh: bool
) -> Run:
    """The finished run; one that was interrupted goes on. Raises EvaluationError, StorageFailure, Exit."""
    pool: Pool = pool_of(workers) if dask is None else DaskPool(dask, monotonic=time.monotonic)
    try:
        run = begun(study, results, version, fresh=fresh)
        with interruptible(run, results), Bar(study.name, run.done) as bar:
            return Sweep(run, results, pool, world_rig, monotonic=time.monotonic, progress=bar.show).play()
    finally:
        if isinstance(pool, DaskPool):
            pool.leave()


def begun(study: Study, results: Results, version: str, *, fresh: bool) -> Run:
    """The run to play: the interrupted one, or a new one. Raises MixedCode."""
    run = None if fresh else resumable(results, study, version)
    if run is None:
        return results.start(study, version, getpass.getuser())
    there = f"{run.done} of {counted(study.episodes, 'episode')} are there"
    typer.echo(f"Run {run.id} goes on: {there}.", err=True)
    return run


@contextlib.contextmanager
def interruptible(run: Run, results: Results) -> Iterator[None]:
    """Ctrl-C says what is kept, a full disk that the same command goes on. Raises Exit."""
    try:
        yield
    except KeyboardInterrupt:
        kept = results.run(run.id) or run
        of = counted(run.study.episodes, "episode")
        message = f"Interrupted: {kept.done} of {of} are kept. The same command goes on."
        raise fail(message, Exit.INTERRUPTED) from None
    except StorageFull as error:
        message = f"{error.message} What was stored is kept. Free some space there; the same command goes on."
        raise fail(message, Exit.STORAGE) from error


class Bar:
    """Progress on stderr with rate and time left, where that is a terminal; a line at the end elsewhere."""

    def __init__(self, name: str, already: int) -> None:
        self._already = already
        self._done = already
        self._begun_s = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._progress.add_task(name, total=None, pace="")

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        played, took_s = self._done - self._already, time.monotonic() - self._begun_s
        if played:
            rate = played / max(took_s, 1e-6)
            typer.echo(f"{counted(played, 'episode')} in {took_s:.1f} s, {rate:.1f} a second.", err=True)

    def show(self, done: int, total: int) -> None:
        self._done = done
        told = pace(done - self._already, total - done, time.monotonic() - self._begun_s)
        self._progress.update(self._task, completed=done, total=total, pace=told)


def pace(played: int, left: int, took_s: float) -> str:
    """How fast it goes and how long it still takes, of `played` episodes in `took_s` seconds."""
    if played == 0 or took_s <= 0.0:
        return ""
    rate = played / took_s
    minutes, seconds = divmod(round(left / rate), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"· {rate:.0f} a second · {clock} left" if rate >= 10 else f"· {rate:.1f} a second · {clock} left"
