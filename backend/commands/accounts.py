"""`quarterdeck accounts add|list`: who may sign in with a password, which every address beyond loopback
needs.
"""

from __future__ import annotations

import getpass
import sys
from enum import StrEnum
from typing import Annotated

import typer

from backend.bootstrap import ready_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.persistence.accounts import (
    add_user,
    all_users,
    change_user,
    password_hash_of,
    set_password_hash,
    user_named,
)
from backend.processes.exits import Exit
from backend.web.guard.passwords import hash_password, refuse_password

app = typer.Typer(no_args_is_help=True, help="Who may sign in.")


class RoleName(StrEnum):
    VIEWER = "viewer"
    OPERATOR = "operator"
    ADMIN = "admin"


@app.command("add")
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The name to sign in with.")],
    role: Annotated[
        RoleName, typer.Option(help="viewer: watch and hold; operator: command; admin: accounts too.")
    ] = RoleName.OPERATOR,
    home: Home = None,
) -> None:
    """Add an account, or give one another role and password. Asks for the password, or reads a pipe."""
    with told_in_one_line():
        engine = ready_engine(settings_of(context, home))
        if not 0 < len(name) <= 60 or not name.isprintable() or name != name.strip():
            raise fail(
                "NAME takes 1 to 60 printable characters, none of them blank at an end.", Exit.BAD_INPUT
            )
        password = _password()
        refusal = refuse_password(password)
        if refusal is not None:
            raise fail(str(refusal), Exit.BAD_INPUT)
        actor = getpass.getuser()
        if user_named(engine, name) is None:
            add_user(engine, name, role.value, actor, password_hash=hash_password(password))
        else:
            change_user(engine, name, actor, role=role.value, active=True)
            set_password_hash(engine, name, hash_password(password), actor)
    typer.echo(f"{name} may sign in as {role.value}.")


@app.command("list")
def list_accounts(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """The accounts of this database."""
    with told_in_one_line():
        engine = ready_engine(settings_of(context, home))
        accounts = [
            {
                "name": user.name,
                "role": user.role,
                "active": user.active,
                "signs_in_by": "password" if password_hash_of(engine, user.name) else "link",
            }
            for user in all_users(engine)
        ]
    if as_json:
        print_json(accounts)
    elif accounts:
        print_table(("NAME", "ROLE", "ACTIVE", "SIGNS IN BY"), [tuple(each.values()) for each in accounts])
    else:
        typer.echo("No account yet. Add one: quarterdeck accounts add NAME --role admin")


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Again: "):
        raise fail("The two differ. Try again.", Exit.BAD_INPUT)
    return first
