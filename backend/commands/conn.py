"""`quarterdeck conn show|take|ask|give|keep`: who commands an episode."""

from __future__ import annotations

from typing import Annotated

import typer

from backend.commands.failures import told_in_one_line
from backend.commands.options import Home, Json, print_json
from backend.commands.remote import Episode, Server, api

app = typer.Typer(no_args_is_help=True, help="Who commands an episode.")

Name = Annotated[str, typer.Option(help="By name, so that nobody is overtaken unawares.")]


@app.command("show")
def show(
    context: typer.Context, episode: Episode, server: Server = None, home: Home = None, as_json: Json = False
) -> None:
    """Who has the conn, and who asks for it."""
    with told_in_one_line(), api(context, home, server) as console:
        conn = console.get(f"/episodes/{episode}")["conn"]
    if as_json:
        print_json(conn)
    elif conn is None:
        typer.echo("Nobody has the conn.")
    else:
        asked = conn["asked"]
        typer.echo(f"{conn['holder']} has the conn.{' ' + asked['by'] + ' asks for it.' if asked else ''}")


@app.command("take")
def take(
    context: typer.Context, episode: Episode, over: Name = "", server: Server = None, home: Home = None
) -> None:
    """Take it: where nobody has it; or over whoever left the asking unanswered; or as an admin at once."""
    with told_in_one_line(), api(context, home, server) as console:
        console.command(episode, "take_conn", over=over or None)
    typer.echo("You have the conn for a minute; take it again to keep it.")


@app.command("ask")
def ask(
    context: typer.Context,
    episode: Episode,
    reason: Annotated[str, typer.Option(help="Why; the holder reads it.")] = "",
    server: Server = None,
    home: Home = None,
) -> None:
    """Ask its holder for it. After 15 s without an answer it may be taken over."""
    with told_in_one_line(), api(context, home, server) as console:
        console.command(episode, "ask_conn", reason=reason)
    typer.echo("Asked.")


@app.command("give")
def give(
    context: typer.Context,
    episode: Episode,
    to: Annotated[str, typer.Option(help="Who asked for it; without it nobody has it then.")] = "",
    server: Server = None,
    home: Home = None,
) -> None:
    """Hand it over to whoever asked, or let go of it."""
    with told_in_one_line(), api(context, home, server) as console:
        if to:
            console.command(episode, "hand_over_conn", to=to)
        else:
            console.command(episode, "give_up_conn")
    typer.echo(f"{to} has the conn." if to else "Nobody has the conn.")


@app.command("keep")
def keep(
    context: typer.Context,
    episode: Episode,
    asked_by: Annotated[str, typer.Argument(help="Who asks for it.")],
    reason: Annotated[str, typer.Option(help="Why; they read it.")] = "",
    server: Server = None,
    home: Home = None,
) -> None:
    """Refuse to hand it over."""
    with told_in_one_line(), api(context, home, server) as console:
        console.command(episode, "keep_conn", asked_by=asked_by, reason=reason)
    typer.echo("You keep the conn.")
