"""The plan editor: rows of typed fields, checked as they are typed, and told against the plan that waits."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Choice, FieldError, Mark, Notice
from backend.web.pages.view import View


class Group(Struct, frozen=True, kw_only=True):
    """Choices under one heading."""

    label: str
    choices: tuple[Choice, ...]


class Part(Struct, frozen=True, kw_only=True):
    """One written value: `name` is the form's, `label` with its unit.
    `choices`: all that it can be, if known."""

    name: str
    id: str
    label: str
    value: str
    mode: Literal["text", "numeric", "decimal"] = "text"
    choices: tuple[Choice, ...] = ()


class Control(Struct, frozen=True, kw_only=True):
    """An argument of a step. `groups`: what it can be chosen from; empty where it is written alone.
    `parts`: what is written for the kind that is chosen."""

    field: str
    name: str
    id: str
    label: str
    help: str = ""
    groups: tuple[Group, ...] = ()
    parts: tuple[Part, ...] = ()
    belief: str = ""
    errors: tuple[FieldError, ...] = ()


class EditorRow(Struct, frozen=True, kw_only=True):
    """`change`: what it is to the plan that waits, in a word; empty where it is as it was."""

    id: str
    number: str
    skill: str
    skills: tuple[Choice, ...]
    text: str = ""
    controls: tuple[Control, ...] = ()
    errors: tuple[FieldError, ...] = ()
    change: str = ""
    is_first: bool = False
    is_last: bool = False


class Base(Struct, frozen=True, kw_only=True):
    """The approval whose plan is edited, as an approval's forms post it."""

    approval: str
    plan_digest: str
    pins_digest: str


class Editor(View, frozen=True, kw_only=True):
    """`base` None: no plan waits that this could replace. `edited`: digest of the plan that it was made
    of, empty for one from nothing. `seen_seq`: the state that the beliefs shown are of.

    `answers`: made of what was posted, so that it may replace what is shown; else that may be newer.
    `unchanged`: the steps are those of the plan that waits. `why_not`: why it cannot be saved now, besides
    what its rows lack; empty where it can.
    """

    template = "episode/_editor.html"
    variable = "editor"

    episode: str
    viewer: str
    title: str
    rows: tuple[EditorRow, ...]
    seen_seq: int
    save: str
    base: Base | None = None
    edited: str = ""
    rationale: str = ""
    findings: tuple[Mark, ...] = ()
    changes: tuple[Mark, ...] = ()
    verdict: Mark | None = None
    meanwhile: Mark | None = None
    notice: Notice | None = None
    may_save: bool = False
    why_not: str = ""
    answers: bool = False
    unchanged: bool = False
    may_discard: bool = True
