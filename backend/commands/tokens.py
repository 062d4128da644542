"""`quarterdeck tokens create|list|revoke`: what programs come to the API with."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from backend.bootstrap import checked_engine, ready_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.console import local_user
from backend.domain.access.scopes import LONGEST_DAYS, SCOPES, refuse_token
from backend.persistence.accounts import user_named
from backend.persistence.tokens import api_tokens, issue, revoke_id
from backend.processes.exits import Exit

app = typer.Typer(no_args_is_help=True, help="What programs come to the API with.")

DAY_S = 86_400.0


@app.command("create")
def create(
    context: typer.Context,
    user: Annotated[
        str | None, typer.Option(help="The account it acts as.", show_default="you, as on this machine")
    ] = None,
    scope: Annotated[
        list[str] | None, typer.Option(help=f"Of {', '.join(SCOPES)}; give it once for each.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=LONGEST_DAYS, help="How long it lasts.")] = 30,
    label: Annotated[str, typer.Option(help="What it is for, as the list shows it.")] = "",
    home: Home = None,
) -> None:
    """Make a token and print it: nobody can be shown it again."""
    with told_in_one_line():
        engine, by = ready_engine(settings_of(context, home)), getpass.getuser()
        name = user or local_user(engine, by)
        account = user_named(engine, name)
        if account is None:
            raise fail(f"There is no account {name}. Run: quarterdeck accounts list", Exit.BAD_INPUT)
        scopes = tuple(dict.fromkeys(scope or ["read"]))
        refusal = refuse_token(account.role, scopes, days)
        if refusal is not None:
            raise fail(str(refusal), Exit.BAD_INPUT)
        token = issue(engine, name, "api", days * DAY_S, label=label[:80], scopes=scopes, by=by)
    typer.echo(f"For {name}, {', '.join(scopes)}, {days} days. Keep it now:", err=True)
    typer.echo(token)


@app.command("list")
def list_tokens(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """The tokens of this database, without their secrets."""
    with told_in_one_line():
        found = api_tokens(checked_engine(settings_of(context, home)))
    rows: list[dict[str, Any]] = [
        {
            "id": each.id,
            "user": each.user,
            "label": each.label,
            "scopes": each.scopes.split(),
            "ends_utc": _utc(each.expires_s),
            "used_utc": None if each.used_s is None else _utc(each.used_s),
        }
        for each in found
    ]
    if as_json:
        print_json(rows)
    elif rows:
        shown = [
            (
                r["id"],
                r["user"],
                r["label"] or "-",
                ", ".join(r["scopes"]),
                r["ends_utc"],
                r["used_utc"] or "-",
            )
            for r in rows
        ]
        print_table(("ID", "ACCOUNT", "LABEL", "SCOPES", "ENDS, UTC", "USED, UTC"), shown)
    else:
        typer.echo("No token yet. Make one: quarterdeck tokens create --scope read")


@app.command("revoke")
def revoke(
    context: typer.Context,
    token: Annotated[str, typer.Argument(metavar="ID", help="As `tokens list` shows it.")],
    home: Home = None,
) -> None:
    """End a token at once."""
    with told_in_one_line():
        if not revoke_id(checked_engine(settings_of(context, home)), token, getpass.getuser()):
            raise fail(f"There is no token {token}. Run: quarterdeck tokens list", Exit.BAD_INPUT)
    typer.echo(f"Revoked {token}.")


def _utc(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M")
