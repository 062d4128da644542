"""What an episode offers to be found: the texts of its events, each with who and what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct

from backend.domain.annotations.annotation import Annotation
from backend.domain.annotations.words import mentions_of
from backend.domain.episode import events as e
from backend.domain.plans.plan import Step, describe
from backend.domain.search.words import facet, words_of

RULES = 2
"""Raise it where anything below changes: indexes made by another are made again."""

Kind = Literal[
    "episode", "ending", "record", "correction", "context", "exchange", "note", "plan", "replan", "step",
    "approval", "stop", "guidance", "annotation",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

LONGEST = 20_000
"""Characters of one text that are indexed."""
_SAID = ("text", "content", "refusal", "arguments", "reasoning", "output_text")
"""Where the words of a provider's answer stand, in any API."""
_CONTEXT = ("goal", "rules")
"""Blocks that are much the same in each call: those of the first are indexed."""


class Moment(Struct, frozen=True, kw_only=True):
    """A text of one event. `author`: the account or part that it comes from."""

    kind: Kind
    seq: int
    met_s: float
    text: str
    author: str = ""
    entities: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    cause: str = ""

    @property
    def words(self) -> str:
        """As they are indexed, with blanks between: of the text and the tags, then the facets."""
        facets = [
            facet("in", self.kind),
            *([facet("by", self.author)] if self.author else []),
            *(facet("entity", each) for each in self.entities),
            *(facet("skill", each) for each in self.skills),
            *(facet("tag", each) for each in self.tags),
            *(facet("mention", each) for each in self.mentions),
            *([facet("cause", self.cause)] if self.cause else []),
        ]
        return " ".join([*words_of(self.text), *words_of(" ".join(self.tags)), *facets])


def moments_of(recorded: e.Recorded, step: Step | None) -> Iterator[Moment]:
    """Of one event. `step`: the one dispatched last, which a measured outcome is of."""
    event = recorded.event
    if isinstance(event, e.PlanRequested) and event.cause.is_replan and event.attempt == 1:
        yield _replanned(event, recorded)
    read = _READ.get(type(event))
    if read is None:
        return
    for kind, text, author, entities, skills in read(event, step):
        shown = text.strip()[:LONGEST]
        if shown:
            yield Moment(
                kind=kind,
                seq=recorded.seq,
                met_s=recorded.met_s,
                text=shown,
                author=author,
                entities=tuple(dict.fromkeys(filter(None, entities))),
                skills=tuple(dict.fromkeys(filter(None, skills))),
            )


def moment_of(annotation: Annotation, met_s: float) -> Moment:
    return Moment(
        kind="annotation",
        seq=annotation.seq,
        met_s=met_s,
        text=annotation.text[:LONGEST],
        author=annotation.author,
        entities=(annotation.entity,) if annotation.entity else (),
        tags=annotation.tags,
        mentions=mentions_of(annotation.text),
    )


def _replanned(event: e.PlanRequested, recorded: e.Recorded) -> Moment:
    cause = event.cause
    return Moment(
        kind="replan",
        seq=recorded.seq,
        met_s=recorded.met_s,
        text=cause.message[:LONGEST],
        author=cause.source.value if cause.source is not None else "",
        entities=(cause.entity,) if cause.entity else (),
        cause=cause.kind,
    )


Read = tuple[Kind, str, str, Sequence[str], Sequence[str]]
"""Kind, text, author, entities, skills."""


def _opened(event: e.EpisodeOpened, _: Step | None) -> Iterator[Read]:
    mission = event.mission
    named = (event.episode, mission.name, mission.title, mission.goal, event.site.name, event.robot)
    yield "episode", "\n".join([*named, event.planner]), "", (), ()


def _ended(event: e.EpisodeEnded, _: Step | None) -> Iterator[Read]:
    yield "ending", f"{event.outcome}: {event.message}", "", (event.held or "",), ()


def _judged(event: e.EvidenceJudged, _: Step | None) -> Iterator[Read]:
    """A record that is new; the thousands that confirm it would only bury it."""
    if any(change.old is None for change in event.changes):
        found = event.evidence
        told = f"{event.entity}: {found.cls} first seen by {found.sensed_by or found.source.value}"
        yield "record", told, "", (event.entity,), ()


