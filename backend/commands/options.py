"""What several commands share: options, the settings that follow from them, and how a result is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from backend.config import Settings, load_settings
from backend.processes.logs import configure_logging

Home = Annotated[
    Path | None,
    typer.Option("--home", help="The folder that holds all state.", show_default="QUARTERDECK_HOME, or var"),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout; logs go to stderr.")]


def settings_of(context: typer.Context, home: Path | None, **given: Any) -> Settings:
    """The environment's settings, those of the command line before them; the log is configured with them."""
    root = context.find_root().obj
    settings = load_settings(home=home or root, **given)
    configure_logging(settings, "quarterdeck")
    return settings


def print_json(value: Any) -> None:
    """Structs as objects. Names from the database are a text of a kind of their own."""
    typer.echo(json.dumps(msgspec.to_builtins(value, enc_hook=str), ensure_ascii=False, indent=2))


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Columns as wide as what stands in them, so that a pipe gets everything."""
    texts = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(header))]
    for row in texts:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
