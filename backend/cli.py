"""The command line: `quarterdeck COMMAND`. docs/reference/cli.md describes each command and exit code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import typer

from backend.commands.lazy import Entry, Lazy
from backend.commands.options import Home


class Quarterdeck(Lazy):
    """Every command, in the order that help lists them."""

    entries: ClassVar[Mapping[str, Entry]] = {
        "serve": Entry("serve:serve"),
        "mission": Entry("mission:app"),
        "episodes": Entry("episodes:app"),
        "hold": Entry("stops:hold"),
        "release": Entry("stops:release"),
        "abort": Entry("stops:abort"),
        "approvals": Entry("approvals:app"),
        "conn": Entry("conn:app"),
        "evaluate": Entry(
            "evaluate:app",
            {
                "planner": "evaluate_planner:evaluate_planner",
                "tabletop": "evaluate_tabletop:evaluate_tabletop",
            },
        ),
        "ros": Entry(
            "ros:app",
            {"new": "ros_new:new_robot", "import": "ros_bags:import_bag", "record": "ros_record:record_bag"},
        ),
        "sites": Entry("sites:app"),
        "doctor": Entry("doctor:doctor"),
        "db": Entry("database:app"),
        "storage": Entry("storage:app"),
        "accounts": Entry("accounts:app"),
        "tokens": Entry("tokens:app"),
    }


app = typer.Typer(
    name="quarterdeck",
    cls=Quarterdeck,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Supervise robots whose missions a language model plans.",
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    home: Home = None,
    version: bool = typer.Option(False, "--version", help="Print the version."),
) -> None:
    context.obj = home
    if version:
        from backend.bootstrap import code_version

        typer.echo(f"quarterdeck {code_version()}")
        raise typer.Exit


def main() -> None:
    app()


if __name__ == "__main__":
    main()
