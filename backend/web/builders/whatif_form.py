"""The form of a what-if: what can be otherwise, with what it was, and with what was typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from backend.domain.memory.configuration import NAMED
from backend.domain.memory.record import Status
from backend.sandbox.change import MOST_CALLS
from backend.sandbox.looking import Look
from backend.web.builders.memory_try import written
from backend.web.builders.whatif_read import NUMBERS, typed_of
from backend.web.pages.parts import Choice, FieldError
from backend.web.pages.whatif import NumberField, WhatIfForm

AS_IT_WAS = "As it was"
DEEDS = {
    "": "No record edited",
    "move": "Is elsewhere",
    "reclass": "Is of another class",
    "set_status": "Is of another status",
    "remove": "Is not there",
}
STATUSES = (Status.OBSERVED, Status.RECONSIDER, Status.LOST)


def whatif_form(
    look: Look, at: int, typed: Mapping[str, str], planners: Sequence[Choice], errors: tuple[FieldError, ...]
) -> WhatIfForm:
    """`look`: of the moment `at`, whatever is changed; `planners`: those that can be asked here."""
    typed = typed_of(typed)
    usual = written(look.state.mission.memory.attention)
    records = [record.id for record in look.state.memory.ordered() if record.supported]
    refused = look.refusal
    shown = errors or (() if refused is None or refused.code not in _BESIDE else (_error(look),))
    memories = {"": f"{AS_IT_WAS}: {look.state.mission.memory.name}", **_memories(look)}
    moment = f"At event {min(at, look.head)}, as things stood then"
    return WhatIfForm(
        when=_choices({"": f"When call {look.decision} was asked", "on": moment}, typed, "here"),
        numbers=tuple(
            NumberField(field=name, label=label, value=typed.get(name, ""), usual=usual[name], unit=unit)
            for name, (label, unit, _, _) in NUMBERS.items()
        ),
        memories=_choices(memories, typed, "memory"),
        planners=_planners(look, typed, planners),
        model=typed.get("model", ""),
        model_usual="as the settings say",
        prompt=typed.get("prompt", ""),
        instructions=typed.get("instructions", ""),
        instructions_usual=look.state.instructions or "none",
        deeds=_choices(DEEDS, typed, "do"),
        entities=_choices({"": "Choose a record", **{name: name for name in records}}, typed, "entity"),
        x_m=typed.get("x_m", ""),
        y_m=typed.get("y_m", ""),
        cls=typed.get("cls", ""),
        statuses=_choices({status.value: status.value for status in STATUSES}, typed, "status"),
        calls=typed.get("calls", "1"),
        calls_most=min(MOST_CALLS, len(look.calls) + look.beyond),
        run_on=bool(typed.get("run_on")),
        not_on="" if look.not_on is None else str(look.not_on),
        errors=shown,
    )


_BESIDE = ("planner", "model", "prompt", "memory", "run_on")
"""Refusals that are of a field, and stand beside it."""


def _error(look: Look) -> FieldError:
    assert look.refusal is not None
    refusal = look.refusal
    return FieldError(field=refusal.code, message=refusal.message, remedy=refusal.remedy)


def _memories(look: Look) -> dict[str, str]:
    told = look.state.mission.memory.entities == "oracle"
    return {name: name.replace("_", " ") for name, of in NAMED.items() if told or of.entities != "oracle"}


def _planners(look: Look, typed: Mapping[str, str], planners: Sequence[Choice]) -> tuple[Choice, ...]:
    chosen = typed.get("planner", "")
    usual = Choice(value="", label=f"{AS_IT_WAS}: {look.state.planner}", chosen=not chosen)
    others = [
        replace(each, chosen=each.value == chosen)
        for each in planners
        if each.value not in ("operator", look.state.planner)
    ]
    return (usual, *others)


def _choices(named: Mapping[str, str], typed: Mapping[str, str], field: str) -> tuple[Choice, ...]:
    chosen = typed.get(field, "")
    known = chosen in named
    return tuple(
        Choice(value=value, label=label, chosen=value == chosen if known else not index)
        for index, (value, label) in enumerate(named.items())
    )
