"""`quarterdeck storage …`: how much is stored, and letting ended episodes go by rules."""

from __future__ import annotations

import getpass
from typing import Annotated

import msgspec
import typer

from backend.bootstrap import checked_engine, frame_store
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.domain.annotations.words import tags_of
from backend.domain.refusal import Refusal
from backend.domain.retention.rules import Rules
from backend.domain.retention.told import Preview
from backend.persistence.retention.usage import SqlStorage
from backend.processes.exits import Exit

app = typer.Typer(no_args_is_help=True, help="How much is stored, and letting episodes go.")


@app.command("show")
def show(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """How much is stored, by kind and by mission, and how much room is left."""
    with told_in_one_line():
        found = _storage(context, home).usage()
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    print_table(("WHAT", "BYTES"), [*found.kinds, ("Free on the disk", found.room.free_bytes)])
    typer.echo("")
    print_table(
        ("MISSION", "EPISODES", "BYTES", "PICTURES"),
        [(each.mission or "-", each.episodes, each.bytes, each.picture_bytes) for each in found.missions],
    )
    if found.unnamed[0]:
        typer.echo(f"{found.unnamed[0]} pictures, {found.unnamed[1]} bytes, are shown by no episode.")
    if found.room.state != "enough":
        typer.echo("Room is nearly out: make room now." if found.room.state == "out" else "Room is scarce.")


@app.command("prune")
def prune(
    context: typer.Context,
    keep_days: Annotated[float, typer.Option(help="What was written to in the last days stays.")] = 90.0,
    keep_failed: Annotated[
        bool, typer.Option("--keep-failed/--drop-failed", help="Whether what did not complete stays.")
    ] = True,
    keep_annotated: Annotated[
        bool, typer.Option("--keep-annotated/--drop-annotated", help="Whether what is annotated stays.")
    ] = True,
    keep_tags: Annotated[str, typer.Option(help="Tags of annotations that keep, with commas.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Delete what is shown. Nothing brings it back.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show which ended episodes would go by these rules; with --yes they go."""
    rules = Rules(
        keep_days=keep_days,
        keep_failed=keep_failed,
        keep_annotated=keep_annotated,
        keep_tags=tags_of(keep_tags),
    )
    with told_in_one_line():
        storage = _storage(context, home)
        found = storage.preview(rules)
        if isinstance(found, Refusal):
            raise fail(f"--keep-days: {found}", Exit.BAD_INPUT)
        done = storage.let_go(rules, found.digest, getpass.getuser()) if yes and found.episodes else None
    if isinstance(done, Refusal):
        raise fail(str(done), Exit.BAD_INPUT)
    if as_json:
        print_json({"would_go": _told(found), "gone": msgspec.to_builtins(done) if done else None})
        return
    _print(found)
    if done is not None:
        typer.echo(f"Deleted {len(done.episodes)} episodes and {done.pictures} pictures, {done.bytes} bytes.")
        if done.pictures_wait:
            typer.echo("A runner is at work: their pictures go with the next deletion.")
    elif found.episodes:
        typer.echo("Nothing was deleted. Add --yes.")


def _print(found: Preview) -> None:
    going = [each for each in found.rulings if each.goes]
    if not going:
        typer.echo("Nothing would go.")
        return
    print_table(
        ("EPISODE", "OUTCOME", "BYTES", "PICTURES", "WHY"),
        [
            (
                each.candidate.episode,
                each.candidate.outcome,
                each.candidate.bytes,
                len(each.candidate.pictures),
                each.reason,
            )
            for each in going
        ],
    )
    typer.echo(f"{found.episodes} episodes, {found.pictures} pictures, {found.bytes} bytes.")


def _told(found: Preview) -> list[dict[str, object]]:
    return [
        {
            "episode": each.candidate.episode,
            "outcome": each.candidate.outcome,
            "bytes": each.candidate.bytes,
            "pictures": len(each.candidate.pictures),
            "reason": each.reason,
        }
        for each in found.rulings
        if each.goes
    ]


def _storage(context: typer.Context, home: Home) -> SqlStorage:
    settings = settings_of(context, home)
    return SqlStorage(checked_engine(settings), frame_store(settings), settings.home)
