"""Passwords, hashed with argon2id. Whoever adds an account asks `hash_password`; only the sign-in page
verifies."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from backend.domain.refusal import Refusal

SHORTEST = 10
LONGEST = 1000
"""Characters: more is no password but a load."""

_hasher = PasswordHasher()
_at_once = threading.BoundedSemaphore(2)
"""Each takes 64 MB and a core for a while: more at once would starve who holds a robot."""
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$2NQOyEJeHllIYBtONjiIRw$c4lZBfA93sVj4Iw3uHfT19+OCubPKcMFCP/RVcjJeVQ"
"""Of random bits that nobody kept: a hash made at each start would cost every command of the terminal."""


def refuse_password(password: str) -> Refusal | None:
    """Why this may not become a password."""
    if len(password) < SHORTEST:
        return Refusal("short", f"The password has {len(password)} characters.", f"Give at least {SHORTEST}.")
    if len(password) > LONGEST:
        return Refusal("long", "The password is too long.", f"Give at most {LONGEST} characters.")
    return None


def hash_password(password: str) -> str:
    with _at_once:
        return _hasher.hash(password)


def is_password(stored: str | None, password: str) -> bool:
    """Takes as long for a name that nobody has: the time tells nothing about who has an account."""
    if len(password) > LONGEST:
        return False
    try:
        with _at_once:
            _hasher.verify(stored or _NOBODY, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
