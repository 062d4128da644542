"""`quarterdeck episodes export|import`: an episode as one file, to send, to keep, to open elsewhere."""

from __future__ import annotations

import getpass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, get_args

import msgspec
import typer
from sqlalchemy import Engine

from backend.bags.errors import BagRefused
from backend.bags.files import new_file
from backend.bags.lines import write_lines
from backend.bags.tables import write_tables
from backend.bootstrap import checked_engine, code_version, frame_store, ready_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, settings_of
from backend.config import Settings
from backend.persistence.bundles.exporting import export_bundle
from backend.persistence.bundles.importing import import_bundle
from backend.persistence.bundles.manifest import Manifest, Redaction
from backend.persistence.errors import PersistenceError
from backend.persistence.frames import FrameStore
from backend.persistence.reader import SqlReader
from backend.processes.exits import Exit


class Format(StrEnum):
    BUNDLE = "bundle"
    MCAP = "mcap"
    JSONL = "jsonl"
    CSV = "csv"
    HTML = "html"


def export_episode(
    context: typer.Context,
    episode: Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")],
    output: Annotated[Path, typer.Option(help="The file to write; one that is there is left alone.")],
    format_: Annotated[
        Format,
        typer.Option(
            "--format",
            help="bundle: for import; mcap: for Foxglove; jsonl: lines; csv: tables; html: report.",
        ),
    ] = Format.BUNDLE,
    redact: Annotated[
        str, typer.Option(help="What to leave out of a bundle: names, prompts, or both with a comma.")
    ] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write an episode into one file: its journal, commands, frames, telemetry and what it rests on."""
    left_out = _redactions(redact, format_)
    with told_in_one_line():
        settings = settings_of(context, home)
        engine = checked_engine(settings)
        store = frame_store(settings)
        if format_ is Format.HTML:
            _export_report(settings, engine, episode, output)
            return
        if format_ is Format.CSV:
            _export_tables(SqlReader(engine, store), episode, output)
            return
        if format_ is not Format.BUNDLE:
            _export_bag(SqlReader(engine, store), store, episode, output, format_)
            return
        made = export_bundle(engine, store, episode, output, version=code_version(), redact=left_out)
    if as_json:
        print_json(msgspec.to_builtins(made))
        return
    typer.echo(f"{episode}: {made.manifest.events} events in {made.file}, {made.bytes} bytes.")
    _tell(made.manifest)


def import_episode(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A bundle, as `episodes export` writes it.")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Take an episode from a bundle, which is verified whole before anything is written."""
    with told_in_one_line():
        settings = settings_of(context, home)
        taken = import_bundle(ready_engine(settings), frame_store(settings), file, getpass.getuser())
    if as_json:
        print_json(msgspec.to_builtins(taken))
        return
    did = "imported" if taken.state == "imported" else "here already; nothing was changed"
    typer.echo(f"{taken.manifest.episode}: {taken.manifest.events} events, {did}.")
    if taken.annotations:
        typer.echo(f"Annotations that were not here: {taken.annotations}, every version counted.")
    _tell(taken.manifest)


def _redactions(text: str, format_: Format) -> tuple[Redaction, ...]:
    known: tuple[Redaction, ...] = get_args(Redaction)
    asked = [word.strip() for word in text.split(",") if word.strip()]
    for word in asked:
        if word not in known:
            raise fail(f"--redact {word[:80]!r} is none of {', '.join(known)}.", Exit.BAD_INPUT)
    if asked and format_ is not Format.BUNDLE:
        told = "Export a bundle, import it into another home, and export from there."
        raise fail(f"--redact is for bundles. {told}", Exit.BAD_INPUT)
    return tuple(each for each in known if each in asked)


def _export_bag(reader: SqlReader, store: FrameStore, episode: str, output: Path, format_: Format) -> None:
    try:
        if format_ is Format.JSONL:
            count = write_lines(reader, episode, output)
        else:
            from backend.bags.mcap import write_mcap  # an extra

            def frame(sha256: str) -> bytes:
                try:
                    return store.get(sha256)
                except PersistenceError as error:
                    raise KeyError(str(error)) from error

            count = write_mcap(reader, frame, episode, output)
    except BagRefused as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    except ModuleNotFoundError as error:
        raise fail(
            f"MCAP needs {error.name}. Run: pip install 'quarterdeck[bags]'", Exit.BAD_INPUT
        ) from error
    typer.echo(f"{episode}: {count} messages in {output}.")


def _export_tables(reader: SqlReader, episode: str, output: Path) -> None:
    try:
        counts = write_tables(reader, episode, output)
    except BagRefused as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    told = ", ".join(f"{name} {count}" for name, count in counts.items())
    typer.echo(f"{episode}: rows in {output}: {told}.")


def _export_report(settings: Settings, engine: Engine, episode: str, output: Path) -> None:
    # Here, as it takes all of the console along.
    from backend.console import web_deps
    from backend.web.alone import report_alone
    from backend.web.errors import WebError

    try:
        html = report_alone(web_deps(settings, engine), episode)
        with new_file(output) as file:
            file.write(html.encode())
    except (BagRefused, WebError) as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    typer.echo(f"{episode}: its report is {output}; open it in any browser.")


def _tell(manifest: Manifest) -> None:
    if not manifest.ended:
        typer.echo("It had not ended: this is what there was.")
    if manifest.missing:
        typer.echo(f"{len(manifest.missing)} frames were not in the store; everything else can be seen.")
    if manifest.redacted:
        typer.echo(f"Left out: {', '.join(manifest.redacted)}. It cannot be run again; its hashes hold.")
