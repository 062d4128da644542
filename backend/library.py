"""Texts with their versions as the console's pages read and write them, and missions among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import Engine

from backend.bridge.worlds import sketch_of
from backend.domain.mission.changes import FieldChange, changes
from backend.domain.mission.mission import Mission
from backend.missions import MissionFiles, Written
from backend.persistence.errors import EditConflict
from backend.persistence.plain import (
    Document,
    DocumentKind,
    all_documents,
    document,
    put_document,
    versions_of,
)
from backend.web.documents import DocumentRefused, Kept, WrittenMeanwhile
from backend.web.errors import NotThere
from backend.web.pages.documents import Fact
from backend.web.pages.parts import FieldError
from backend.written import WrittenError, read_fields

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
NAMED = re.compile(r"^name:[ \t]*(\S+)", re.MULTILINE)


class Shelf:
    """What both kinds share: versions in the database, each readable for good."""

    kind: DocumentKind

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def save(self, name: str, text: str, shown_version: int, by: str) -> str:
        named = _named(text)
        if name and named != name:
            raise refused(f"The name is {named or 'missing'}.", f"Keep name: {name}, or write a new one.")
        self.check(named, text, shown_version + 1)
        try:
            put_document(self.engine, self.kind, named, text, by, shown_version=shown_version)
        except EditConflict as error:
            newest = document(self.engine, self.kind, named)
            if newest is None:
                raise refused(str(error), error.remedy) from error
            raise WrittenMeanwhile(newest.version, newest.author) from error
        return named

    def check_name(self, name: str) -> None:
        if not _NAME.fullmatch(name) or name == "new":
            raise refused(
                f"The name “{name[:60]}” will not do.",
                "Write small letters, digits, - and _, at most 63, and another word than new.",
            )

    def check(self, name: str, text: str, version: int) -> None:
        self.check_name(name)
        try:
            self.read(name, text, version)
        except WrittenError as error:
            place = f"{error.field} " if error.field else ""
            raise refused(f"{place}{error.problem}.", error.remedy) from error

    def read(self, name: str, text: str, version: int) -> object:
        """Raises WrittenError."""
        raise NotImplementedError

    def changes(self, was: Kept, now: Kept) -> tuple[FieldChange, ...] | None:
        try:
            before, after = (read_fields(each.text.encode(), each.name, "a text") for each in (was, now))
        except WrittenError:
            return None
        return changes(before, after)

    def stored(self, name: str, version: int | None) -> Document | None:
        return document(self.engine, self.kind, name, version)


class MissionShelf(Shelf):
    """`files`: the missions as they are run, edits before files."""

    kind: DocumentKind = "mission"

    def __init__(self, engine: Engine, files: MissionFiles) -> None:
        super().__init__(engine)
        self._files = files

    def newest(self) -> Sequence[Kept]:
        edited = {each.name: each for each in all_documents(self.engine, "mission")}
        return [self._told(self._files.written(name), edited.get(name)) for name in self._files.names()]

    def kept(self, name: str, version: int | None = None) -> Kept:
        stored = self.stored(name, version) if version != 0 else None
        if stored is not None:
            place = f"{name}, version {stored.version}"
            return self._told(
                Written(name=name, text=stored.body, version=stored.version, place=place), stored
            )
        if version not in (None, 0):
            raise NotThere(f"Mission {name} has no version {version}", remedy="Its page lists those it has.")
        return self._told(self._filed(name), None)

    def versions(self, name: str) -> Sequence[Kept]:
        stored = [plainly(each) for each in versions_of(self.engine, "mission", name)]
        try:
            filed = [Kept(name=name, version=0, text=self._files.filed(name).text)]
        except WrittenError:
            filed = []
        return [*stored, *filed]

    def draft(self, like: str) -> str:
        text = self.kept(like or self._files.names()[0]).text
        return NAMED.sub(lambda found: found[0].replace(found[1], f"{found[1]}-2"), text, count=1)

    def read(self, name: str, text: str, version: int) -> object:
        return self._files.read(Written(name=name, text=text, version=version, place="the text"))

    def _filed(self, name: str) -> Written:
        try:
            return self._files.filed(name)
        except WrittenError as error:
            raise NotThere(f"There is no mission {name}", remedy="The list names those there are.") from error

    def _told(self, written: Written, stored: Document | None) -> Kept:
        author, utc = (stored.author, stored.utc) if stored is not None else ("", "")
        kept = Kept(name=written.name, version=written.version, text=written.text, author=author, utc=utc)
        try:
            mission = self._files.read(written)
        except WrittenError as error:
            return replace(kept, error=str(error))
        return replace(kept, title=mission.title, summary=summary_of(mission), facts=mission_facts(mission))


def summary_of(mission: Mission) -> str:
    """One line that tells it apart; the goal is much the same in all."""
    world = mission.world
    clock = (
        f"Runs on while you decide, a tick each {world.tick_s:g} s."
        if world.clock == "runs"
        else "Waits while you decide."
    )
    asked = f"Asks: {mission.policy.mode.replace('_', ' ')}."
    return f"{sketch_of(world) or mission.goal} {clock} {asked}"


def mission_facts(mission: Mission) -> tuple[Fact, ...]:
    """What a mission amounts to, each with what it means."""
    world, memory, budgets = mission.world, mission.memory, mission.budgets
    clock = f"runs, a tick each {world.tick_s:g} s" if world.clock == "runs" else "waits while you decide"
    site = (
        f"{mission.site.name}, version {mission.site.version}" if mission.site is not None else "as declared"
    )
    switches = ", ".join(
        f"{name} {getattr(memory, name)}" for name in ("entities", "log", "notes", "frames", "demonstration")
    )
    bounds = {"steps": budgets.steps, "calls": budgets.decisions, "tokens": budgets.tokens}
    bounded = ", ".join(f"{value:,} {name}" for name, value in bounds.items() if value is not None)
    return (
        Fact(label="Goal", value=mission.goal, meaning="What the planner is told to do"),
        Fact(label="Done when", value=mission.completion, meaning="What the planner is told to reach"),
        Fact(label="World", value=f"{world.name} {world.scenario}", meaning=sketch_of(world)),
        Fact(label="Clock", value=clock, meaning="Whether the world goes on while planner or people decide"),
        Fact(label="Site", value=site, meaning="What people know of the place besides the robot’s map"),
        Fact(label="Memory", value=memory.name, meaning=switches),
        Fact(
            label="Who is asked",
            value=mission.policy.mode.replace("_", " "),
            meaning="Before what a person approves",
        ),
        Fact(label="Budgets", value=bounded or "none", meaning="The episode ends when one is used up"),
    )


def plainly(stored: Document) -> Kept:
    return Kept(
        name=stored.name, version=stored.version, text=stored.body, author=stored.author, utc=stored.utc
    )


def _named(text: str) -> str:
    found = NAMED.search(text)
    return found[1].strip("\"'") if found else ""


def refused(message: str, remedy: str) -> DocumentRefused:
    return DocumentRefused(FieldError(field="text", message=message, remedy=remedy))
