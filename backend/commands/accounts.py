"""`quarterdeck accounts add|list|role|password|disable|enable`: who may sign in with a password, which every
address beyond loopback needs."""

from __future__ import annotations

import getpass
import sys
from enum import StrEnum
from typing import Annotated

import typer

from backend.bootstrap import ready_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.domain.refusal import Refusal
from backend.persistence.accounts import (
    add_user,
    all_users,
    change_user,
    password_hash_of,
    set_password_hash,
    user_named,
)
from backend.processes.exits import Exit
from backend.web.guard.names import refuse_name
from backend.web.guard.passwords import hash_password, refuse_password

app = typer.Typer(no_args_is_help=True, help="Who may sign in.")


class RoleName(StrEnum):
    VIEWER = "viewer"
    OPERATOR = "operator"
    ADMIN = "admin"


Name = Annotated[str, typer.Argument(help="The name to sign in with.")]


@app.command("add")
def add(
    context: typer.Context,
    name: Name,
    role: Annotated[
        RoleName, typer.Option(help="viewer: watch and hold; operator: command; admin: accounts too.")
    ] = RoleName.OPERATOR,
    home: Home = None,
) -> None:
    """Add an account, or give one another role and password. Asks for the password, or reads a pipe."""
    with told_in_one_line():
        engine = ready_engine(settings_of(context, home))
        _refuse(refuse_name(name))
        password = _password()
        actor = getpass.getuser()
        if user_named(engine, name) is None:
            add_user(engine, name, role.value, actor, password_hash=hash_password(password))
        else:
            change_user(engine, name, actor, role=role.value, active=True)
            set_password_hash(engine, name, hash_password(password), actor)
    typer.echo(f"{name} may sign in as {role.value}.")


@app.command("role")
def set_role(
    context: typer.Context, name: Name, role: Annotated[RoleName, typer.Argument()], home: Home = None
) -> None:
    """Give an account another role, which ends its sessions."""
    with told_in_one_line():
        engine = ready_engine(settings_of(context, home))
        change_user(engine, name, getpass.getuser(), role=role.value)
    typer.echo(f"{name} is {role.value} now.")


@app.command("password")
def set_password(context: typer.Context, name: Name, home: Home = None) -> None:
    """Give an account another password, which ends its sessions. Asks for it, or reads a pipe."""
    with told_in_one_line():
        engine = ready_engine(settings_of(context, home))
        if user_named(engine, name) is None:
            raise fail(f"There is no account {name}. Run: quarterdeck accounts list", Exit.BAD_INPUT)
        set_password_hash(engine, name, hash_password(_password()), getpass.getuser())
    typer.echo(f"{name} has another password now.")


@app.command("disable")
def disable(context: typer.Context, name: Name, home: Home = None) -> None:
    """Switch an account off, which ends its sessions and revokes its tokens. What it did stays on record."""
    with told_in_one_line():
        change_user(ready_engine(settings_of(context, home)), name, getpass.getuser(), active=False)
    typer.echo(f"{name} may not sign in any more.")


@app.command("enable")
def enable(context: typer.Context, name: Name, home: Home = None) -> None:
    """Switch an account on again."""
    with told_in_one_line():
        change_user(ready_engine(settings_of(context, home)), name, getpass.getuser(), active=True)
    typer.echo(f"{name} may sign in again.")


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
    """Ends the command where it may not become one."""
    password = sys.stdin.readline().rstrip("\n") if not sys.stdin.isatty() else _typed()
    _refuse(refuse_password(password))
    return password


def _typed() -> str:
    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Again: "):
        raise fail("The two differ. Try again.", Exit.BAD_INPUT)
    return first


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise fail(str(refusal), Exit.BAD_INPUT)
