"""Missions as commented YAML files: one clear error for whatever a file gets wrong, naming file, field and
remedy.

A file holds the fields of `Mission`, with two short forms: `policy: every_plan`, and `memory: {like: NAME,
…}` for a named configuration with some switches set otherwise. docs/how-to/write-a-mission.md explains each
field.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec.inspect import (
    BoolType,
    FloatType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)
from msgspec.structs import replace

from backend.domain.command.policy import meant, misnamed_skills
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import LONGEST_INSTRUCTIONS, Mission, World
from backend.domain.plans.catalogue import Catalogue

LARGEST_BYTES = 100_000
LONGEST_PROBLEM = 300


class MissionError(Exception):
    """A mission cannot be had. `file` and `field` say where, `remedy` what would be right."""

    def __init__(self, file: str, field: str, problem: str, remedy: str) -> None:
        if len(problem) > LONGEST_PROBLEM:
            problem = f"{problem[:LONGEST_PROBLEM]}…"
        place = f"{file}: {field}" if field else file
        super().__init__(f"{place} {problem}. {remedy}")
        self.file = file
        self.field = field
        self.problem = problem
        self.remedy = remedy


Worlds = Mapping[str, Sequence[str]]
"""World -> its scenarios."""

CatalogueOf = Callable[[World], Catalogue | None]
"""The skills of the robot in a world; None where only its bridge can say."""


def unknown(world: World) -> Catalogue | None:
    return None


class MissionFiles:
    """The missions in some folders; of two files of one name that in the earlier folder counts."""

    def __init__(self, folders: Iterable[Path], worlds: Worlds, catalogue_of: CatalogueOf = unknown) -> None:
        self._folders = tuple(folders)
        self._worlds = worlds
        self._catalogue_of = catalogue_of

    def names(self) -> list[str]:
        return sorted(self._files())

    def all(self) -> list[Mission]:
        """Raises MissionError for the first file that is wrong."""
        return [self.get(name) for name in self.names()]

    def get(self, name: str) -> Mission:
        """Raises MissionError where there is none of that name, or its file is wrong."""
        files = self._files()
        if name not in files:
            close = difflib.get_close_matches(name, files, n=1, cutoff=0.5)
            guess = f"Did you mean {close[0]}? " if close else ""
            listed = ", ".join(sorted(files)) or "none"
            raise MissionError(f"Mission {name[:80]!r}", "", "is unknown", f"{guess}Known are: {listed}.")
        mission = read_mission(files[name].read_bytes(), files[name].name, self._worlds, self._catalogue_of)
        if mission.name != name:
            raise MissionError(
                files[name].name, "name", f"is {mission.name!r}", f"Write {name!r}, or rename the file."
            )
        return mission

    def _files(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for folder in self._folders:
            for file in sorted(folder.glob("*.yaml")):
                found.setdefault(file.stem, file)
        return found


def read_mission(text: bytes, file: str, worlds: Worlds, catalogue_of: CatalogueOf = unknown) -> Mission:
    """The mission in a file's text. `file` is what errors call it. Raises MissionError."""
    if len(text) > LARGEST_BYTES:
        raise MissionError(file, "", f"has {len(text)} bytes", f"A mission takes at most {LARGEST_BYTES}.")
    try:
        raw = yaml.safe_load(text.decode())
    except RecursionError:
        raise MissionError(file, "", "is nested too deeply", "A mission needs five levels.") from None
    except (yaml.YAMLError, ValueError) as error:  # a date or number that is none is a ValueError
        raise MissionError(file, "", f"is no YAML: {_where(error)}", "Mend it there.") from None
    if not isinstance(raw, dict):
        raise MissionError(file, "", "holds no fields", "Write them as `name: value`, a line each.")
    written = _long_forms({str(name): value for name, value in raw.items()}, file)
    _refuse_unknown(written, Mission, "", file)
    try:
        mission = msgspec.convert(written, Mission)
    except msgspec.ValidationError as error:
        raise _of_wrong_type(str(error), file) from None
    except UnicodeEncodeError:
        raise MissionError(file, "", "holds half a character", "Write whole Unicode characters.") from None
    _refuse_unwritable(msgspec.to_builtins(mission), "", file)
    _refuse_impossible(mission, file)
    _refuse_world(mission, file, worlds)
    _refuse_skills(mission, file, catalogue_of(mission.world))
    return mission


