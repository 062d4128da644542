"""When to ask again: what the server asks for, else a pause that doubles; and running under a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

T = TypeVar("T")


def asked_wait_s(headers: Mapping[str, str]) -> float | None:
    """What Retry-After asks for, in seconds, a date read against the server's own clock; None if nothing."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * scale)
        except (KeyError, ValueError):
            continue
    try:
        until = parsedate_to_datetime(headers["retry-after"])
        now = parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None


def backoff_s(first_s: float, tries: int) -> float:
    """The pause after the `tries`-th try: first_s, then doubled each time."""
    return float(first_s * 2 ** (tries - 1))


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a loop of its own, in a thread that runs none.

    Unlike `asyncio.run` it waits for no helper thread: a name lookup may hang far past any deadline.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
