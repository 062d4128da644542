"""A finding of the validator: which step and argument, which rule, and what would be right."""

from __future__ import annotations

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """`step` None concerns the plan as a whole; `argument` None the step as a whole."""

    step: int | None
    argument: str | None
    rule: str
    message: str
    remedy: str

    def __str__(self) -> str:
        place = "Plan" if self.step is None else f"Step {self.step + 1}"
        return f"{place}{' ' + self.argument if self.argument else ''}: {self.message} {self.remedy}"
