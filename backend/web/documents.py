"""What the pages of missions and sites are given: texts with their versions, and the saving of the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from backend.domain.mission.changes import FieldChange
from backend.domain.mission.site import Region, Station
from backend.domain.mission.survey import Survey
from backend.web.pages.documents import Fact
from backend.web.pages.parts import FieldError


class Kept(Struct, frozen=True, kw_only=True):
    """One version. `version` 0: the file that it was read from. `error`: why it cannot be used, empty where
    it can. `facts`: what it amounts to."""

    name: str
    version: int
    text: str
    author: str = ""
    utc: str = ""
    title: str = ""
    summary: str = ""
    error: str = ""
    facts: tuple[Fact, ...] = ()


class DocumentRefused(Exception):
    """The text cannot be saved: what is wrong with it."""

    def __init__(self, error: FieldError) -> None:
        super().__init__(error.message)
        self.error = error


class WrittenMeanwhile(Exception):
    """Somebody saved another version since the page was shown; `version` counts now."""

    def __init__(self, version: int, author: str) -> None:
        super().__init__(f"version {version} by {author}")
        self.version = version
        self.author = author


class Documents(Protocol):
    """Of one kind. Names that are not there raise NotThere."""

    def newest(self) -> Sequence[Kept]:
        """Each as it counts now."""

    def kept(self, name: str, version: int | None = None) -> Kept:
        """That version, or the one that counts."""

    def versions(self, name: str) -> Sequence[Kept]:
        """The newest first, without facts; last the file, where there is one."""

    def changes(self, was: Kept, now: Kept) -> tuple[FieldChange, ...] | None:
        """Field by field; None where one of them is no text of fields."""

    def draft(self, like: str) -> str:
        """A text to begin a new one from."""

    def save(self, name: str, text: str, shown_version: int, by: str) -> str:
        """Writes the next version and returns its name, which is read from the text where `name` is empty.
        Raises DocumentRefused and WrittenMeanwhile."""


class Sites(Documents, Protocol):
    """Sites are drawn as well, on a map that they were given."""

    def survey(self, name: str, version: int | None = None) -> Survey | None:
        """What the text amounts to; None where it is wrong."""

    def draw(
        self,
        name: str,
        regions: tuple[Region, ...],
        stations: tuple[Station, ...],
        shown_version: int,
        by: str,
    ) -> str:
        """Writes the next version with these. Raises as `save`."""

    def upload(self, name: str, text: bytes, file: str, picture: bytes, by: str) -> str:
        """map_server's YAML, called `file`, and its picture become the floor of the site, which is begun
        where there is none. Raises DocumentRefused and WrittenMeanwhile."""

    def map_files(self, name: str, version: int | None, image: str) -> tuple[str, bytes]:
        """map_server's YAML, and its picture called `image`. Raises NotThere."""
