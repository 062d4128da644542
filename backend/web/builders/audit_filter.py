"""Which events an audit shows: by who did it, by what kind it is, by which entity it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from msgspec import Struct, to_builtins

from backend.domain.episode import events as e
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.audit_lines import SILENT, line_of
from backend.web.pages.audit import AuditFilter
from backend.web.pages.parts import Choice

KINDS: tuple[str, ...] = tuple(str(kind.__struct_config__.tag) for kind in get_args(e.Event))
SUBJECTS: tuple[str, ...] = tuple(sorted({kind.partition(".")[0] for kind in KINDS if kind not in SILENT}))
"""Events are filtered by the first half of their kind."""
ACTORS = ("planner", "robot", "drone", "policy", "system")
PEOPLE = "people"
FIELDS = ("actor", "kind", "entity")
LONGEST = 200


class Wanted(Struct, frozen=True, kw_only=True):
    """Empty: everything. `actor` as rows name it, or `people`; `kind` one of SUBJECTS."""

    actor: str = ""
    kind: str = ""
    entity: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that can match; empty for all."""
        return tuple(kind for kind in KINDS if kind.startswith(f"{self.kind}.")) if self.kind else ()

    @property
    def is_everything(self) -> bool:
        return not (self.actor or self.kind or self.entity)

    def takes(self, entry: Entry) -> bool:
        if entry.kind in SILENT:
            return False
        if self.kind and not entry.kind.startswith(f"{self.kind}."):
            return False
        if self.actor and not self._did(entry):
            return False
        return not self.entity or is_about(entry.recorded.event, self.entity)

    def _did(self, entry: Entry) -> bool:
        actor = entry.recorded.actor
        if self.actor == PEOPLE:
            return actor.startswith("operator:")
        return self.actor in (line_of(entry.recorded).actor or words.who(actor), words.who(actor))


def wanted_of(query: Mapping[str, str]) -> Wanted:
    actor, kind, entity = (query.get(name, "").strip()[:LONGEST] for name in FIELDS)
    return Wanted(actor=actor, kind=kind if kind in SUBJECTS else "", entity=entity)


def filter_form(wanted: Wanted) -> AuditFilter:
    named = wanted.actor and wanted.actor not in (*ACTORS, PEOPLE)
    actors = (*ACTORS, PEOPLE, *([wanted.actor] if named else []))
    return AuditFilter(
        actors=(
            _choice("", "Anyone", wanted.actor),
            *(_choice(each, _label(each), wanted.actor) for each in actors),
        ),
        kinds=(
            _choice("", "Anything", wanted.kind),
            *(_choice(each, _label(each), wanted.kind) for each in SUBJECTS),
        ),
        entity=wanted.entity,
        query={name: value for name in FIELDS if (value := getattr(wanted, name))},
    )


def is_about(event: e.Event, entity: str) -> bool:
    """Whether the entity stands in what the event says. A call to the planner shows it many, and is about the
    one that made it necessary."""
    if isinstance(event, e.PlanRequested):
        return event.cause.entity == entity
    return not isinstance(event, e.EpisodeOpened) and _holds(to_builtins(event), entity)


def _holds(value: Any, entity: str) -> bool:
    if isinstance(value, str):
        return value == entity
    if isinstance(value, Mapping):
        return entity in value or any(_holds(inner, entity) for inner in value.values())
    return isinstance(value, Sequence) and any(_holds(inner, entity) for inner in value)


def _choice(value: str, label: str, chosen: str) -> Choice:
    return Choice(value=value, label=label, chosen=value == chosen)


def _label(name: str) -> str:
    return name if name not in (*ACTORS, PEOPLE, *SUBJECTS) else name.capitalize()
