"""What the pages and the API are given to read and write annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from backend.domain.annotations.annotation import Annotation, Draft
from backend.domain.refusal import Refusal
from backend.web.errors import Forbidden, Malformed, NotThere, TooLate, WebError


class Annotations(Protocol):
    """What may not be is a Refusal whose code is the field it is about; an unknown episode raises."""

    def of(self, episode: str) -> Sequence[Annotation]:
        """As they are now, by the event at which they begin."""

    def versions(self, episode: str) -> Mapping[str, Sequence[Annotation]]:
        """By annotation, every version, the newest first; of those removed too."""

    def add(self, episode: str, draft: Draft, by: str, role: str) -> Annotation | Refusal: ...

    def edit(
        self, episode: str, id: str, draft: Draft, by: str, role: str, *, shown_version: int
    ) -> Annotation | Refusal: ...

    def remove(
        self, episode: str, id: str, by: str, role: str, *, shown_version: int
    ) -> Annotation | Refusal: ...


def error_of(refusal: Refusal) -> WebError:
    """The refusal as the answer to a request that no form shows again."""
    if refusal.code == "role":
        return Forbidden(refusal.message, remedy=refusal.remedy)
    if refusal.code == "id":
        return NotThere(refusal.message, remedy=refusal.remedy)
    if refusal.code == "version":
        return TooLate(refusal.message, remedy=refusal.remedy)
    return Malformed(refusal.message, remedy=refusal.remedy, field=refusal.code)
