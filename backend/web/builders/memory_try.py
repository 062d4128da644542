"""Attention's settings as a person types them, and what they would change."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.episode.grounding import task_place
from backend.domain.episode.state import State
from backend.domain.memory.configuration import AttentionSettings, Weights
from backend.domain.memory.what_if import Compared, what_if
from backend.web.builders.memory_asked import TRYING, Asked
from backend.web.pages.memory import TriedField, TriedSettings
from backend.web.pages.parts import FieldError, Phrase, entity, plain, strong

_LABELS = {
    "k": ("K", ""),
    "decay_s": ("Decay", "s"),
    "threshold": ("Threshold", ""),
    "w_initial": ("Map", "×"),
    "w_onboard": ("Onboard", "×"),
    "w_operator": ("Operator", "×"),
    "w_aerial": ("Drone", "×"),
}
_BOUNDS = {"k": (1.0, 1000.0), "decay_s": (0.1, 100_000.0), "threshold": (0.0, 1.0)}
NAMED = 6


class Tried(Struct, frozen=True, kw_only=True):
    """`compared` None: nothing was tried, or it is not possible."""

    compared: Compared | None = None
    settings: AttentionSettings | None = None
    errors: tuple[FieldError, ...] = ()


UNTRIED = Tried()


def tried_of(state: State, asked: Asked) -> Tried:
    if asked.view != "try" or state.mission.memory.entities != "attention":
        return UNTRIED
    usual = written(state.mission.memory.attention)
    typed = {name: asked.query.get(name, usual[name]) for name in TRYING}
    errors = tuple(error for name in TRYING if (error := _wrong(name, typed[name])) is not None)
    if errors or typed == usual:
        return Tried(errors=errors)
    settings = _settings(state.mission.memory.attention, typed)
    compared = what_if(
        state.memory, state.mission.memory, settings, state.site.metric, task_place(state), state.met_s
    )
    return Tried(compared=compared, settings=settings)


def tried_settings(state: State, asked: Asked, tried: Tried) -> TriedSettings | None:
    if asked.view != "try":
        return None
    usual = written(state.mission.memory.attention)
    can = state.mission.memory.entities == "attention"
    hidden = {name: value for name, value in asked.looking().items() if name not in TRYING}
    return TriedSettings(
        fields=tuple(
            TriedField(
                field=name,
                label=_LABELS[name][0],
                value=asked.query.get(name, usual[name]),
                usual=usual[name],
                unit=_LABELS[name][1],
                is_other=asked.query.get(name, usual[name]) != usual[name],
            )
            for name in TRYING
        ),
        kept=hidden,
        back=hidden,
        told=_told(tried.compared) if tried.compared is not None else (),
        errors=tried.errors,
        why_not="" if can else f"Memory {state.mission.memory.entities} draws no line by score.",
    )


def written(settings: AttentionSettings) -> dict[str, str]:
    weights = settings.weights
    return {
        "k": str(settings.k),
        "decay_s": f"{settings.decay_s:g}",
        "threshold": f"{settings.threshold:g}",
        "w_initial": f"{weights.initial:g}",
        "w_onboard": f"{weights.onboard:g}",
        "w_operator": f"{weights.operator:g}",
        "w_aerial": f"{weights.aerial:g}",
    }


def _settings(usual: AttentionSettings, typed: dict[str, str]) -> AttentionSettings:
    weights = Weights(
        initial=float(typed["w_initial"]),
        onboard=float(typed["w_onboard"]),
        operator=float(typed["w_operator"]),
        aerial=float(typed["w_aerial"]),
        truth=usual.weights.truth,
    )
    return replace(
        usual,
        k=int(typed["k"]),
        decay_s=float(typed["decay_s"]),
        threshold=float(typed["threshold"]),
        weights=weights,
    )


def _wrong(name: str, typed: str) -> FieldError | None:
    least, most = _BOUNDS.get(name, (0.0, 10.0))
    whole = " whole" if name == "k" else ""
    try:
        value = int(typed) if name == "k" else float(typed)
    except ValueError:
        value = math.nan
    if least <= value <= most:
        return None
    return FieldError(
        field=name,
        message=f"{_LABELS[name][0]} cannot be “{typed[:40]}”.",
        remedy=f"Write a{whole} number from {least:g} to {most:g}.",
    )


def _told(compared: Compared) -> Phrase:
    if not compared.enters and not compared.leaves:
        return (strong("The same records would be sent"), plain(", in the order below."))
    parts: list[Phrase] = []
    for label, names in (("Would enter: ", compared.enters), ("Would leave: ", compared.leaves)):
        if names:
            parts.append((strong(label), *_listed(names), plain(". ")))
    return tuple(span for part in parts for span in part)


def _listed(names: tuple[str, ...]) -> Phrase:
    spans: list[Phrase] = [
        (*((plain(", "),) if index else ()), entity(name)) for index, name in enumerate(names[:NAMED])
    ]
    more = (plain(f" and {len(names) - NAMED} more"),) if len(names) > NAMED else ()
    return (*(span for part in spans for span in part), *more)
