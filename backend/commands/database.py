"""`quarterdeck db …`: brings the database to this version's tables, and the index up to the journals."""

from __future__ import annotations

import typer

from backend.bootstrap import open_engine, prepare_home
from backend.commands.episode_search import index
from backend.commands.failures import told_in_one_line
from backend.commands.options import Home, Json, print_json, settings_of
from backend.persistence import schema

app = typer.Typer(no_args_is_help=True, help="The database.")


@app.callback()
def database() -> None:
    """The database."""


@app.command("upgrade")
def upgrade(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """Bring the database to this version's tables; nothing happens where it is there already.

    Make a backup first. `serve` and `mission run` upgrade by themselves.
    """
    with told_in_one_line():
        settings = settings_of(context, home)
        prepare_home(settings)
        engine = open_engine(settings)
        before, after = schema.upgrade(engine), schema.newest()
    shown = engine.url.render_as_string(hide_password=True)
    if as_json:
        print_json({"database": shown, "before": before, "after": after})
    elif before == after:
        typer.echo(f"{shown} is at {after} already.")
    else:
        typer.echo(f"{shown} was {'empty' if before is None else f'at {before}'} and is at {after} now.")


app.command("index")(index)
