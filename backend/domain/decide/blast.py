"""What a correction would set off, said before it is saved.

It is read from the events that the correction would give, so that what is shown and what happens are one.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.command.approval import ApprovalStatus
from backend.domain.digests import digest
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import FIELD_NAME, Field, FieldChange
from backend.domain.plans.plan import describe

LASTING = (Field.CLASS, Field.POSE, Field.STATUS)
"""Fields that plans and people go by; confidence, time and source go with them."""


class Blast(Struct, frozen=True, kw_only=True):
    """`changes` of class, pose and status.

    `plan`: the number of the plan that goes, `steps` those of its rest that name what is corrected, `why` the
    cause. `approval` lapses, in the status given. `dispatch`: the step that is asked to cancel. `asked`: a
    planner was asked before this, and may answer on the old belief. `station`: assigned to a class just
    revealed. `ends`: the episode ends with it.
    """

    changes: tuple[FieldChange, ...]
    plan: int | None = None
    steps: tuple[int, ...] = ()
    why: str = ""
    approval: str | None = None
    approval_status: ApprovalStatus | None = None
    dispatch: str | None = None
    step: str = ""
    asked: bool = False
    station: str = ""
    ends: str = ""

    @property
    def digest(self) -> str:
        return digest(self)[:16]


def blast_of(before: State, events: Sequence[e.Recorded]) -> Blast:
    """`events` are those of the correction alone, decided on `before`."""
    found = [recorded.event for recorded in events]
    changes = tuple(
        change
        for event in found
        if isinstance(event, e.RecordCorrected)
        for change in event.changes
        if change.field in LASTING
    )
    dropped = next((event for event in found if isinstance(event, e.PlanInvalidated)), None)
    lapsed = next((event for event in found if isinstance(event, e.ApprovalSuperseded)), None)
    cancelled = next((event for event in found if isinstance(event, e.StepCancelAsked)), None)
    assigned = next((event for event in found if isinstance(event, e.StationAssigned)), None)
    ended = next((event for event in found if isinstance(event, e.EpisodeEnded)), None)
    return Blast(
        changes=changes,
        plan=dropped.number if dropped is not None else None,
        steps=_named_in(before, {change.entity for change in changes}) if dropped is not None else (),
        why=dropped.cause.message if dropped is not None else "",
        approval=lapsed.approval_id if lapsed is not None else None,
        approval_status=before.approval.status if lapsed is not None and before.approval else None,
        dispatch=cancelled.dispatch_id if cancelled is not None else None,
        step=describe(before.dispatch.step) if cancelled is not None and before.dispatch else "",
        asked=before.request is not None and bool(changes),
        station=f"{assigned.cls} goes to {assigned.station}" if assigned is not None else "",
        ends=ended.message if ended is not None else "",
    )


def _named_in(state: State, entities: set[str]) -> tuple[int, ...]:
    """The steps from the cursor on that name one of the entities, by index."""
    steps = state.plan.steps if state.plan is not None else ()
    return tuple(
        index
        for index in range(state.cursor, len(steps))
        if entities & {value for value in steps[index].arguments.values() if isinstance(value, str)}
    )


def told(blast: Blast) -> str:
    """In one sentence each, for who reads no page."""
    parts = [
        f"{FIELD_NAME[change.field]} of {change.entity} {_value(change.old)} → {_value(change.new)}."
        for change in blast.changes
    ]
    if blast.approval is not None and blast.approval_status is not None:
        parts.append(f"The {blast.approval_status.value} approval {blast.approval} lapses.")
    if blast.plan is not None:
        parts.append(f"Plan {blast.plan} is dropped: {blast.why}.")
    if blast.dispatch is not None:
        parts.append(f"The step under way, {blast.step}, is asked to cancel.")
    if blast.asked:
        parts.append("The planner was asked already; what it answers on the old belief lapses.")
    if blast.station:
        parts.append(f"{blast.station}.")
    if blast.ends:
        parts.append(f"The episode ends: {blast.ends}.")
    return " ".join(parts) or "No plan, approval or step rests on it."


def _value(value: Pose | str | float | None) -> str:
    if isinstance(value, Pose):
        return f"({value.x_m:g}, {value.y_m:g}) m"
    return "unknown" if value is None else str(value)
