"""A plan as a person writes it: JSON steps, checked by the same decoder as a model's reply, more forgiving
of what is left out."""

from __future__ import annotations

import msgspec

from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.decode import DecodeFailure, decode_reply
from backend.domain.plans.plan import Step
from backend.web.pages.parts import FieldError

LONGEST = 50_000
EXAMPLE = 'Write a list such as [{"skill": "navigate", "arguments": {"to": "can_07"}}].'


def steps_of(text: str, catalogue: Catalogue) -> tuple[Step, ...] | FieldError:
    """Arguments and watch may be left out of a step; then there are none."""
    if len(text) > LONGEST:
        return _wrong(f"This has {len(text):,} characters.", f"Write at most {LONGEST:,}.")
    try:
        written = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        return _wrong(f"This is no JSON: {error}.", EXAMPLE)
    if not isinstance(written, list):
        return _wrong("This is no list of steps.", EXAMPLE)
    steps = [{"arguments": {}, "watch": None, **step} if isinstance(step, dict) else step for step in written]
    reply = decode_reply(msgspec.json.encode({"rationale": "", "note": "", "steps": steps}), catalogue)
    if isinstance(reply, DecodeFailure):
        return _wrong(f"{_numbered(reply.field)} {reply.message}".strip(), "Mend it; all else is kept.")
    return reply.steps


def _numbered(field: str) -> str:
    """Step 2, arguments.to of `steps[1].arguments.to`: people count from one."""
    head, _, rest = field.partition("]")
    number = head.removeprefix("steps[")
    if not head.startswith("steps[") or not number.isdecimal():
        return field
    return f"Step {int(number) + 1}{', ' + rest.lstrip('.') if rest else ''}"


def _wrong(message: str, remedy: str) -> FieldError:
    return FieldError(field="steps", message=message, remedy=remedy)
