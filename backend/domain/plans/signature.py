"""A step against its skill's signature: arguments there, of their types, and naming what exists."""

from __future__ import annotations

import math
from typing import TypeGuard

from msgspec.structs import replace

from backend.domain.execution.checks import is_check
from backend.domain.geometry import Pose
from backend.domain.memory.record import ACTIVE
from backend.domain.plans.catalogue import Argument, ArgumentType, Skill
from backend.domain.plans.ground import Ground
from backend.domain.plans.motion import INNER, MOST_MOTIONS, Motion
from backend.domain.plans.plan import PICTURE_PX, Step, Value, motions
from backend.domain.plans.rules import Flaw, Rule, choose

MAX_PHRASE = 500
"""Characters of a phrase, which is read by a model or a person."""

ENTITY, STATION, PHRASE = ArgumentType.ENTITY, ArgumentType.STATION, ArgumentType.PHRASE
WATCH_ONLY = (ArgumentType.WATCH,)

_DESCRIBED = {
    ArgumentType.ENTITY: "an entity",
    ArgumentType.STATION: "a station",
    ArgumentType.CELL: "a cell of two whole numbers",
    ArgumentType.POSE: "a pose",
    ArgumentType.PIXEL: f"a pixel of two numbers, each from 0 to {PICTURE_PX - 1}",
    ArgumentType.PHRASE: f"a phrase of 1 to {MAX_PHRASE} characters",
    ArgumentType.INTEGER: "a whole number",
    ArgumentType.NUMBER: "a number",
    ArgumentType.CHECK: "a check such as height_m >= 0.05",
    ArgumentType.WATCH: "a watch",
    ArgumentType.MOVES: f"a list of 1 to {MOST_MOTIONS} moves and waits",
}


def signature_flaws(step: Step, skill: Skill, ground: Ground) -> list[Flaw]:
    """What is wrong with the arguments by themselves, in the order the skill declares them."""
    given, known, flaws = step.arguments, 0, []
    for argument in skill.arguments:
        value = given.get(argument.name)
        if value is None:
            if argument.required and argument.types != WATCH_ONLY:
                flaws.append(_missing(argument, skill))
            continue
        known += 1
        if ArgumentType.MOVES in argument.types and (parts := motions(value)):
            flaws += motion_flaws(argument.name, parts, ground)
            continue
        flaw = _value_flaw(value, argument, ground)
        if flaw is not None:
            flaws.append(flaw)
    if known != len(given):
        flaws.extend(_unknown(name, skill) for name in given if skill.argument(name) is None)
    return flaws


def motion_flaws(name: str, parts: tuple[Motion, ...], ground: Ground) -> list[Flaw]:
    """What is wrong with the parts of a sequence: how many, which skill, its arguments, its check."""
    flaws = []
    if len(parts) > MOST_MOTIONS:
        remedy = f"Give at most {MOST_MOTIONS}; leave the rest to the next decision."
        flaws.append(Flaw(name, Rule.SEQUENCE, f"It has {len(parts)} parts.", remedy))
    for index, part in enumerate(parts[:MOST_MOTIONS]):
        at = f"{name}[{index}]"
        skill = ground.catalogue.skill(part.skill) if part.skill in INNER else None
        if skill is None:
            message = f"{part.skill[:60]!r} is no part of a sequence."
            flaws.append(Flaw(f"{at}.skill", Rule.SEQUENCE, message, choose(INNER, "")))
            continue
        found = signature_flaws(Step(part.skill, part.arguments), skill, ground)
        flaws += [replace(flaw, argument=f"{at}.{flaw.argument}") for flaw in found]
        if part.check and not is_check(part.check):
            flaws.append(
                Flaw(
                    f"{at}.check",
                    Rule.SEQUENCE,
                    f"{part.check[:60]!r} is no check.",
                    "Write one such as gripper_opening_m >= 0.02 or height_m <= 0.05, or leave it out.",
                )
            )
    return flaws


def is_exposed(ground: Ground, entity: str) -> bool:
    return ground.exposed is None or entity in ground.exposed or entity == ground.held


def active_entities(ground: Ground) -> list[str]:
    """What a plan may still take: what to choose instead of something else."""
    return [
        record.id
        for record in ground.records.values()
        if record.status in ACTIVE and record.id != ground.held and is_exposed(ground, record.id)
    ]


