"""`quarterdeck episodes annotate|annotations`: what people write beside an episode."""

from __future__ import annotations

import getpass
from typing import Annotated

import msgspec
import typer

from backend.bootstrap import checked_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.domain.annotations.annotation import Draft
from backend.domain.refusal import Refusal
from backend.persistence.annotations import SqlAnnotations
from backend.persistence.connect import reading
from backend.persistence.heads import head_of
from backend.processes.exits import Exit

Episode = Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")]


def annotate_episode(
    context: typer.Context,
    episode: Episode,
    text: Annotated[str, typer.Argument(help="What is to be remembered; @name mentions somebody.")],
    at: Annotated[int, typer.Option(min=1, help="The event that it is about, or begins at.")],
    until: Annotated[int | None, typer.Option(min=1, help="The event that a span ends at.")] = None,
    record: Annotated[str, typer.Option(help="The record that it is about.")] = "",
    tags: Annotated[str, typer.Option(help="Tags, with commas.")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write beside an episode, as you. Its journal stays as it is."""
    draft = Draft(seq=at, until_seq=until, entity=record, text=text, tags=tags)
    with told_in_one_line():
        # Who may write the database is an admin anyway.
        kept = SqlAnnotations(checked_engine(settings_of(context, home)))
        done = kept.add(episode, draft, getpass.getuser(), "admin")
    if isinstance(done, Refusal):
        raise fail(str(done), Exit.BAD_INPUT)
    if as_json:
        print_json(msgspec.to_builtins(done))
        return
    typer.echo(f"{episode}: annotated at event {done.seq}.")


def list_annotations(
    context: typer.Context, episode: Episode, home: Home = None, as_json: Json = False
) -> None:
    """What people wrote beside an episode, by the event at which it begins."""
    with told_in_one_line():
        engine = checked_engine(settings_of(context, home))
        with reading(engine) as connection:
            head_of(connection, episode)
        found = SqlAnnotations(engine).of(episode)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    if not found:
        typer.echo("Nobody has written anything.")
        return
    print_table(
        ("EVENTS", "WHO", "RECORD", "TAGS", "TEXT"),
        [
            (
                each.seq if each.until_seq is None else f"{each.seq}-{each.until_seq}",
                each.author,
                each.entity or "-",
                " ".join(each.tags) or "-",
                " ".join(each.text.split()),
            )
            for each in found
        ],
    )
