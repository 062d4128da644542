"""A message's fields as JSON values, whatever its type; numbers that JSON has not become null."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

MOST = 1000
LONGEST = 2000
LONGEST_PROGRESS = 120


def plain(value: Any) -> Any:
    """What is long is cut: a result tells what was measured, and carries no pictures."""
    if isinstance(value, str):
        return whole(value, LONGEST)
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if hasattr(value, "to_sec"):
        return value.to_sec()
    if hasattr(value, "__slots__"):
        return {name: plain(getattr(value, name)) for name in value.__slots__}
    return [plain(each) for each in list(value)[:MOST]]


def whole(text: str, longest: int) -> str:
    """A stranger's text in whole characters, and no more than so many of them."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return cut.encode("utf-8", "replace").decode("utf-8")


def told_of(feedback: dict[str, Any], path: str) -> str:
    """The field `path` of it (such as `base_position.pose.position`) in words; empty where there is none."""
    at: Any = feedback
    for name in path.split("."):
        at = at.get(name) if isinstance(at, dict) else None
    return whole(_in_words(at), LONGEST_PROGRESS)


def _in_words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_words(inner)}" for name, inner in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)