def _value_flaw(value: Value, argument: Argument, ground: Ground) -> Flaw | None:
    types = argument.types
    if isinstance(value, str):
        if ENTITY in types and value in ground.records:
            return None if is_exposed(ground, value) else _unexposed(value, argument, ground)
        if STATION in types and ground.site.station(value) is not None:
            return None
        if PHRASE in types and 0 < len(value) <= MAX_PHRASE:
            return None if not argument.choices or value in argument.choices else _no_choice(value, argument)
        if ArgumentType.CHECK in types and is_check(value):
            return None
        if ENTITY in types or STATION in types:
            return _dangling(value, argument, ground)
    elif any(_fits(value, kind) for kind in types):
        return _elsewhere(value, argument, ground) if isinstance(value, Pose) else None
    wanted = " or ".join(_DESCRIBED[kind] for kind in types)
    return Flaw(argument.name, Rule.ARGUMENT_TYPE, f"{_shown(value)} does not fit.", f"Give {wanted}.")


def _fits(value: Value, kind: ArgumentType) -> bool:
    """For every value but a text."""
    if kind is ArgumentType.CELL:
        return _is_pair(value) and all(part == math.floor(part) for part in value)
    if kind is ArgumentType.PIXEL:
        return _is_pair(value) and all(0 <= part < PICTURE_PX for part in value)
    if kind is ArgumentType.POSE:
        return isinstance(value, Pose) and all(map(_is_number, (value.x_m, value.y_m, value.yaw_rad)))
    if kind is ArgumentType.INTEGER:
        return isinstance(value, int) and not isinstance(value, bool)
    return kind is ArgumentType.NUMBER and _is_number(value)


def _is_pair(value: object) -> TypeGuard[tuple[float, float]]:
    return isinstance(value, tuple) and len(value) == 2 and all(map(_is_number, value))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _missing(argument: Argument, skill: Skill) -> Flaw:
    wanted = " or ".join(_DESCRIBED[kind] for kind in argument.types)
    return Flaw(argument.name, Rule.ARGUMENT_PRESENCE, f"{skill.name} lacks it.", f"Give {wanted}.")


def _unknown(name: str, skill: Skill) -> Flaw:
    taken = ", ".join(argument.name for argument in skill.arguments) or "none"
    return Flaw(
        name,
        Rule.ARGUMENT_PRESENCE,
        f"{skill.name} takes no such argument.",
        f"Leave it out; {skill.name} takes: {taken}.",
    )


def _dangling(value: str, argument: Argument, ground: Ground) -> Flaw:
    stations = [station.id for station in ground.site.stations]
    if ENTITY not in argument.types:
        return Flaw(
            argument.name,
            Rule.STATION_REFERENCE,
            f"There is no station {value[:60]!r}.",
            choose(stations, "This site has no station."),
        )
    kinds, names = "entity", active_entities(ground)
    if STATION in argument.types:
        kinds, names = "entity or station", names + stations
    return Flaw(
        argument.name,
        Rule.ENTITY_REFERENCE,
        f"There is no {kinds} {value[:60]!r} in memory.",
        choose(names, "Explore until one is found."),
    )


def _unexposed(value: str, argument: Argument, ground: Ground) -> Flaw:
    return Flaw(
        argument.name,
        Rule.ENTITY_REFERENCE,
        f"{value} is not among the records that this plan was made from.",
        choose(active_entities(ground), "Explore, or ask for a new plan."),
    )


def _no_choice(value: str, argument: Argument) -> Flaw:
    return Flaw(
        argument.name,
        Rule.ARGUMENT_TYPE,
        f"{value[:60]!r} is none of its choices.",
        choose(argument.choices, ""),
    )


def _elsewhere(pose: Pose, argument: Argument, ground: Ground) -> Flaw | None:
    frame = ground.site.frame_id
    if pose.frame_id == frame:
        return None
    return Flaw(
        argument.name,
        Rule.ARGUMENT_TYPE,
        f"The pose is given in frame {pose.frame_id[:60]!r}.",
        f"Give it in frame {frame!r}.",
    )


def _shown(value: object) -> str:
    return repr(value)[:60]
