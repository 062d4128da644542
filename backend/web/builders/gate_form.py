"""The gate's settings as a person types them, and what became of trying them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct

from backend.domain.execution.gating import Gated, GatingSettings
from backend.web.pages.parts import FieldError

FIELDS = ("radius_px", "level", "share_percent")
USUAL = GatingSettings()

_BOUNDS = {"radius_px": (1.0, 512.0), "level": (0.0, 255.0), "share_percent": (0.0, 100.0)}
_NAMED = {"radius_px": "The radius", "level": "The level", "share_percent": "The share"}


class Tried(Struct, frozen=True, kw_only=True):
    """`typed`: the fields as they were written, those not given as they are usually. `gated` None: nothing
    came of it, for `why_not` or for `errors`."""

    typed: Mapping[str, str]
    settings: GatingSettings = USUAL
    gated: Gated | None = None
    why_not: str = ""
    errors: tuple[FieldError, ...] = ()


def is_asked(query: Mapping[str, str]) -> bool:
    return any(query.get(name, "").strip() for name in FIELDS)


def read_gate(query: Mapping[str, str]) -> Tried:
    """What is typed, as settings or with what is wrong beside the field."""
    usual = written(USUAL)
    typed = {name: query.get(name, "").strip() or usual[name] for name in FIELDS}
    errors = tuple(error for name in FIELDS if (error := _wrong(name, typed[name])) is not None)
    if errors:
        return Tried(typed=typed, errors=errors)
    settings = GatingSettings(
        radius_px=float(typed["radius_px"]),
        level=int(typed["level"]),
        share=float(typed["share_percent"]) / 100,
    )
    return Tried(typed=typed, settings=settings)


def written(settings: GatingSettings) -> dict[str, str]:
    return {
        "radius_px": f"{settings.radius_px:g}",
        "level": str(settings.level),
        "share_percent": f"{100 * settings.share:g}",
    }


def _wrong(name: str, typed: str) -> FieldError | None:
    least, most = _BOUNDS[name]
    whole = " whole" if name == "level" else ""
    try:
        value = int(typed) if name == "level" else float(typed)
    except ValueError:
        value = math.nan
    if least <= value <= most:
        return None
    return FieldError(
        field=name,
        message=f"{_NAMED[name]} cannot be “{typed[:40]}”.",
        remedy=f"Write a{whole} number from {least:g} to {most:g}.",
    )
