"""A what-if as it was typed, read: what is asked, or what is wrong beside each field. Empty: as it was."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.domain.memory.corrections import Correction
from backend.sandbox.change import LONGEST, MOST_CALLS, Asked, Change
from backend.web.builders.correction_read import read_correction
from backend.web.pages.parts import FieldError

Typed = Mapping[str, str]

NUMBERS: Mapping[str, tuple[str, str, float, float]] = {
    "k": ("K", "", 1.0, 1000.0),
    "decay_s": ("Decay", "s", 0.1, 100_000.0),
    "threshold": ("Threshold", "", 0.0, 1.0),
    "w_initial": ("Map", "×", 0.0, 10.0),
    "w_onboard": ("Onboard", "×", 0.0, 10.0),
    "w_operator": ("Operator", "×", 0.0, 10.0),
    "w_aerial": ("Drone", "×", 0.0, 10.0),
}
"""Label, unit, least and most."""
TEXTS = (
    "memory",
    "planner",
    "model",
    "prompt",
    "instructions",
    "do",
    "entity",
    "x_m",
    "y_m",
    "cls",
    "status",
)
FIELDS = (*NUMBERS, *TEXTS, "here", "calls", "run_on")
DEEDS = ("move", "reclass", "set_status", "remove")
NO_INSTRUCTIONS = "-"
"""Typed for none at all, since empty means as they were."""


def typed_of(query: Mapping[str, Any]) -> dict[str, str]:
    """What of a query or form is a what-if's, without what is empty."""
    return {name: text for name in FIELDS if (text := str(query.get(name, "")).strip())}


def read_asked(at: int, typed: Typed) -> Asked | tuple[FieldError, ...]:
    errors: list[FieldError] = []
    numbers = {name: _number(name, typed, errors) for name in NUMBERS}
    calls = _calls(typed, errors)
    correction = _correction(typed, errors)
    for name in ("prompt", "instructions"):
        if len(typed.get(name, "")) > LONGEST:
            remedy = f"Write at most {LONGEST:,} characters."
            errors.append(FieldError(field=name, message="It is too long.", remedy=remedy))
    if errors:
        return tuple(errors)
    said = typed.get("instructions")
    change = Change(
        k=None if numbers["k"] is None else int(numbers["k"]),
        decay_s=numbers["decay_s"],
        threshold=numbers["threshold"],
        weights={
            name.removeprefix("w_"): value
            for name, value in numbers.items()
            if name.startswith("w_") and value is not None
        },
        memory=typed.get("memory", "")[:40],
        correction=correction,
        planner=typed.get("planner", "")[:40],
        model=typed.get("model", "")[:200],
        prompt=typed.get("prompt", ""),
        instructions="" if said == NO_INSTRUCTIONS else said,
    )
    run_on, here = bool(typed.get("run_on")), bool(typed.get("here"))
    return Asked(at=at, calls=calls, change=change, run_on=run_on, here=here)


def _number(name: str, typed: Typed, errors: list[FieldError]) -> float | None:
    label, _, least, most = NUMBERS[name]
    text = typed.get(name, "")
    if not text:
        return None
    try:
        value = float(int(text)) if name == "k" else float(text)
    except ValueError:
        value = math.nan
    if least <= value <= most:
        return value
    whole = " whole" if name == "k" else ""
    errors.append(
        FieldError(
            field=name,
            message=f"{label} cannot be “{text[:40]}”.",
            remedy=f"Write a{whole} number from {least:g} to {most:g}, or leave it empty.",
        )
    )
    return None


def _calls(typed: Typed, errors: list[FieldError]) -> int:
    text = typed.get("calls", "1")
    if text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= MOST_CALLS:
        return int(text)
    errors.append(
        FieldError(
            field="calls",
            message=f"“{text[:40]}” calls cannot be asked.",
            remedy=f"Write a whole number from 1 to {MOST_CALLS}.",
        )
    )
    return 1


def _correction(typed: Typed, errors: list[FieldError]) -> Correction | None:
    do, entity = typed.get("do", ""), typed.get("entity", "")
    if not do:
        return None
    if do not in DEEDS:
        errors.append(
            FieldError(field="do", message="A record is not edited so.", remedy="Choose from the list.")
        )
        return None
    if not entity:
        errors.append(
            FieldError(field="entity", message="No record is chosen.", remedy="Choose the record to edit.")
        )
        return None
    read = read_correction(do, entity, typed)
    if isinstance(read, FieldError):
        errors.append(read)
        return None
    return read
