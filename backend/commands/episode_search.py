"""`quarterdeck episodes search` and `db index`: moments of all episodes, and the index that finds them."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from backend.bootstrap import checked_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.domain.refusal import Refusal
from backend.domain.search.excerpt import excerpt
from backend.domain.search.query import read_query
from backend.persistence.search.finding import SqlSearch
from backend.persistence.search.indexing import behind, catch_up, forget
from backend.processes.exits import Exit


def search_episodes(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="Words, fields such as skill:grasp; a dash leaves out.")],
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many moments at most.")] = 50,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Find moments of all episodes; everything asked must hold of one moment."""
    query = read_query(question)
    if isinstance(query, Refusal):
        raise fail(str(query), Exit.BAD_INPUT)
    with told_in_one_line():
        engine = checked_engine(settings_of(context, home))
        catch_up(engine)
        found = SqlSearch(engine).find(query, limit=limit)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    if not found:
        typer.echo("Nothing found.")
        return
    print_table(
        ("EPISODE", "SEQ", "KIND", "WHO", "TEXT"),
        [
            (
                each.episode,
                each.seq,
                each.kind,
                each.author or "-",
                "".join(piece.text for piece in excerpt(each.text, query)),
            )
            for each in found
        ],
    )


def index(
    context: typer.Context,
    again: Annotated[bool, typer.Option("--again", help="Throw the index away first.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Index what the search does not know yet. A search does so by itself; this does all of it now."""
    with told_in_one_line():
        engine = checked_engine(settings_of(context, home))
        if again:
            forget(engine)
        lacking = len(behind(engine))
        catch_up(engine)
    if as_json:
        print_json({"indexed": lacking})
        return
    typer.echo(f"{lacking} {'episode' if lacking == 1 else 'episodes'} indexed.")
