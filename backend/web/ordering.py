"""The form of a new episode, read: pydantic says what is wrong, we say what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.domain.memory.configuration import NAMED
from backend.usecases.ordering import LARGEST_SEED
from backend.web.deps import AS_MISSION, NewEpisode
from backend.web.pages.parts import FieldError


class OrderForm(BaseModel):
    """What the form may hold. Whether mission and planner exist, `Orders` knows."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    mission: str = Field(min_length=1)
    seed: int = Field(ge=0, le=LARGEST_SEED)
    planner: str = Field(min_length=1)
    memory: str = Field(AS_MISSION, min_length=1)
    policy: Literal["mission", "every_plan", "every_skill", "on_risk", "auto"] = "mission"
    site: str = Field(AS_MISSION, min_length=1, max_length=63)
    clock: Literal["mission", "waits", "runs"] = "mission"
    mode: Literal["mission", "shadow"] = "mission"


_REMEDIES = {
    "mission": "Choose one.",
    "seed": f"Write a whole number from 0 to {LARGEST_SEED:,}.",
    "planner": "Choose one.",
    "memory": "Choose one.",
    "policy": "Choose one.",
    "site": "Choose one.",
    "clock": "Choose one.",
    "mode": "Choose one.",
}


def read_order(typed: Mapping[str, str]) -> NewEpisode | tuple[FieldError, ...]:
    """The order, or an error beside each field that is wrong."""
    try:
        form = OrderForm.model_validate(dict(typed))
    except ValidationError as error:
        names = dict.fromkeys(str(each["loc"][0]) for each in error.errors())
        return tuple(_wrong(name, typed.get(name, "")) for name in names)
    if form.memory not in (AS_MISSION, *NAMED):
        return (_wrong("memory", form.memory),)
    return NewEpisode(
        mission=form.mission,
        seed=form.seed,
        planner=form.planner,
        memory=form.memory,
        policy=form.policy,
        site=form.site,
        clock=form.clock,
        mode=form.mode,
    )


def _wrong(field: str, value: str) -> FieldError:
    said = f"“{value[:60]}” does not fit." if value.strip() else "Nothing is chosen."
    if field == "seed" and value.strip():
        said = f"“{value[:60]}” is no such number."
    elif field == "seed":
        said = "The seed is missing."
    return FieldError(field=field, message=said, remedy=_REMEDIES.get(field, "Mend it."))
