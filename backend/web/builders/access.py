"""The pages of accounts and of one's own access, made of what the registry knows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import get_args

from backend.domain.access.scopes import SAYS, SCOPES, refuse_token
from backend.web.access import Change, Role, Token, User
from backend.web.pages import figures
from backend.web.pages.access import AccountRow, ChangeRow, TokenRow
from backend.web.pages.parts import Choice, FieldError

ROLES: tuple[Role, ...] = get_args(Role)
_ROLE_SAYS: dict[Role, str] = {
    "viewer": "Watches, and may hold.",
    "operator": "Commands, with the conn.",
    "admin": "Commands, and sees to accounts.",
}
_DID = {
    "user.added": "Account added",
    "user.changed": "Account changed",
    "user.password_set": "Password set",
    "token.issued": "Token made",
    "token.revoked": "Token revoked",
    "session.opened": "Signed in",
    "sign_in.failed": "Sign-in failed",
}


def roles(chosen: str = "") -> tuple[Choice, ...]:
    return tuple(
        Choice(value=role, label=role.capitalize(), text=_ROLE_SAYS[role], chosen=role == chosen)
        for role in ROLES
    )


def scopes(role: str, chosen: Sequence[str]) -> tuple[Choice, ...]:
    """What a token of this role may be for; the rest is not offered."""
    return tuple(
        Choice(value=scope, label=scope.capitalize(), text=f"To {SAYS[scope]}.", chosen=scope in chosen)
        for scope in SCOPES
        if refuse_token(role, (scope,), 1) is None
    )


def account_row(user: User, me: str, has_password: bool, errors: tuple[FieldError, ...] = ()) -> AccountRow:
    return AccountRow(
        name=user.name,
        roles=roles(user.role),
        active=user.active,
        signs_in_by="password" if has_password else "link or token",
        is_me=user.name == me,
        errors=errors,
    )


def change_row(change: Change) -> ChangeRow:
    return ChangeRow(
        utc=change.utc.replace("T", " ")[:19],
        actor=change.actor,
        what=_DID.get(change.action, change.action),
        subject=change.subject or figures.NONE,
    )


def token_row(token: Token, now_s: float) -> TokenRow:
    return TokenRow(
        id=token.id,
        label=token.label or "No label",
        owner=token.user,
        scopes=token.scopes.replace(" ", ", "),
        made=_day(token.created_s),
        ends=_day(token.expires_s),
        used=f"{figures.age(max(0.0, now_s - token.used_s))} ago" if token.used_s is not None else "never",
        is_over=token.expires_s <= now_s,
    )


def _day(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).date().isoformat()
