"""One pass over a journal: what of it can be held against another episode's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from backend.domain.comparing.facts import Acted, Asked, Brought, Course, Did, Finished, Heard, Planned
from backend.domain.episode import events as e
from backend.domain.episode.evolve import FoldError
from backend.domain.memory.record import Field, Status
from backend.domain.plans.plan import Step


def course_of(journal: Iterable[e.Recorded]) -> Course:
    """Raises FoldError where the journal does not begin with `episode.opened`."""
    gathering = Gathering()
    for recorded in journal:
        gathering.add(recorded)
    return gathering.course()


class Gathering:
    """A course that is carried on event by event. Belongs to whoever feeds it; not for several threads."""

    def __init__(self) -> None:
        self._opened: e.EpisodeOpened | None = None
        self._mets_s: list[float] = []
        self._stops: list[int] = []
        self._brought_at: list[int] = []
        self._facts: dict[type, list[Any]] = {
            kind: [] for kind in (Heard, Asked, Planned, Did, Brought, Acted, Finished)
        }
        self._step: Step | None = None

    @property
    def head(self) -> int:
        return len(self._mets_s)

    def add(self, recorded: e.Recorded) -> None:
        """The next event. Raises FoldError where it is not the next one."""
        event = recorded.event
        if recorded.seq != self.head + 1:
            raise FoldError(f"Event {recorded.seq} follows event {self.head}: the journal has a gap.")
        if isinstance(event, e.EpisodeOpened):
            self._opened = event
        elif self._opened is None:
            raise FoldError(f"The journal begins with {e.kind_of(event)}, not with episode.opened.")
        self._mets_s.append(recorded.met_s)
        if isinstance(event, e.StepDispatched):
            self._step = event.step
            self._stops.append(recorded.seq - 1)
        for fact in _facts(recorded, self._step):
            self._facts[type(fact)].append(fact)
        if isinstance(event, e.StepEnded):
            self._step = None
            done = len(self._facts[Did])
            self._brought_at += [done] * (len(self._facts[Brought]) - len(self._brought_at))

    def course(self) -> Course:
        """Raises FoldError where nothing was added."""
        if self._opened is None:
            raise FoldError("The journal is empty: an episode begins with episode.opened.")
        stops = (*self._stops[: len(self._facts[Did])], self.head)
        finished = self._facts[Finished]
        return Course(
            opened=self._opened,
            mets_s=tuple(self._mets_s),
            stops_by_step=stops,
            stops_by_delivery=_by_delivery(stops, self._brought_at),
            heard=tuple(self._facts[Heard]),
            asked=tuple(self._facts[Asked]),
            planned=tuple(self._facts[Planned]),
            did=tuple(self._facts[Did]),
            brought=tuple(self._facts[Brought]),
            acted=tuple(self._facts[Acted]),
            finished=finished[-1] if finished else None,
        )


def _by_delivery(stops: tuple[int, ...], brought_at: list[int]) -> tuple[int, ...]:
    """`brought_at`: how many steps were done when each delivery was."""
    return (stops[0], *[stops[done] for done in brought_at])


def _facts(recorded: e.Recorded, step: Step | None) -> Iterable[Any]:
    build = _BUILDERS.get(type(recorded.event))
    return build(recorded, recorded.event, step) if build is not None else ()


def _heard(recorded: e.Recorded, event: e.EvidenceJudged, step: Step | None) -> Iterable[Any]:
    yield Heard(
        seq=recorded.seq,
        met_s=recorded.met_s,
        entity=event.entity,
        evidence=event.evidence,
        verdict=event.verdict,
        reason=event.reason,
        changes=event.changes,
    )


def _asked(recorded: e.Recorded, event: e.PlanRequested, step: Step | None) -> Iterable[Any]:
    """A repair asks the same question again."""
    if event.attempt == 1:
        yield Asked(
            seq=recorded.seq,
            met_s=recorded.met_s,
            decision=event.decision,
            cause=event.cause,
            exposed=event.retrieval.exposed,
            count=event.retrieval.count,
            units=event.context_units,
            blocks={block.name: block.digest for block in event.blocks},
        )


def _planned(recorded: e.Recorded, event: e.PlanProposed, step: Step | None) -> Iterable[Any]:
    plan = event.plan
    yield Planned(
        seq=recorded.seq, met_s=recorded.met_s, number=plan.number, author=plan.author, steps=plan.steps
    )


def _did(recorded: e.Recorded, event: e.StepEnded, step: Step | None) -> Iterable[Any]:
    yield Did(seq=recorded.seq, met_s=recorded.met_s, step=step, outcome=event.outcome)
    station = str(step.arguments.get("station", "")) if step is not None else ""
    for change in event.changes:
        if change.field is Field.STATUS and change.new == Status.DELIVERED.value:
            yield Brought(seq=recorded.seq, met_s=recorded.met_s, entity=change.entity, station=station)


def _finished(recorded: e.Recorded, event: e.EpisodeEnded, step: Step | None) -> Iterable[Any]:
    yield Finished(
        seq=recorded.seq,
        met_s=recorded.met_s,
        outcome=event.outcome,
        message=event.message,
        delivered=event.delivered,
    )


def _acted(recorded: e.Recorded, event: Any, step: Step | None) -> Iterable[Any]:
    """Of people alone: what a policy or the system did follows from the rest."""
    if event.by in _NOBODY:
        return
    text = getattr(event, "text", "") or getattr(event, "reason", "")
    yield Acted(
        seq=recorded.seq,
        met_s=recorded.met_s,
        kind=e.kind_of(event),
        by=event.by.removeprefix("operator:"),
        text=text,
    )


_NOBODY = ("policy", "system", "planner", "robot")

_BUILDERS: dict[type, Callable[[e.Recorded, Any, Step | None], Iterable[Any]]] = {
    e.EvidenceJudged: _heard,
    e.PlanRequested: _asked,
    e.PlanProposed: _planned,
    e.StepEnded: _did,
    e.EpisodeEnded: _finished,
    e.ApprovalRejected: _acted,
    e.ApprovalEdited: _acted,
    e.StopAsked: _acted,
    e.StopReleased: _acted,
    e.GuidanceGiven: _acted,
    e.InstructionsChanged: _acted,
    e.PolicyChanged: _acted,
    e.RecordCorrected: _acted,
}
