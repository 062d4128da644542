"""Missions and sites as they were edited in the console: the newest version of each counts, before any file.

A database that has no such table yet holds no edit: who lists missions need not upgrade it first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Engine

from backend.domain.mission.floor import Floor
from backend.domain.mission.survey import Survey
from backend.floors import FloorOf, read
from backend.missions import Edited, Edits
from backend.persistence.errors import DatabaseOutdated
from backend.persistence.plain import all_documents, document
from backend.surveys import read_survey


class DatabaseEdits(Edits):
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def names(self) -> Sequence[str]:
        try:
            return [each.name for each in all_documents(self._engine, "mission")]
        except DatabaseOutdated:
            return ()

    def newest(self, name: str) -> Edited | None:
        try:
            found = document(self._engine, "mission", name)
        except DatabaseOutdated:
            return None
        return None if found is None else Edited(version=found.version, text=found.body)


def survey_of(engine: Engine) -> Callable[[str], Survey | None]:
    """By name, the newest version. It raises WrittenError for one that is wrong."""

    def find(name: str) -> Survey | None:
        try:
            found = document(engine, "site", name)
        except DatabaseOutdated:
            return None
        return None if found is None else read_survey(found.body, name, found.version, floor_of(engine))

    return find


def floor_of(engine: Engine) -> FloorOf:
    """By its id, as a site's text has it. A floor never changes: its id is its content's."""

    def find(floor_id: str) -> Floor | None:
        try:
            found = document(engine, "floor", floor_id)
        except DatabaseOutdated:
            return None
        return None if found is None else read(found.body)

    return find
