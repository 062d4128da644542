"""What memory held of each entity and what the plans rested on, gathered from the journal event by event."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.hindsight.truth import Handled
from backend.domain.hindsight.witness import Witness, witnesses_of
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import EntityRecord, Field, Source, Status
from backend.domain.plans.plan import Step
from backend.domain.plans.skills import meaning_of


class Belief(Struct, frozen=True, kw_only=True):
    """What was held from event `seq`, at mission time `from_s`, until the next belief about the entity.

    `is_said`: a person's word on its place."""

    seq: int
    from_s: float
    cls: str
    pose: Pose
    status: Status
    supported: bool
    pose_seq: int
    status_seq: int
    is_said: bool = False


class Report(Struct, frozen=True):
    """A piece of evidence as it came in: event `seq` at `met_s`, sensed at `stamp_s`. `why_not`: why it was
    refused."""

    seq: int
    met_s: float
    stamp_s: float
    pose: Pose
    source: Source
    sensed_by: str
    refused: bool
    why_not: str = ""


class Reliance(Struct, frozen=True, kw_only=True):
    """Plan `plan` rested on `field` of `entity` from `from_s` to `to_s` (None: it still does): an element of
    D(P) while a step that needs it was still to come."""

    plan: int
    entity: str
    field: Field
    seq: int
    from_s: float
    to_s: float | None = None


class Trace:
    """Of one episode, kept up with its journal. Belongs to whoever feeds it; not for several threads."""

    def __init__(self) -> None:
        self.beliefs: dict[str, list[Belief]] = {}
        self.reports: dict[str, list[Report]] = {}
        self.witnesses: dict[str, list[Witness]] = {}
        self.reliances: list[Reliance] = []
        self.handled: list[Handled] = []
        self.opened: e.EpisodeOpened | None = None
        self.head: State | None = None
        self._dispatched: Step | None = None
        self._open: dict[tuple[int, str, Field], Reliance] = {}
        self._stands: tuple[int, int] | None = None

    def add(self, recorded: e.Recorded, after: State) -> None:
        """`after`: the state once the event is applied."""
        self.head = after
        event = recorded.event
        for entity in _touched(event):
            record = after.memory.records.get(entity)
            if record is not None:
                self._believe(recorded, record)
        if isinstance(event, e.EvidenceJudged):
            self._report(recorded, event)
        elif isinstance(event, e.EpisodeOpened):
            self.opened = event
        elif isinstance(event, e.StepDispatched):
            self._dispatched = event.step
        elif isinstance(event, e.StepEnded):
            self.handled.append(_handled(event, self._dispatched))
        for entity, witness in witnesses_of(recorded, after):
            self.witnesses.setdefault(entity, []).append(witness)
        self._rely(recorded, after)

    def relied(self) -> list[Reliance]:
        """What plans rested on, and still do, in the order it began."""
        return sorted([*self.reliances, *self._open.values()], key=lambda each: (each.seq, each.entity))

    def believed(self, entity: str, seq: int) -> Belief | None:
        """What was held of the entity after event `seq`."""
        found = None
        for belief in self.beliefs.get(entity, ()):
            if belief.seq > seq:
                break
            found = belief
        return found

    def replaced(self, entity: str, field: Field, version: int) -> int | None:
        """The event that gave the field its value after `version`; None while it has that one."""
        for belief in self.beliefs.get(entity, ()):
            now = belief.pose_seq if field is Field.POSE else belief.status_seq
            if now > version and field in (Field.POSE, Field.STATUS):
                return belief.seq
        return None

    def _believe(self, recorded: e.Recorded, record: EntityRecord) -> None:
        held = self.beliefs.setdefault(record.id, [])
        belief = Belief(
            seq=recorded.seq,
            from_s=recorded.met_s,
            cls=record.cls,
            pose=record.pose,
            status=record.status,
            supported=record.supported,
            pose_seq=record.pose_seq,
            status_seq=record.status_seq,
            is_said=record.word(Field.POSE) is not None,
        )
        if not held or not _is_same(held[-1], belief):
            held.append(belief)

    def _report(self, recorded: e.Recorded, event: e.EvidenceJudged) -> None:
        evidence = event.evidence
        refused = event.verdict is Verdict.REFUSED
        report = Report(
            recorded.seq,
            recorded.met_s,
            evidence.stamp_s,
            evidence.pose,
            evidence.source,
            evidence.sensed_by,
            refused,
            event.reason if refused else "",
        )
        self.reports.setdefault(event.entity, []).append(report)

    def _rely(self, recorded: e.Recorded, after: State) -> None:
        plan = after.plan if after.ending is None else None
        stands = (plan.number, after.cursor) if plan is not None else None
        if stands == self._stands:
            return
        self._stands = stands
        needed: dict[tuple[int, str, Field], None] = {}
        for each in plan.dependencies if plan is not None else ():
            if plan is not None and each.entity is not None and each.last_step >= after.cursor:
                needed[plan.number, each.entity, each.field] = None
        for key in [key for key in self._open if key not in needed]:
            self.reliances.append(replace(self._open.pop(key), to_s=recorded.met_s))
        for key in needed:
            number, entity, field = key
            if key not in self._open:
                begins = Reliance(
                    plan=number, entity=entity, field=field, seq=recorded.seq, from_s=recorded.met_s
                )
                self._open[key] = begins


def _handled(event: e.StepEnded, step: Step | None) -> Handled:
    outcome = event.outcome
    entity = meaning_of(step.skill).entity_of(step) if step is not None else None
    return Handled(
        started_s=outcome.started_s,
        ended_s=outcome.ended_s,
        held=outcome.measured.held,
        pose=outcome.measured.pose,
        missed=entity or "" if outcome.reason == "absent" else "",
        station=str(step.arguments.get("station", "")) if step is not None else "",
    )


def _touched(event: e.Event) -> Iterator[str]:
    """The records that the event may have changed."""
    if isinstance(event, e.EvidenceJudged):
        yield event.entity
    elif isinstance(event, e.StepEnded):
        yield from dict.fromkeys(change.entity for change in event.changes)
    elif isinstance(event, e.RecordCorrected):
        yield from (record.id for record in event.records)


def _is_same(a: Belief, b: Belief) -> bool:
    return replace(a, seq=b.seq, from_s=b.from_s) == b
