"""A refusal: what a guard answers instead of None when an action may not go ahead."""

from __future__ import annotations

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """`code` is stable and short; `message` and `remedy` are for the operator."""

    code: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()