def _corrected(event: e.RecordCorrected, _: Step | None) -> Iterator[Read]:
    names = [record.id for record in event.records]
    done = type(event.correction).__name__.lower()
    yield "correction", f"{done} {', '.join(names)}: {event.reason}", event.by, names, ()


def _disputed(event: e.RecordDisputed, _: Step | None) -> Iterator[Read]:
    told = f"{event.entity} {event.field.value} disputed by {event.sensed_by}: {event.reason}"
    yield "correction", told, event.by, (event.entity,), ()


def _requested(event: e.PlanRequested, _: Step | None) -> Iterator[Read]:
    for block in event.blocks:
        if block.name == "findings" or (
            event.decision == 1 and event.attempt == 1 and block.name in _CONTEXT
        ):
            yield "context", block.text, "", (), ()


def _exchanged(event: e.ExchangeRecorded, _: Step | None) -> Iterator[Read]:
    attempt = event.exchange
    said = "\n".join(_said(attempt.response))
    yield "exchange", f"{attempt.detail}\n{said}", attempt.model, (), ()


def _noted(event: e.NoteWritten, _: Step | None) -> Iterator[Read]:
    yield "note", event.text, event.author, (), ()


def _proposed(event: e.PlanProposed, _: Step | None) -> Iterator[Read]:
    plan = event.plan
    told = "\n".join([plan.rationale, *map(describe, plan.steps)])
    names = [name for step in plan.steps for name in _named(step)]
    yield "plan", told, plan.author, names, [step.skill for step in plan.steps]


def _refused(event: e.PlanRefused, _: Step | None) -> Iterator[Read]:
    told = "\n".join([event.failure, *map(describe, event.steps), *map(str, event.findings)])
    yield "plan", told, "", (), [step.skill for step in event.steps]


def _measured(event: e.StepEnded, step: Step | None) -> Iterator[Read]:
    outcome = event.outcome
    names = [change.entity for change in event.changes]
    command = outcome.skill
    if step is not None and step.skill == outcome.skill:
        command, names = describe(step), [*_named(step), *names]
    told = f"{command}: {outcome.result.value}, {outcome.reason}. {outcome.message}"
    yield "step", told, "", names, (outcome.skill,)


def _rejected(event: e.ApprovalRejected, _: Step | None) -> Iterator[Read]:
    yield "approval", f"Rejected by {event.by}: {event.reason}", event.by, (), ()


def _granted(event: e.ApprovalGranted, _: Step | None) -> Iterator[Read]:
    if event.by not in ("policy", "system"):
        yield "approval", f"Approved by {event.by}", event.by, (), ()


def _edited(event: e.ApprovalEdited, _: Step | None) -> Iterator[Read]:
    yield "approval", f"Plan edited by {event.by}", event.by, (), ()


def _stopped(event: e.StopAsked, _: Step | None) -> Iterator[Read]:
    yield "stop", f"{'Aborted' if event.abort else 'Held'} by {event.by}: {event.reason}", event.by, (), ()


def _guided(event: e.GuidanceGiven | e.InstructionsChanged, _: Step | None) -> Iterator[Read]:
    yield "guidance", event.text, event.by, (), ()


_READ: Mapping[type, Callable[[Any, Step | None], Iterator[Read]]] = {
    e.EpisodeOpened: _opened,
    e.EpisodeEnded: _ended,
    e.EvidenceJudged: _judged,
    e.RecordCorrected: _corrected,
    e.RecordDisputed: _disputed,
    e.PlanRequested: _requested,
    e.ExchangeRecorded: _exchanged,
    e.NoteWritten: _noted,
    e.PlanProposed: _proposed,
    e.PlanRefused: _refused,
    e.StepEnded: _measured,
    e.ApprovalRejected: _rejected,
    e.ApprovalGranted: _granted,
    e.ApprovalEdited: _edited,
    e.StopAsked: _stopped,
    e.GuidanceGiven: _guided,
    e.InstructionsChanged: _guided,
}


def _named(step: Step) -> list[str]:
    """Entities and stations among its arguments."""
    return [value for value in step.arguments.values() if isinstance(value, str)]


def _said(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _said(inner, str(name))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _said(inner, key)
    elif isinstance(value, str) and key in _SAID:
        yield value
