"""The skill catalogue: what a bridge says its robot can be asked to do, with typed arguments."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class ArgumentType(StrEnum):
    """What an argument may be. A skill's argument lists the types it takes."""

    ENTITY = "entity"
    STATION = "station"
    CELL = "cell"
    POSE = "pose"
    PIXEL = "pixel"
    PHRASE = "phrase"
    INTEGER = "integer"
    NUMBER = "number"
    CHECK = "check"
    WATCH = "watch"
    MOVES = "moves"


class Argument(Struct, frozen=True, kw_only=True):
    name: str
    types: tuple[ArgumentType, ...]
    required: bool = True
    description: str = ""
    choices: tuple[str, ...] = ()


class Skill(Struct, frozen=True, kw_only=True):
    name: str
    description: str
    arguments: tuple[Argument, ...] = ()
    may_watch: bool = False

    def argument(self, name: str) -> Argument | None:
        return next((argument for argument in self.arguments if argument.name == name), None)


class Catalogue(Struct, frozen=True, kw_only=True):
    skills: tuple[Skill, ...]
    cameras: tuple[str, ...] = ()

    @property
    def is_of_a_table(self) -> bool:
        """Its planner looks and acts by turns: one step a plan, and the views shown with every question."""
        return self.skill("locate") is not None

    def skill(self, name: str) -> Skill | None:
        for skill in self.skills:
            if skill.name == name:
                return skill
        return None