def with_memory(mission: Mission, name: str) -> Mission:
    """The mission with the named memory; K, decay, threshold and weights stay the mission's.

    Raises MissionError.
    """
    if name not in NAMED:
        raise MissionError(f"Memory {name[:80]!r}", "", "is unknown", f"Choose one of {', '.join(NAMED)}.")
    return replace(mission, memory=replace(NAMED[name], attention=mission.memory.attention))


def _long_forms(raw: dict[str, Any], file: str) -> dict[str, Any]:
    if isinstance(raw.get("policy"), str):
        raw["policy"] = {"mode": raw["policy"]}
    memory = raw.get("memory")
    if isinstance(memory, str):
        memory = {"like": memory}
    if isinstance(memory, dict):
        raw["memory"] = _memory({str(name): value for name, value in memory.items()}, file)
    return raw


def _memory(written: Mapping[str, Any], file: str) -> dict[str, Any]:
    like = written.get("like", "attention")
    if not isinstance(like, str) or like not in NAMED:
        raise MissionError(file, "memory.like", f"is {like!r}", f"Choose one of {', '.join(NAMED)}.")
    base, others = NAMED[like], {name: value for name, value in written.items() if name != "like"}
    switches = [f"{name} {value}" for name, value in others.items() if getattr(base, name, None) != value]
    label = like if not switches else f"{like}, {', '.join(each for each in switches if len(each) < 30)}"
    attention = others.pop("attention", {})
    values: dict[str, Any] = {**msgspec.to_builtins(base), "name": label.rstrip(", "), **others}
    if not isinstance(attention, dict):
        values["attention"] = attention
        return values
    weights = attention.get("weights", {})
    values["attention"] = {**values["attention"], **attention}
    if isinstance(weights, dict):
        values["attention"]["weights"] = {**msgspec.to_builtins(base.attention.weights), **weights}
    return values


def _refuse_unknown(value: Any, struct: type, path: str, file: str) -> None:
    """msgspec lets unknown fields pass; in a file they are misspellings."""
    info = type_info(struct)
    if not isinstance(info, StructType) or not isinstance(value, dict):
        return
    known = {field.encode_name: field.type for field in info.fields}
    for name, inner in value.items():
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1)
            guess = f"Did you mean {close[0]}? " if close else ""
            raise MissionError(
                file, f"{path}{name}", "is no field of a mission", f"{guess}Known: {', '.join(known)}."
            )
        for part in _parts(known[name]):
            if isinstance(part, StructType):
                _refuse_unknown(inner, part.cls, f"{path}{name}.", file)


def _of_wrong_type(told: str, file: str) -> MissionError:
    """msgspec says `Expected `float`, got `str` - at `$.world.tick_s``; an operator is told what to write
    there.
    """
    problem, _, path = told.partition(" - at ")
    field = path.strip("`").removeprefix("$").lstrip(".")
    if problem.startswith("Object missing"):
        missing = problem.split("`")[1]
        return MissionError(file, f"{field}.{missing}".lstrip("."), "is missing", "Add it.")
    return MissionError(file, field, f"is wrong: {problem[0].lower()}{problem[1:]}", _wanted(field))


def _wanted(field: str) -> str:
    of: Any = type_info(Mission)
    for name in field.partition("[")[0].split("."):
        structs = [part for part in _parts(of) if isinstance(part, StructType)]
        fields = {each.encode_name: each.type for struct in structs for each in struct.fields}
        of = fields.get(name, of)
    for part in _parts(of):
        if isinstance(part, LiteralType):
            return f"Choose one of {', '.join(str(value) for value in part.values)}."
    words = [WORDS[type(part)] for part in _parts(of) if type(part) in WORDS]
    return f"Write {' or '.join(words) or 'fields'}."


