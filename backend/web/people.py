"""What is done to accounts and tokens, by page or API: rules are asked here, a refusal names its field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from backend.domain.access.scopes import refuse_token
from backend.domain.refusal import Refusal
from backend.web.access import Role
from backend.web.deps import Deps
from backend.web.errors import Forbidden, Malformed, NotThere, TooLate
from backend.web.guard.names import refuse_name
from backend.web.guard.passwords import hash_password, is_password, refuse_password
from backend.web.pages.chrome import User

LONGEST_LABEL = 80
DAY_S = 86_400.0
Done = TypeVar("Done")


class People:
    """`by` is who does it: the guard has let them here. Raises Malformed, NotThere, Forbidden and TooLate."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._registry = deps.registry

    def add(self, name: str, role: Role, password: str | None, by: User) -> None:
        _refuse(refuse_name(name), "name")
        hashed = None
        if password is not None:
            _refuse(refuse_password(password), "password")
            hashed = hash_password(password)
        self._told(lambda: self._registry.add(name, role, hashed, by.name))

    def change(self, name: str, by: User, *, role: Role | None = None, active: bool | None = None) -> None:
        self._known(name)
        if name == by.name and (active is False or (role is not None and role != by.role)):
            remedy = "Ask another admin to change them."
            raise TooLate("One's own role and access stay", remedy=remedy, field="name")
        if role is not None or active is not None:
            self._told(lambda: self._registry.change(name, by.name, role=role, active=active))

    def set_password(self, name: str, password: str, by: User, *, but: str) -> None:
        """`but`: the session that goes on, where it is one's own."""
        self._known(name)
        _refuse(refuse_password(password), "password")
        hashed = hash_password(password)
        self._told(lambda: self._registry.set_password(name, hashed, by.name, but=but))

    def set_own_password(self, by: User, old: str, new: str, session: str) -> None:
        """Whoever found a signed-in browser does not know the old one."""
        stored = self._deps.accounts.password_hash(by.name)
        if stored is not None and not is_password(stored, old):
            raise Malformed("The old password is wrong.", remedy="Try again.", field="old")
        _refuse(refuse_password(new), "new")
        hashed = hash_password(new)
        self._told(lambda: self._registry.set_password(by.name, hashed, by.name, but=session))

    def make_token(self, by: User, owner: str, label: str, scopes: Sequence[str], days: float) -> str:
        if owner != by.name and by.role != "admin":
            raise Forbidden("A token is made for oneself", remedy="Ask an admin.", field="user")
        if len(label) > LONGEST_LABEL or (label and not label.isprintable()):
            remedy = f"Give at most {LONGEST_LABEL} characters."
            raise Malformed("The label cannot be read.", remedy=remedy, field="label")
        user = self._registry.user(owner)
        if user is None:
            raise NotThere(f"There is no account {owner[:80]!r}", remedy="Look at the list of accounts.")
        refusal = refuse_token(user.role, scopes, days)
        _refuse(refusal, "days" if refusal is not None and refusal.code == "days" else "scopes")
        kept = tuple(dict.fromkeys(scopes))
        return self._told(lambda: self._registry.issue(owner, label, kept, days * DAY_S, by.name))

    def revoke_token(self, by: User, token_id: str) -> None:
        """One's own; an admin's are all."""
        owner = None if by.role == "admin" else by.name
        if not self._registry.revoke(token_id, by.name, owner=owner):
            raise NotThere("There is no such token", remedy="Look at the list of tokens.")

    def _known(self, name: str) -> None:
        if self._registry.user(name) is None:
            raise NotThere(f"There is no account {name[:80]!r}", remedy="Look at the list of accounts.")

    def _told(self, do: Callable[[], Done]) -> Done:
        try:
            return do()
        except self._deps.denied as error:
            raise TooLate(
                str(getattr(error, "message", error)),
                remedy=str(getattr(error, "remedy", "")),
                code="account",
                field=str(getattr(error, "field", "")),
            ) from error


def _refuse(refusal: Refusal | None, field: str) -> None:
    if refusal is not None:
        raise Malformed(refusal.message, remedy=refusal.remedy, code=refusal.code, field=field)
