"""The tab of annotations: what people wrote beside the episode, and the form that writes one."""

from __future__ import annotations

from msgspec import Struct

from backend.web.pages.parts import Choice, Empty, FieldError, Link, Notice, Phrase
from backend.web.pages.view import View


class AnnotationForm(Struct, frozen=True, kw_only=True):
    """`id`: of what is edited, empty for a new one. `version`: the one that an edit began from.

    `is_open`: shown at once, without being asked for. `records`: that it may be about; `tags` as typed.
    """

    id: str
    version: int
    seq: str
    records: tuple[Choice, ...]
    suggested: tuple[str, ...]
    until_seq: str = ""
    text: str = ""
    tags: str = ""
    is_open: bool = False
    errors: tuple[FieldError, ...] = ()


class FormerVersion(Struct, frozen=True, kw_only=True):
    """`said`: which, by whom and when."""

    said: str
    text: str


class AnnotationRow(Struct, frozen=True, kw_only=True):
    """`moment` leads to where it begins and `until` to where it ends; `when`: by the wall clock, UTC.

    `edited`: by whom and when, empty where it is as it was written. `is_here`: the cursor stands in it.
    `form`: it is being edited.
    """

    id: str
    version: int
    moment: Link
    author: str
    initials: str
    when: str
    text: Phrase
    until: Link | None = None
    entity: str = ""
    tags: tuple[Link, ...] = ()
    edited: str = ""
    former: tuple[FormerVersion, ...] = ()
    is_here: bool = False
    may_edit: bool = False
    may_remove: bool = False
    form: AnnotationForm | None = None


class AnnotationsPanel(View, frozen=True, kw_only=True):
    """`why_not`: why the viewer can write none; empty where they can. `form`: for a new one.

    `gone`: of annotations that were removed, in words, with their texts.
    """

    template = "episode/_annotations.html"
    variable = "annotations"

    episode: str
    at: int | None
    rows: tuple[AnnotationRow, ...] = ()
    gone: tuple[FormerVersion, ...] = ()
    form: AnnotationForm | None = None
    why_not: str = ""
    notice: Notice | None = None
    empty: Empty | None = None
