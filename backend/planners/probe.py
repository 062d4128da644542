"""The start-up probe: is the server there, does it know the model, and does it enforce a schema?

It is asked with a schema whose only valid answer is a random constant that the question does not name.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backend.planners.asking import Asker, ask
from backend.planners.question import Question
from backend.planners.settings import Api, OpenAISettings, endpoint_of

MAX_OUTPUT_TOKENS = 2000
"""Room for a reasoning model to think first; the answer itself is a dozen tokens."""


class Probe(Struct, frozen=True, kw_only=True):
    """`enforced` None: no answer came, and `detail` says why."""

    model: str
    base_url: str
    api: Api
    enforced: bool | None
    latency_s: float
    detail: str

    def __str__(self) -> str:
        verdict = {True: "yes", False: "no", None: "unknown"}[self.enforced]
        return f"schema enforced: {verdict}"


def probe(
    settings: OpenAISettings, *, constant: str = "", clock: Callable[[], float] = time.monotonic
) -> Probe:
    """Asks once, without retries. Raises PlannerConfigurationError for settings that cannot work."""
    constant = constant or f"word-{secrets.token_hex(4)}"
    endpoint = endpoint_of(settings)
    once = replace(settings, retries=0, max_output_tokens=MAX_OUTPUT_TOKENS)
    asked = ask(_question(constant), Asker(settings=once, endpoint=endpoint, clock=clock))[-1]
    enforced = None
    detail = asked.attempt.detail
    if asked.attempt.verdict == "ok":
        enforced = _is_constant(asked.text, constant)
        detail = _explained(enforced)
    return Probe(
        model=asked.attempt.model,
        base_url=endpoint.base_url,
        api=endpoint.api,
        enforced=enforced,
        latency_s=asked.meta.latency_s,
        detail=detail,
    )


def _question(constant: str) -> Question:
    return Question(
        instructions='Reply with a JSON object {"answer": word}.',
        parts=("Choose any word.",),
        schema_name="probe",
        schema={
            "type": "object",
            "properties": {"answer": {"type": "string", "const": constant}},
            "required": ["answer"],
            "additionalProperties": False,
        },
    )


def _is_constant(text: str, constant: str) -> bool:
    try:
        return bool(msgspec.json.decode(text) == {"answer": constant})
    except (ValueError, RecursionError):
        return False


def _explained(enforced: bool) -> str:
    if enforced:
        return "The server holds the model to the schema."
    return (
        "The server ignores the schema, so more replies will be refused."
        " Try the other API, or a server that enforces it."
    )
