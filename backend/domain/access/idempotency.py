"""A request that says by a key of its own that it is to be done once, however often it is sent."""

from __future__ import annotations

import re

from msgspec import Struct

from backend.domain.refusal import Refusal

KEPT_S = 86_400.0
"""How long an answer is kept for who sends the same request again."""
BUSY_S = 60.0
"""A request that has no answer after this long broke off; it may be done again."""
_KEY = re.compile(r"[!-~]{1,128}")


class Kept(Struct, frozen=True, kw_only=True):
    """What was answered to a key. `request`: digest of method, address and body. `status` None: not yet."""

    request: str
    status: int | None = None
    body: str = ""


def refuse_key(key: str) -> Refusal | None:
    if _KEY.fullmatch(key):
        return None
    return Refusal("key", "The Idempotency-Key cannot be read.", "Give 1 to 128 printable ASCII characters.")


def refuse_replay(kept: Kept, request: str) -> Refusal | None:
    """A key stands for one request: another one under it was not meant."""
    if kept.request != request:
        return Refusal(
            "key_reused", "This Idempotency-Key was sent with another request.", "Give each request its own."
        )
    if kept.status is None:
        return Refusal(
            "key_busy", "The first request with this key has no answer yet.", "Send it again later."
        )
    return None


def refuse_spent(came_s: float | None, now_s: float) -> Refusal | None:
    """`came_s`: when a command first came under this key, if ever. Its answer is forgotten after `KEPT_S`; it
    is done no second time for that."""
    if came_s is None or now_s - came_s < KEPT_S:
        return None
    return Refusal(
        "key_spent",
        "This command came under this Idempotency-Key more than a day ago.",
        "Look at how it stands now; to do it once more, give it a new key.",
    )
