"""What a server's reply amounts to, the same for every API: text to decode, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from backend.domain.query.query import Usage, Verdict
from backend.planners.settings import variable

TRANSIENT = frozenset({"server_error", "rate_limit_exceeded", "overloaded"})
"""Codes of a failed response that may pass by themselves."""

_VOLATILE = frozenset({"id", "created", "created_at", "completed_at", "system_fingerprint", "timings"})
_ECHOED = frozenset({"instructions", "input", "text", "tools", "metadata", "prompt"})


class Answer(Struct, frozen=True, kw_only=True):
    """`verdict` ok: `text` is complete, and still to be decoded. Otherwise `detail` says what happened.

    `may_pass`: the same question may be answered if it is asked again.
    """

    verdict: Verdict
    text: str = ""
    detail: str = ""
    usage: Usage = Usage()
    model: str = ""
    response_id: str = ""
    may_pass: bool = False


def incomplete(reason: str, max_output_tokens: int) -> str:
    """The detail of a reply that was cut off; it is never parsed, however much of it there is."""
    if reason == "content_filter":
        return "The provider's content filter cut the reply off. Reword goal, notes or guidance."
    if reason in ("max_output_tokens", "length"):
        raised = variable("max_output_tokens")
        return f"The reply was cut off after {max_output_tokens} output tokens. Raise {raised}."
    return f"The reply was cut off: {reason or 'no reason given'}."


def usage_of(given: Any, input_key: str, output_key: str) -> Usage:
    """Tokens as the provider counted them. Servers leave out what they like, details first."""
    counts = mapping(given)
    return Usage(
        input_tokens=_count(counts, input_key),
        cached_tokens=_count(mapping(counts.get(f"{input_key}_details")), "cached_tokens"),
        output_tokens=_count(counts, output_key),
        reasoning_tokens=_count(mapping(counts.get(f"{output_key}_details")), "reasoning_tokens"),
        total_tokens=_count(counts, "total_tokens"),
    )


def kept(body: Mapping[str, Any]) -> dict[str, Any]:
    """The reply as it is stored: without what it echoes of the request, and without ids and times (meta)."""
    return {key: _settled(value) for key, value in body.items() if key not in _VOLATILE | _ECHOED}


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _settled(inner) for key, inner in value.items() if key not in _VOLATILE}
    return [_settled(inner) for inner in value] if isinstance(value, list) else value


def _count(counts: Mapping[str, Any], key: str) -> int | None:
    value = counts.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
