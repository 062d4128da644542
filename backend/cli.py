"""The command line: `quarterdeck COMMAND`. docs/reference/cli.md describes each command and exit code."""

from __future__ import annotations

import typer

from backend.bootstrap import code_version
from backend.commands import (
    accounts,
    approvals,
    conn,
    database,
    episodes,
    evaluate,
    mission,
    ros,
    sites,
    tokens,
)
from backend.commands.doctor import doctor
from backend.commands.evaluate_planner import evaluate_planner
from backend.commands.options import Home
from backend.commands.serve import serve
from backend.commands.stops import abort, hold, release

app = typer.Typer(
    name="quarterdeck",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Supervise robots whose missions a language model plans.",
)
app.command()(serve)
app.add_typer(mission.app, name="mission")
app.add_typer(episodes.app, name="episodes")
app.command()(hold)
app.command()(release)
app.command()(abort)
app.add_typer(approvals.app, name="approvals")
app.add_typer(conn.app, name="conn")
evaluate.app.command("planner")(evaluate_planner)
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(ros.app, name="ros")
app.add_typer(sites.app, name="sites")
app.command()(doctor)
app.add_typer(database.app, name="db")
app.add_typer(accounts.app, name="accounts")
app.add_typer(tokens.app, name="tokens")


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    home: Home = None,
    version: bool = typer.Option(False, "--version", help="Print the version."),
) -> None:
    context.obj = home
    if version:
        typer.echo(f"quarterdeck {code_version()}")
        raise typer.Exit


def main() -> None:
    app()


if __name__ == "__main__":
    main()
