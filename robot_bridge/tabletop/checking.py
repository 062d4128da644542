"""Whether a step can ever be right here: its skill, its arguments and their types, its pixels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from robot_bridge import contract
from robot_bridge.tabletop.catalogue import (
    CAMERAS,
    CATALOGUES,
    EPISODE_STEPS,
    MOST_CHUNKS,
    PHRASES,
    VOCABULARY,
    WATCHED_PX,
    Executor,
)
from robot_bridge.world import Refusal, Step

PARTS = ("move", "wait")
"""What a sequence may be made of."""
FARTHEST_M = 10.0
MOST = 1e12

Problem = tuple[str, str]
"""What is wrong with a value, and the remedy."""


def refuse(step: Step, executor: Executor) -> Refusal | None:
    skills = {skill["name"]: skill for skill in CATALOGUES[executor]["skills"]}
    if step.skill not in skills:
        remedy = f"Choose one of {', '.join(skills)}."
        return Refusal("unknown_skill", "step.skill", f"is {step.skill:.80}", remedy)
    refusal = _arguments(skills[step.skill], step.arguments, "step.arguments")
    return refusal or _unknown_camera(step)


def _arguments(skill: Mapping[str, Any], given: Mapping[str, Any], field: str) -> Refusal | None:
    takes = {argument["name"]: argument for argument in skill["arguments"]}
    missing = [name for name, each in takes.items() if each["required"] and given.get(name) is None]
    unknown = [name for name in given if name not in takes]
    if missing or unknown:
        told = f"lack {missing[0]}" if missing else f"hold {unknown[0]:.80}"
        remedy = f"{skill['name']} takes {', '.join(takes)}."
        return Refusal("wrong_arguments", field, told, remedy)
    for name, value in given.items():
        if value is None and not takes[name]["required"]:
            continue
        refusal = _value(skill["name"], takes[name], value, f"{field}.{name}")
        if refusal is not None:
            return refusal
    return None


def _value(skill: str, argument: Mapping[str, Any], value: Any, field: str) -> Refusal | None:
    kind = argument["types"][0]
    if kind == "moves":
        return _moves(value, field)
    problem = _COUNTS[argument["name"]](value) if argument["name"] in _COUNTS else _KINDS[kind](value)
    if problem is None and argument["choices"] and value not in argument["choices"]:
        problem = f"is {value!s:.80}", f"Choose one of {', '.join(argument['choices'])}."
    if problem is None and (skill, argument["name"]) == ("delegate", "phrase"):
        problem = _phrase(value)
    return None if problem is None else Refusal(f"wrong_{kind}", field, *problem)


def _moves(value: Any, field: str) -> Refusal | None:
    """Each part by itself is checked as the step that it would be."""
    try:
        contract.moves(value, field)
    except contract.ContractError as error:
        return Refusal("wrong_moves", error.field, error.problem, error.remedy)
    skills = {skill["name"]: skill for skill in CATALOGUES["direct"]["skills"]}
    for index, part in enumerate(value):
        inner = f"{field}[{index}]"
        if part["skill"] not in PARTS:
            problem, remedy = f"is {part['skill']:.80}", f"A sequence takes {' and '.join(PARTS)}."
            return Refusal("wrong_moves", f"{inner}.skill", problem, remedy)
        refusal = _arguments(skills[part["skill"]], part["arguments"], f"{inner}.arguments")
        if refusal is not None:
            return refusal
    return None


def _unknown_camera(step: Step) -> Refusal | None:
    unknown = [camera for camera in step.cameras if camera not in CAMERAS]
    if not unknown:
        return None
    remedy = f"This world has {', '.join(CAMERAS)}."
    return Refusal("unknown_camera", "step.cameras", f"name {unknown[0]:.80}", remedy)


def _is_number(value: Any) -> bool:
    """Finite, and no integer of more digits than can be compared."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -MOST < value < MOST


def _number(value: Any) -> Problem | None:
    if _is_number(value) and abs(value) <= FARTHEST_M:
        return None
    return f"is {value!s:.80}", f"Send a number of metres or radians, at most {FARTHEST_M:g} either way."


def _whole(least: int, most: int) -> Callable[[Any], Problem | None]:
    def check(value: Any) -> Problem | None:
        is_whole = _is_number(value) and value == int(value)
        if is_whole and least <= value <= most:
            return None
        return f"is {value!s:.80}", f"Send a whole number from {least} to {most}."

    return check


def _pixel(value: Any) -> Problem | None:
    is_pair = isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))
    if not is_pair:
        return f"is {value!s:.80}", "Send [column, row]."
    if not all(0 <= each <= WATCHED_PX - 1 for each in value):
        return f"is {list(value)}, off the image", f"Each lies from 0 to {WATCHED_PX - 1}."
    return None


def _text(value: Any) -> Problem | None:
    return None if isinstance(value, str) else (f"is {value!s:.80}", "Send a text.")


def _phrase(value: str) -> Problem | None:
    if any(pattern.fullmatch(value) for pattern in PHRASES.values()):
        return None
    return f"is {value!r:.80}, not in the executor's vocabulary", f"Say one of: {VOCABULARY}."


_KINDS: Mapping[str, Callable[[Any], Problem | None]] = {
    "number": _number,
    "integer": _whole(0, EPISODE_STEPS),
    "pixel": _pixel,
    "phrase": _text,
}
_COUNTS: Mapping[str, Callable[[Any], Problem | None]] = {
    "steps": _whole(1, EPISODE_STEPS),
    "chunks": _whole(1, MOST_CHUNKS),
}
