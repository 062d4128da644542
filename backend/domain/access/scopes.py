"""What an API token may be used for. It never may more than the account it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from backend.domain.refusal import Refusal

Scope = Literal["read", "hold", "command", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

SAYS: dict[Scope, str] = {
    "read": "see episodes, states and events",
    "hold": "stop a robot",
    "command": "start episodes, and command those that its account may command",
    "admin": "see to accounts and tokens",
}


def refuse_scope(scopes: Sequence[str], needed: Scope) -> Refusal | None:
    """A token does what it was made for, and nothing else."""
    if needed in scopes:
        return None
    has = ", ".join(scopes) or "nothing"
    return Refusal(
        "scope",
        f"This token is for {has}, not for {needed}.",
        f"Make one that may {SAYS[needed]}: quarterdeck tokens create --scope {needed}.",
    )


LONGEST_DAYS = 366


def refuse_token(role: str, scopes: Sequence[str], days: float) -> Refusal | None:
    """Why a token like this is not made for an account of this role."""
    if not scopes:
        return Refusal("scope", "The token is for nothing.", f"Choose of {', '.join(SCOPES)}.")
    for scope in scopes:
        if scope not in SCOPES:
            return Refusal("scope", f"There is no scope {scope[:40]!r}.", f"Choose of {', '.join(SCOPES)}.")
        if scope == "admin" and role != "admin":
            return Refusal("scope", "Only an admin's token sees to accounts.", "Leave admin out.")
        if scope == "command" and role == "viewer":
            return Refusal("scope", "A viewer commands nothing, by token neither.", "Leave command out.")
    if not 0 < days <= LONGEST_DAYS:
        return Refusal("days", f"A token lasts 1 to {LONGEST_DAYS} days.", "Give such a number.")
    return None


def refuse_role_for(role: str, needed: Scope) -> Refusal | None:
    """Accounts and tokens are an admin's matter, whatever a token says."""
    if needed == "admin" and role != "admin":
        return Refusal("role", "Only an admin may see to that.", "Ask an admin.")
    return None
