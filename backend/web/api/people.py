"""Accounts, for admins, and each person's own API tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from backend.web.access import Role, Token
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.console import Console
from backend.web.errors import NotThere
from backend.web.people import LONGEST_LABEL, People

Name = Annotated[str, Meta(max_length=200)]
Password = Annotated[str, Meta(max_length=2000)]


class Account(Struct, frozen=True, kw_only=True):
    name: str
    role: Role
    active: bool
    has_password: bool


class Accounts(Struct, frozen=True, kw_only=True):
    """Who may sign in, and what as."""

    accounts: tuple[Account, ...]


class NewAccount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Without a `password` it signs in by nothing until one is set, and may have tokens."""

    name: Name
    role: Role
    password: Password | None = None


class Changed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be otherwise; what is left out stays. Each ends the account's sessions."""

    role: Role | None = None
    active: bool | None = None
    password: Password | None = None


class TokenRow(Struct, frozen=True, kw_only=True):
    """Times in epoch seconds. The token itself is told once, when it is made."""

    id: str
    user: str
    label: str
    scopes: tuple[str, ...]
    created_s: float
    expires_s: float
    used_s: float | None


class Tokens(Struct, frozen=True, kw_only=True):
    """What programs come with, without their secrets."""

    tokens: tuple[TokenRow, ...]


class NewToken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`scopes`: of read, hold, command and admin. `user`: for whom, which only an admin may say."""

    scopes: tuple[Annotated[str, Meta(max_length=40)], ...]
    label: Annotated[str, Meta(max_length=LONGEST_LABEL)] = ""
    days: Annotated[float, Meta(gt=0, le=366)] = 30.0
    user: Name = ""


class Made(Struct, frozen=True, kw_only=True):
    """Keep the `token`: nobody can be shown it again."""

    token: str


class Gone(Struct, frozen=True, kw_only=True):
    """The token is good for nothing from now on."""

    revoked: str


def operations(console: Console) -> list[Operation]:
    people = People(console.deps)
    registry = console.deps.registry

    def accounts(call: Call) -> Reply:
        found = tuple(
            Account(name=u.name, role=u.role, active=u.active, has_password=registry.has_password(u.name))
            for u in registry.users()
        )
        return Reply(value=Accounts(accounts=found))

    def add(call: Call) -> Reply:
        asked: NewAccount = call.body
        people.add(asked.name, asked.role, asked.password, call.user)
        return Reply(value=account(asked.name), status=201)

    def change(call: Call) -> Reply:
        name, asked = call.path["name"], call.body
        people.change(name, call.user, role=asked.role, active=asked.active)
        if asked.password is not None:
            people.set_password(name, asked.password, call.user, but="")
        return Reply(value=account(name))

    def account(name: str) -> Account:
        user = registry.user(name)
        if user is None:
            raise NotThere(f"There is no account {name[:80]!r}", remedy="Look at the list of accounts.")
        has = registry.has_password(name)
        return Account(name=user.name, role=user.role, active=user.active, has_password=has)

    def tokens(call: Call) -> Reply:
        whose = None if call.user.role == "admin" else call.user.name
        return Reply(value=Tokens(tokens=tuple(_row(each) for each in registry.tokens(whose))))

    def make(call: Call) -> Reply:
        asked: NewToken = call.body
        owner = asked.user or call.user.name
        token = people.make_token(call.user, owner, asked.label, asked.scopes, asked.days)
        return Reply(value=Made(token=token), status=201)

    def revoke(call: Call) -> Reply:
        people.revoke_token(call.user, call.path["token"])
        return Reply(value=Gone(revoked=call.path["token"]))

    return [
        _access("accounts", "GET", "accounts", "List accounts", accounts, Accounts),
        _access("add_account", "POST", "accounts", "Add an account", add, Account, NewAccount, 201),
        _access("change_account", "POST", "accounts/{name}", "Change an account", change, Account, Changed),
        _access("tokens", "GET", "tokens", "List tokens: one's own, an admin's all", tokens, Tokens),
        _access("make_token", "POST", "tokens", "Make a token", make, Made, NewToken, 201),
        _access("revoke_token", "DELETE", "tokens/{token}", "Revoke a token", revoke, Gone),
    ]


def _access(
    name: str,
    method: Literal["GET", "POST", "DELETE"],
    path: str,
    summary: str,
    run: Callable[[Call], Reply],
    answer: type,
    body: type | None = None,
    status: int = 200,
) -> Operation:
    return Operation(
        id=name,
        method=method,
        path=f"{ROOT}/{path}",
        scope="admin",
        tag="Access",
        summary=summary,
        text=((body or answer).__doc__ or "").strip(),
        run=run,
        body=body,
        answer=answer,
        status=status,
        is_own=path.startswith("tokens"),
        takes_key=False,
    )


def _row(token: Token) -> TokenRow:
    return TokenRow(
        id=token.id,
        user=token.user,
        label=token.label,
        scopes=tuple(token.scopes.split()),
        created_s=token.created_s,
        expires_s=token.expires_s,
        used_s=token.used_s,
    )
