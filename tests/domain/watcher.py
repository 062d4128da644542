"""Looks over the shoulder of an episode: what must be true of every event, judged from the events alone.

It keeps its own account of what was approved, dispatched and changed, and never asks the code under test.
"""

from __future__ import annotations

from msgspec import Struct

from backend.domain.command.approval import ApprovalStatus
from backend.domain.episode import events as e
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.geometry import Metric
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import ACTIVE, VERIFIED, EntityRecord, Field, FieldChange, Status
from backend.domain.plans.plan import Step
from tests.domain.scripted import SITE

LOOKS_AT = {"navigate": "to", "approach": "target", "grasp": "target", "verify": "target"}


class Change(Struct, frozen=True):
    """`foretold_by`: the plan whose own step made it, as its validator predicted."""

    entity: str
    field: Field
    seq: int
    foretold_by: int | None


class Watcher:
    """`see` is given every event with the state before it; `look` the state at the end of each tick."""

    def __init__(self, metric: Metric = SITE.metric) -> None:
        self.metric = metric
        self.let_go: set[str] = set()
        self.by_policy: set[str] = set()
        self.owed: set[int] = set()
        self.changes: list[Change] = []
        self.granted: set[str] = set()
        self.went: set[tuple[str, int]] = set()
        self.in_flight: str | None = None

    def see(self, before: State, recorded: e.Recorded) -> State:
        event = recorded.event
        if isinstance(event, e.EvidenceJudged):
            self._evidence(before, event, recorded.seq)
        elif isinstance(event, e.StepEnded):
            self._ended(before, event, recorded.seq)
        elif isinstance(event, e.ApprovalGranted):
            self._granted(before, event, recorded.actor)
        elif isinstance(event, e.StepDispatched):
            self._dispatched(before, event)
        elif isinstance(event, e.PlanRequested):
            self._requested(before, event)
        elif isinstance(event, e.PlanInvalidated):
            self._invalidated(before, event)
        elif isinstance(event, e.PolicyChanged | e.InstructionsChanged | e.ApprovalEdited | e.PlanProposed):
            self._directed(before, event, recorded.actor)
        after = evolve(before, recorded)
        self._records(before, after, event)
        return after

    def look(self, state: State) -> None:
        """At the end of a tick: no plan stands that a change has broken, and no plan is left unasked for."""
        if state.plan is not None and state.ending is None:
            assert self._broken(state) == set(), "the plan stands though what it rests on has changed"
        idle = state.plan is None and state.dispatch is None and state.request is None
        if idle and not (state.stops or state.asks_person or state.ending):
            raise AssertionError("nothing is planned, asked for, held or ended")

    def _evidence(self, before: State, event: e.EvidenceJudged, seq: int) -> None:
        record = before.memory.records.get(event.entity)
        metric = self.metric
        if event.verdict is Verdict.MERGED:
            assert record is not None
            assert metric.same_place(event.evidence.pose, record.pose), (
                "merged though it moved past tolerance"
            )
        if event.verdict is Verdict.REFUSED:
            assert event.changes == ()
        if record is not None and record.status in VERIFIED:
            assert event.verdict is Verdict.REFUSED, "evidence touched a verified outcome"
        moved = any(change.field is Field.POSE for change in event.changes)
        remembers = before.mission.memory.entities not in ("static", "none")
        if moved and remembers and record is not None and record.supported and record.status in ACTIVE:
            assert not metric.same_place(event.evidence.pose, record.pose), "a move within tolerance is none"
        self._note(event.changes, seq)

    def _ended(self, before: State, event: e.StepEnded, seq: int) -> None:
        assert self.in_flight == event.outcome.dispatch_id
        self.in_flight = None
        foretold_by = before.plan.number if event.predicted and before.plan is not None else None
        self._note(event.changes, seq, foretold_by)

    def _note(self, changes: tuple[FieldChange, ...], seq: int, foretold_by: int | None = None) -> None:
        for change in changes:
            if change.field in (Field.POSE, Field.STATUS):
                self.changes.append(Change(change.entity, change.field, seq, foretold_by))

    def _directed(self, before: State, event: e.Event, actor: str) -> None:
        """Who is asked, people alone decide; and what waits for one of them, no policy answers."""
        if isinstance(event, e.PlanProposed):
            assert actor.startswith("operator:") or (actor == "planner" and event.plan.edits is None)
            if event.plan.edits is not None:
                self.owed.add(event.plan.number)
            return
        assert actor == f"operator:{getattr(event, 'by', '')}"
        approval, plan = before.approval, before.plan
        if isinstance(event, e.ApprovalEdited):
            assert approval is not None
            assert (approval.id, approval.status) == (event.approval_id, ApprovalStatus.PENDING)
            assert before.dispatch is None
            assert not before.stops
        if isinstance(event, e.PolicyChanged) and approval is not None and plan is not None:
            waits = approval.status in (ApprovalStatus.PENDING, ApprovalStatus.EXPIRED)
            if waits and approval.plan_number == plan.number:
                self.owed.add(plan.number)

    def _granted(self, before: State, event: e.ApprovalGranted, actor: str) -> None:
        assert before.approval is not None
        assert before.approval.status is ApprovalStatus.PENDING
        assert not before.stops, "approved while held"
        self.granted.add(event.approval_id)
        if actor != "policy":
            assert actor == f"operator:{event.by}"
            self.owed.discard(before.approval.plan_number)
            return
        assert before.policy.mode in ("on_risk", "auto"), "the policy said yes where a person is asked"
        assert before.approval.plan_number not in self.owed, "the policy answered what waited for a person"
        self.by_policy.add(event.approval_id)

    def _dispatched(self, before: State, event: e.StepDispatched) -> None:
        approval, plan = before.approval, before.plan
        assert approval is not None
        assert plan is not None
        assert event.approval_id == approval.id
        assert approval.id in self.granted, "nobody said yes"
        assert approval.status is ApprovalStatus.APPROVED, "the yes was taken back"
        assert approval.covers(event.index)
        assert event.index == before.cursor
        assert event.step == plan.steps[event.index]
        assert event.plan_digest == approval.pins.plan_digest == plan.digest
        assert (approval.id, event.index) not in self.went, "sent twice under one approval"
        assert not before.stops, "sent while held"
        assert self.in_flight is None, "sent while another was in flight"
        assert before.ending is None, "sent after the end"
        mode = before.policy.mode
        assert mode in ("on_risk", "auto") or approval.id not in self.by_policy, "a policy's yes outlived it"
        assert mode != "every_skill" or approval.first_step == approval.last_step
        self.went.add((approval.id, event.index))
        self.let_go.add(event.dispatch_id)
        self.in_flight = event.dispatch_id

    def _requested(self, before: State, event: e.PlanRequested) -> None:
        memory = before.mission.memory
        shown = [before.memory.records[entity] for entity in event.retrieval.exposed]
        if memory.entities == "attention":
            assert len(shown) <= memory.attention.k
        assert all(record.status in ACTIVE and record.supported for record in shown)
        assert before.plan is None
        assert self.in_flight is None
        if event.attempt == 1:
            assert before.need is not None
            assert not before.stops
            assert before.asks_person == ""
        allowed = before.mission.budgets.decisions
        assert allowed is None or event.attempt == 2 or before.spent.decisions < allowed

    def _invalidated(self, before: State, event: e.PlanInvalidated) -> None:
        if event.cause.kind != "changed":
            return
        assert event.cause.entity is not None
        assert event.cause.field is not None
        broken = self._broken(before)
        assert broken, "replanned though nothing the plan rests on has changed"
        assert (event.cause.entity, event.cause.field) in {(each.entity, each.field) for each in broken}

    def _broken(self, state: State) -> set[Change]:
        """C ∩ D(P), by its definition."""
        plan = state.plan
        assert plan is not None
        remaining = plan.steps[state.cursor :]
        needed = {entity_of(step) for step in remaining if step.skill in LOOKS_AT}
        searches = any(step.skill == "explore" for step in remaining)
        return {
            change
            for change in self.changes
            if change.seq > plan.based_on_seq and change.foretold_by != plan.number
            if searches or change.entity in needed
        }

    def _records(self, before: State, after: State, event: e.Event) -> None:
        records = after.memory.records
        assert set(before.memory.records) <= set(records), "a record is gone"
        assert all(entity == record.id for entity, record in records.items())
        assert len({record.order for record in records.values()}) == len(records)
        for entity, record in before.memory.records.items():
            _keeps_what_was_verified(record, records[entity], event)


def entity_of(step: Step) -> str | None:
    value = step.arguments.get(LOOKS_AT[step.skill])
    return value if isinstance(value, str) else None


def _keeps_what_was_verified(before: EntityRecord, after: EntityRecord, event: e.Event) -> None:
    if before.status is Status.DELIVERED:
        assert after == before, "a delivery was taken back"
    if before.status is Status.GRASPED and after != before:
        assert isinstance(event, e.StepEnded), "only a measured outcome lets go of what is held"
