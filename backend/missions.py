"""Missions as commented YAML files: one clear error for whatever a file gets wrong, naming file, field and
remedy.

A file holds the fields of `Mission`, with two short forms: `policy: every_plan`, and `memory: {like: NAME,
…}` for a named configuration with some switches set otherwise. docs/how-to/write-a-mission.md explains each
field.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.policy import meant, misnamed_skills
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import LONGEST_INSTRUCTIONS, Mission, World
from backend.domain.mission.survey import Survey, flaw_of
from backend.domain.plans.catalogue import Catalogue
from backend.task_notes import with_task_note
from backend.written import WrittenError, read_fields, read_value

MissionError = WrittenError
"""A mission cannot be had."""

Worlds = Mapping[str, Sequence[str]]
"""World -> its scenarios."""

CatalogueOf = Callable[[World], Catalogue | None]
"""The skills of the robot in a world; None where only its bridge can say."""


def unknown(world: World) -> Catalogue | None:
    return None


class Edited(Struct, frozen=True, kw_only=True):
    """A text as it was edited in the console: version `version` of it."""

    version: int
    text: str


class Edits:
    """The missions that were edited in the console; here none."""

    def names(self) -> Sequence[str]:
        return ()

    def newest(self, name: str) -> Edited | None:
        return None


SurveyOf = Callable[[str], Survey | None]
"""What people know of the site of that name; None where there is none."""


class Written(Struct, frozen=True, kw_only=True):
    """A mission's text, whether it can be read or not. `version` 0: the file `place`."""

    name: str
    text: str
    version: int
    place: str


class MissionFiles:
    """The missions in some folders; of two files of one name that in the earlier folder counts, and before
    either what was edited in the console.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        worlds: Worlds,
        catalogue_of: CatalogueOf = unknown,
        *,
        edits: Edits | None = None,
        survey_of: SurveyOf = lambda name: None,
    ) -> None:
        self._folders = tuple(folders)
        self._worlds = worlds
        self._catalogue_of = catalogue_of
        self._edits = edits or Edits()
        self._survey_of = survey_of

    def names(self) -> list[str]:
        return sorted({*self._files(), *self._edits.names()})

    def all(self) -> list[Mission]:
        """Raises MissionError for the first file that is wrong."""
        return [self.get(name) for name in self.names()]

    def get(self, name: str) -> Mission:
        """Raises MissionError where there is none of that name, or its text is wrong."""
        return self.read(self.written(name))

    def written(self, name: str) -> Written:
        """As it counts now. Raises MissionError where there is none of that name."""
        edited = self._edits.newest(name)
        if edited is not None:
            place = f"{name}, version {edited.version}"
            return Written(name=name, text=edited.text, version=edited.version, place=place)
        return self.filed(name)

    def filed(self, name: str) -> Written:
        """As its file has it, whatever was edited. Raises MissionError where there is none."""
        files = self._files()
        if name not in files:
            known = self.names()
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            guess = f"Did you mean {close[0]}? " if close else ""
            listed = ", ".join(known) or "none"
            raise MissionError(f"Mission {name[:80]!r}", "", "is unknown", f"{guess}Known are: {listed}.")
        text = files[name].read_bytes().decode("utf-8", "surrogateescape")
        return Written(name=name, text=text, version=0, place=files[name].name)

    def read(self, written: Written) -> Mission:
        """Raises MissionError."""
        mission = read_mission(
            written.text.encode("utf-8", "surrogatepass"),
            written.place,
            self._worlds,
            self._catalogue_of,
            self._survey_of,
        )
        if mission.name != written.name:
            raise MissionError(
                written.place, "name", f"is {mission.name!r}", f"Write {written.name!r}, or rename the file."
            )
        return replace(mission, version=written.version)

    def _files(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for folder in self._folders:
            for file in sorted(folder.glob("*.yaml")):
                found.setdefault(file.stem, file)
        return found


def read_mission(
    text: bytes,
    file: str,
    worlds: Worlds,
    catalogue_of: CatalogueOf = unknown,
    survey_of: SurveyOf = lambda name: None,
) -> Mission:
    """The mission in a file's text. `file` is what errors call it. Raises MissionError."""
    written = _long_forms(read_fields(text, file, "a mission"), file, survey_of)
    mission = with_task_note(read_value(written, Mission, file, "a mission"))
    _refuse_impossible(mission, file)
    _refuse_world(mission, file, worlds)
    _refuse_skills(mission, file, catalogue_of(mission.world))
    flaw = flaw_of(mission.site) if mission.site is not None else None
    if flaw is not None:
        raise MissionError(file, f"site.{flaw.field}", flaw.problem, flaw.remedy)
    return mission


def with_memory(mission: Mission, name: str) -> Mission:
    """The mission with the named memory; K, decay, threshold and weights stay the mission's.

    Raises MissionError.
    """
    if name not in NAMED:
        raise MissionError(f"Memory {name[:80]!r}", "", "is unknown", f"Choose one of {', '.join(NAMED)}.")
    return replace(mission, memory=replace(NAMED[name], attention=mission.memory.attention))


def _long_forms(raw: dict[str, Any], file: str, survey_of: SurveyOf) -> dict[str, Any]:
    if isinstance(raw.get("policy"), str):
        raw["policy"] = {"mode": raw["policy"]}
    memory = raw.get("memory")
    if isinstance(memory, str):
        memory = {"like": memory}
    if isinstance(memory, dict):
        raw["memory"] = _memory({str(name): value for name, value in memory.items()}, file)
    if isinstance(raw.get("site"), str):
        raw["site"] = _survey(raw["site"], file, survey_of)
    return raw


def _survey(name: str, file: str, survey_of: SurveyOf) -> Any:
    survey = survey_of(name)
    if survey is None:
        raise MissionError(
            file, "site", f"is {name[:80]!r}, and no such site is kept here", "Write it under Sites, or here."
        )
    return msgspec.to_builtins(survey)


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
