"""`quarterdeck sites list|import|export`: sites, and the maps that they are drawn on."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from backend.bootstrap import checked_engine, ready_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.processes.exits import Exit
from backend.sites import SiteShelf
from backend.web.documents import DocumentRefused, WrittenMeanwhile
from backend.web.errors import NotThere
from backend.written import WrittenError

app = typer.Typer(no_args_is_help=True, help="What people know of places, and the maps it is drawn on.")
Name = Annotated[str, typer.Argument(help="A site, as `sites list` has it.")]


@app.command("list")
def list_sites(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """The sites that are kept in this database."""
    with told_in_one_line():
        found = SiteShelf(checked_engine(settings_of(context, home))).newest()
    if as_json:
        print_json([{"name": each.name, "version": each.version, "title": each.title} for each in found])
        return
    if not found:
        typer.echo("No site is kept yet.")
        return
    rows = [(each.name, each.version, each.error or each.summary) for each in found]
    print_table(("SITE", "VERSION", "WHAT IT IS"), rows)


@app.command("import")
def import_map(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="map_server's YAML; its picture lies beside it.")],
    name: Annotated[
        str | None, typer.Option(help="The site it is for.", show_default="as the file is called")
    ] = None,
    home: Home = None,
) -> None:
    """Take a map of map_server's as the floor of a site, which is begun where there is none."""
    wanted = name or file.stem.lower()
    try:
        with told_in_one_line():
            shelf = SiteShelf(ready_engine(settings_of(context, home)))
            text = file.read_bytes()
            shelf.take_map(
                wanted,
                text,
                file.name,
                lambda told: (file.parent / told.image).read_bytes(),
                getpass.getuser(),
            )
    except OSError as error:
        raise fail(
            f"{Path(error.filename or file).name} cannot be read: {error.strerror}.", Exit.BAD_INPUT
        ) from error
    except WrittenError as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    except DocumentRefused as refused:
        raise fail(f"{refused.error.message} {refused.error.remedy}", Exit.BAD_INPUT) from refused
    except WrittenMeanwhile as meanwhile:
        raise fail(
            f"{meanwhile.author} saved {wanted} meanwhile. Import again.", Exit.BAD_INPUT
        ) from meanwhile
    typer.echo(f"Site {wanted}, version {shelf.kept(wanted).version}")


@app.command("export")
def export_map(
    context: typer.Context,
    name: Name,
    file: Annotated[Path, typer.Argument(help="The YAML to write; its picture, a PGM, comes beside it.")],
    version: Annotated[int | None, typer.Option(min=1, help="An older version of the site.")] = None,
    home: Home = None,
) -> None:
    """Write a site's map as map_server reads it."""
    picture = file.with_suffix(".pgm")
    try:
        with told_in_one_line():
            shelf = SiteShelf(checked_engine(settings_of(context, home)))
            text, shades = shelf.map_files(name, version, picture.name)
        picture.write_bytes(shades)
        file.write_text(text, "utf-8")
    except NotThere as error:
        raise fail(f"{error.title}. {error.remedy}", Exit.BAD_INPUT) from error
    except OSError as error:
        raise fail(f"{file} cannot be written: {error.strerror}.", Exit.BAD_INPUT) from error
    typer.echo(f"{file}, {picture}")
