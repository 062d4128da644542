"""`quarterdeck episodes redact|exchanges`: take words out of a journal for good; keep a planner's answers."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated, cast

import typer

from backend.bootstrap import checked_engine, frame_store
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, settings_of
from backend.domain.episode.events import ExchangeRecorded
from backend.persistence.reader import SqlReader
from backend.persistence.redaction import redact, redact_frame
from backend.planners.errors import RecordingError
from backend.planners.recording import append, exchanges_of
from backend.processes.exits import Exit

Episode = Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")]


def redact_episode(
    context: typer.Context,
    episode: Episode,
    reason: Annotated[str, typer.Option(help="Why, in the audit for good.")],
    seq: Annotated[int | None, typer.Option(min=1, help="The event whose texts go.")] = None,
    frame: Annotated[str | None, typer.Option(metavar="SHA256", help="The frame whose picture goes.")] = None,
    home: Home = None,
) -> None:
    """Take an event's texts, or a frame's picture, out of an ended episode for good. Hashes stay."""
    if (seq is None) == (frame is None):
        raise fail("Name either --seq or --frame.", Exit.BAD_INPUT)
    with told_in_one_line():
        settings = settings_of(context, home)
        engine, store = checked_engine(settings), frame_store(settings)
        if seq is not None:
            redact(engine, episode, seq, getpass.getuser(), reason)
            typer.echo(f"{episode}: the texts of event {seq} are gone.")
            return
        rows = SqlReader(engine).rows("frames", episode)
        if frame not in {row["sha256"] for row in rows}:
            raise fail(f"Episode {episode} shows no frame {str(frame)[:64]}.", Exit.BAD_INPUT)
        redact_frame(engine, store, cast(str, frame), getpass.getuser(), reason)
        typer.echo(f"{episode}: the picture {str(frame)[:12]} is gone, wherever it is shown.")


def keep_exchanges(
    context: typer.Context,
    episode: Episode,
    file: Annotated[Path, typer.Argument(help="Added to, for planner `recorded`; made where it is missing.")],
    home: Home = None,
) -> None:
    """Write what a model answered in an episode as a recording that planner `recorded` answers from."""
    with told_in_one_line():
        reader = SqlReader(checked_engine(settings_of(context, home)))
        reader.episode(episode)
        entries = reader.events(episode, kinds=("exchange.recorded",), limit=None)
    attempts = [cast(ExchangeRecorded, entry.recorded.event).exchange for entry in entries]
    exchanges = list(exchanges_of(attempts))
    try:
        for exchange in exchanges:
            append(file, exchange)
    except RecordingError as error:
        raise fail(str(error), Exit.STORAGE) from error
    typer.echo(f"{len(exchanges)} exchanges of {episode} are in {file}.")
