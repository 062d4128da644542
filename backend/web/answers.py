"""What became of a click, as the page says it: a notice on the card, an error beside the field, a status."""

from __future__ import annotations

from msgspec import Struct

from backend.web.commanding import Answer
from backend.web.pages.parts import FieldError, Notice

FIELD_OF = {"empty": "guidance", "invalid_plan": "steps", "invalid_policy": "policy", "too_long": "text"}
"""Refusals that concern what was typed, and the field it was typed into."""


class Told(Struct, frozen=True, kw_only=True):
    """`status`: 200 applied, 409 something changed meanwhile, 422 a field is wrong."""

    status: int
    notice: Notice | None = None
    errors: tuple[FieldError, ...] = ()


def told(answer: Answer, what: str) -> Told:
    """`what`: the action in two words, such as "Your approval"."""
    settled = answer.settlement
    if settled is None:
        return Told(status=409, notice=_unanswered(answer, what))
    if settled.applied:
        return Told(status=200)
    field = FIELD_OF.get(settled.code)
    if field is not None:
        error = FieldError(field=field, message=settled.message, remedy=settled.remedy)
        return Told(status=422, errors=(error,))
    text = f"{settled.remedy} {what} changed nothing.".strip()
    return Told(status=409, notice=Notice(icon="stale", title=settled.message, text=text, tone="caution"))


def _unanswered(answer: Answer, what: str) -> Notice:
    if answer.withdrawn:
        return Notice(
            icon="stale",
            title="No runner answered in time.",
            text=f"{what} was taken back; nothing was done. Try again once a runner holds the episode.",
            tone="caution",
        )
    return Notice(
        icon="stale",
        title="Asked, not answered yet.",
        text=f"{what} stays asked, and counts as soon as a runner holds the episode.",
        tone="alarm",
    )
