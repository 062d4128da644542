"""What the planner answers to a view of a demonstration: its running summary, and what to look at closer."""

from __future__ import annotations

from typing import Any

import msgspec

from backend.domain.demonstration.looks import Answer as Answer
from backend.domain.plans.decode import MAX_TEXT, DecodeFailure

MAX_RANGES = 24
"""Ranges of one answer. More than a segment's closer looks have frames is no request but a runaway model."""

MAX_FRAME = 10**9
"""A number beyond it counts no demonstration's frames, and might not be stored."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "summary": {
            "type": "string",
            "description": "All that the demonstration has shown so far: it replaces the summary before.",
        },
        "looks": {
            "type": "array",
            "description": "Frame ranges of this segment to see closer, both ends included; [] for none.",
            "items": {
                "type": "object",
                "properties": {"first_frame": {"type": "integer"}, "last_frame": {"type": "integer"}},
                "required": ["first_frame", "last_frame"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["summary", "looks"],
    "additionalProperties": False,
}
"""The answer's strict JSON schema; lengths and ranges are judged here and in `looks`."""


_decoder = msgspec.json.Decoder(Answer)


def decode_answer(text: str | bytes) -> Answer | DecodeFailure:
    """The answer that `text` holds, or the field that is wrong. Nothing is guessed or coerced."""
    try:
        answer = _decoder.decode(text)
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `")
        return DecodeFailure("invalid_schema", path.rstrip("`").removeprefix("$").lstrip("."), f"{said}.")
    except (ValueError, RecursionError) as error:
        return DecodeFailure("invalid_json", "", f"The reply is no JSON: {error}.")
    field, message = _flaw(answer)
    return DecodeFailure("invalid_schema", field, message) if field else answer


def _flaw(answer: Answer) -> tuple[str, str]:
    if not answer.summary.strip():
        return "summary", "is empty. Say what the demonstration has shown so far."
    if len(answer.summary) > MAX_TEXT:
        return "summary", f"has {len(answer.summary)} characters; at most {MAX_TEXT} are taken."
    if "\0" in answer.summary:
        return "summary", "holds a NUL character, which cannot be stored. Leave it out."
    if len(answer.looks) > MAX_RANGES:
        return "looks", f"has {len(answer.looks)} ranges; at most {MAX_RANGES} are taken."
    for index, look in enumerate(answer.looks):
        if max(abs(look.first_frame), abs(look.last_frame)) > MAX_FRAME:
            return f"looks[{index}]", f"names no frame. Give numbers from 0 to {MAX_FRAME}."
    return "", ""