def _refuse_unwritable(value: Any, path: str, file: str) -> None:
    """No journal or page takes these."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _refuse_unwritable(inner, f"{path}.{name}".lstrip("."), file)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            _refuse_unwritable(inner, f"{path}[{index}]", file)
    elif isinstance(value, str) and UNWRITABLE.search(value):
        raise MissionError(file, path, "holds NUL or half a character", "Write whole Unicode characters.")


UNWRITABLE = re.compile("[\x00\ud800-\udfff]")

WORDS = {
    IntType: "a whole number",
    FloatType: "a number",
    StrType: "a text",
    BoolType: "true or false",
    NoneType: "null",
    VarTupleType: "a list",
}


def _parts(of: Type) -> tuple[Type, ...]:
    return of.types if isinstance(of, UnionType) else (of,)


SHORTEST_TICK_S, LONGEST_TICK_S = 0.01, 3_600.0
"""What a bridge takes."""

BOUNDS: tuple[tuple[str, Callable[[Mission], Any], float, float], ...] = (
    ("world.tick_s", lambda m: m.world.tick_s, SHORTEST_TICK_S, LONGEST_TICK_S),
    ("total", lambda m: m.total, 0, 100_000),
    ("memory.attention.k", lambda m: m.memory.attention.k, 1, 10_000),
    ("memory.attention.decay_s", lambda m: m.memory.attention.decay_s, 0.001, 1_000_000_000),
    ("memory.attention.threshold", lambda m: m.memory.attention.threshold, 0, 1),
    ("memory.attention.weights.initial", lambda m: m.memory.attention.weights.initial, 0, 1_000),
    ("memory.attention.weights.onboard", lambda m: m.memory.attention.weights.onboard, 0, 1_000),
    ("memory.attention.weights.operator", lambda m: m.memory.attention.weights.operator, 0, 1_000),
    ("memory.attention.weights.aerial", lambda m: m.memory.attention.weights.aerial, 0, 1_000),
    ("memory.attention.weights.truth", lambda m: m.memory.attention.weights.truth, 0, 1_000),
    ("policy.risk.confidence_below", lambda m: m.policy.risk.confidence_below, 0, 1),
    ("policy.risk.belief_older_s", lambda m: m.policy.risk.belief_older_s, 0, 1_000_000_000),
    ("policy.risk.distance_above_m", lambda m: m.policy.risk.distance_above_m, 0, 1_000_000_000),
    ("budgets.steps", lambda m: m.budgets.steps, 1, 1_000_000_000),
    ("budgets.decisions", lambda m: m.budgets.decisions, 1, 1_000_000_000),
    ("budgets.tokens", lambda m: m.budgets.tokens, 1, 1_000_000_000_000),
    ("budgets.money_usd", lambda m: m.budgets.money_usd, 0, 1_000_000_000),
    ("approval_expires_s", lambda m: m.approval_expires_s, 1, 1_000_000_000),
)


def _refuse_impossible(mission: Mission, file: str) -> None:
    for field, read, least, most in BOUNDS:
        value = read(mission)
        if value is not None and not least <= value <= most:
            raise MissionError(file, field, f"is {value:,}", f"Give {least:,} to {most:,}.")
    length = len(mission.instructions)
    if length > LONGEST_INSTRUCTIONS:
        remedy = f"Write at most {LONGEST_INSTRUCTIONS:,}."
        raise MissionError(file, "instructions", f"has {length:,} characters", remedy)


def _refuse_world(mission: Mission, file: str, worlds: Worlds) -> None:
    world = mission.world
    if world.name not in worlds:
        raise MissionError(
            file, "world.name", f"is {world.name!r}", f"Known worlds are: {', '.join(worlds)}."
        )
    scenarios = worlds[world.name]
    if world.scenario not in scenarios:
        raise MissionError(
            file,
            "world.scenario",
            f"is {world.scenario!r}",
            f"World {world.name} has: {', '.join(scenarios)}.",
        )


def _refuse_skills(mission: Mission, file: str, catalogue: Catalogue | None) -> None:
    """A rule about a skill that the robot does not have would never ask."""
    wrong = misnamed_skills(mission.policy.risk, catalogue) if catalogue is not None else ()
    if catalogue is not None and wrong:
        problem = f"names {wrong[0][:80]!r}, no skill of this robot"
        raise MissionError(file, "policy.risk.skills", problem, meant(wrong[0], catalogue))


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"line {mark.line + 1}: {problem}" if mark is not None else str(problem)
