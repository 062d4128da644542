"""One mission without a console, through the same journal, runner process and bridge process as any other."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine

from backend.bootstrap import reader
from backend.config import Settings
from backend.persistence.heads import order_episode, unwanted
from backend.processes.exits import Exit
from backend.processes.keeper import Keeper
from backend.usecases.ordering import RunRequest
from backend.usecases.reading import EpisodeSummary

LOOK_EVERY_S = 0.1


class Unplayable(Exception):
    """The episode cannot go on; the text is the runner's own, `code` its exit code."""

    def __init__(self, message: str, code: Exit) -> None:
        super().__init__(message)
        self.code = code


def play(
    settings: Settings,
    engine: Engine,
    episode: str,
    request: RunRequest,
    ordered_by: str,
    *,
    on_progress: Callable[[EpisodeSummary], None] = lambda summary: None,
    logs: Path | None = None,
) -> EpisodeSummary:
    """The episode as it ended. For the main thread. Raises Unplayable, KeptElsewhere, PersistenceError.

    Interrupted, it leaves the episode unfinished and unwanted: no later `serve` takes it up by itself.
    """
    look = reader(settings, engine)
    keeper = Keeper(settings, episode, request, logs=logs)
    try:
        order_episode(engine, episode, request, ordered_by)
        keeper.start()
        while (code := keeper.tend()) is not Exit.OK:
            if code is not None:
                raise Unplayable(keeper.message, code)
            on_progress(look.episode(episode))
            time.sleep(LOOK_EVERY_S)
        return look.episode(episode)
    except BaseException:
        unwanted(engine, episode)
        raise
    finally:
        keeper.end()
