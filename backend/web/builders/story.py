"""The story of the plan that a card is about: who asked for it and why, how it was decided, what of it ran,
how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.approval import Approval
from backend.domain.episode import events as e
from backend.domain.execution.outcome import Outcome
from backend.domain.plans.plan import Plan
from backend.usecases.reading import Entry

KINDS = (
    "plan.requested", "plan.proposed", "plan.refused", "plan.invalidated", "plan.completed",
    "approval.requested", "approval.granted", "approval.rejected", "approval.edited", "approval.superseded",
    "approval.expired", "approval.consumed", "step.dispatched", "step.ended", "stop.asked", "stop.confirmed",
)  # fmt: skip
"""What a story is told from: these, from the request for the plan before the last one up to the cursor."""


class Told(Struct, frozen=True, kw_only=True):
    """One plan. `asked`: the request it answers, None where a person made it of another plan.

    `outcomes`: step index -> what was measured. `end`: of the plan; `lapse`: of an approval that went while
    it waited or before its first step. `put`: the newest question about it; `superseded`: the one before,
    where that lapsed and this one took its place.
    """

    plan: Plan
    asked: Entry | None
    proposed: Entry
    decided: Entry | None = None
    lapse: Entry | None = None
    put: Approval | None = None
    superseded: Approval | None = None
    end: Entry | None = None
    dispatched: Mapping[str, int] = {}
    outcomes: Mapping[int, Outcome] = {}

    @property
    def ran(self) -> bool:
        return bool(self.dispatched)


class Story(Struct, frozen=True, kw_only=True):
    """`told`: the newest plan; `before`: the one that it replaced. `asked`: the newest request. `refused`:
    replies to that request's decision that the validator or the decoder refused. `stopped`: the newest
    confirmed standstill."""

    told: Told | None = None
    before: Told | None = None
    asked: Entry | None = None
    refused: tuple[Entry, ...] = ()
    stopped: Entry | None = None


def story_of(entries: Sequence[Entry]) -> Story:
    """`entries` of `KINDS`, in order."""
    story = Story()
    for entry in entries:
        story = _continued(story, entry, entry.recorded.event)
    return story


def _continued(story: Story, entry: Entry, event: Any) -> Story:
    if isinstance(event, e.PlanRequested):
        refused = story.refused if event.attempt > 1 else ()
        return replace(story, asked=entry, refused=refused)
    if isinstance(event, e.PlanProposed):
        asked = story.asked if event.plan.edits is None else None
        told = Told(plan=event.plan, asked=asked, proposed=entry)
        return replace(story, told=told, before=story.told, refused=())
    if isinstance(event, e.PlanRefused):
        return replace(story, refused=(*story.refused, entry))
    if isinstance(event, e.StopConfirmed):
        return replace(story, stopped=entry)
    if story.told is None:
        return story
    return replace(story, told=_told(story.told, entry, event))


def _told(told: Told, entry: Entry, event: Any) -> Told:
    if isinstance(event, e.ApprovalRequested):
        superseded = told.put if told.lapse is not None else None
        return replace(told, decided=None, lapse=None, put=event.approval, superseded=superseded)
    if isinstance(event, e.ApprovalGranted | e.ApprovalRejected | e.ApprovalExpired):
        return replace(told, decided=entry)
    if isinstance(event, e.ApprovalSuperseded):
        return replace(told, lapse=entry)
    if isinstance(event, e.StepDispatched):
        return replace(told, dispatched={**told.dispatched, event.dispatch_id: event.index})
    if isinstance(event, e.StepEnded) and event.outcome.dispatch_id in told.dispatched:
        index = told.dispatched[event.outcome.dispatch_id]
        return replace(told, outcomes={**told.outcomes, index: event.outcome})
    if isinstance(event, e.PlanInvalidated | e.PlanCompleted):
        return replace(told, end=entry)
    return told
