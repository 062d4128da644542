"""What a tick was given, from what it decided: so that the same can be decided again from the journal alone.

Evidence, outcomes and standstills stand in the events that they became. The clocks do not, and need not: an
event holds the moment that it rests on, and what lapsed says itself that it did.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from backend.domain.command.approval import UNANSWERED, ApprovalStatus
from backend.domain.command.conn import CONN_LEASE_S
from backend.domain.command.intents import STOPPING, Intent, Settlement
from backend.domain.decide.stopping import CONFIRM_WITHIN_S
from backend.domain.decide.turn import Doubt, Inputs, StandstillReport
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Outcome
from backend.domain.geometry import Pose
from backend.domain.query.query import Reply

GIVEN = (e.EpisodeOpened, e.DemonstrationRecorded, e.RunnerStarted)
"""Events of the runner's own, which no tick decides."""


PENDING = ApprovalStatus.PENDING


class Settled(Struct, frozen=True, kw_only=True):
    """An intent and what became of it, in the transaction after which the journal's head was `seq`.

    `utc`: when that was, as its events say it too. A transaction without events is no part of the journal.
    """

    intent: Intent
    settlement: Settlement
    seq: int
    utc: str


class Commit(Struct, frozen=True, kw_only=True):
    """Events of one transaction, at least one, and the intents that were settled in it.

    `clock_s`: the database's clock at the transaction, in epoch seconds, to the millisecond.
    """

    events: tuple[e.Recorded, ...]
    settled: tuple[Settled, ...] = ()
    clock_s: float = 0.0

    @property
    def met_s(self) -> float:
        return self.events[0].met_s

    def first(self, count: int) -> Commit:
        """A tick that may have committed only the first `count` events, before any intent was taken."""
        if count == len(self.events):
            return self
        return Commit(events=self.events[:count], clock_s=self.clock_s)

    def after(self, count: int) -> Commit | None:
        rest = self.events[count:]
        return Commit(events=rest, settled=self.settled, clock_s=self.clock_s) if rest else None


def inputs_of(state: State, commit: Commit, replies: tuple[Reply, ...] = ()) -> Inputs:
    """What the tick that made `commit` of `state` was given."""
    judged = [each.event for each in commit.events if isinstance(each.event, e.EvidenceJudged)]
    return Inputs(
        met_s=commit.met_s,
        now_s=_now_s(state, commit),
        intents=tuple([each.intent for each in commit.settled]),
        outcomes=tuple(_outcomes(commit)),
        standstills=tuple(_standstills(commit)),
        evidence=tuple([event.evidence for event in judged]),
        times=tuple([event.times for event in judged]),
        replies=replies,
        doubts=tuple(
            [
                Doubt(dispatch_id=each.event.dispatch_id, reason=each.event.reason)
                for each in commit.events
                if isinstance(each.event, e.DispatchInDoubt)
            ]
        ),
        stop_waits_s=_waits_s(commit),
    )


def _outcomes(commit: Commit) -> Iterator[Outcome]:
    """What the robot reported; a person's account of a step comes by their intent."""
    for each in commit.events:
        if isinstance(each.event, e.StepEnded) and each.actor == "robot":
            yield each.event.outcome


def _standstills(commit: Commit) -> Iterator[StandstillReport]:
    """In the order in which they were confirmed, which is that of the report."""
    own = {event.stop_id: event.by for event in bridge_stops(commit)}
    poses: dict[str, Pose | None] = {}
    for each in commit.events:
        if isinstance(each.event, e.StopConfirmed):
            poses[each.event.stop_id] = each.event.pose
    poses = {**poses, **dict.fromkeys(stop_id for stop_id in own if stop_id not in poses)}
    for stop_id, pose in poses.items():
        yield StandstillReport(stop_id=stop_id, pose=pose, by=own.get(stop_id, ""))


def bridge_stops(commit: Commit) -> list[e.StopAsked]:
    """Stops that the journal had from the bridge: made by itself, or asked of it directly."""
    return [
        each.event for each in commit.events if isinstance(each.event, e.StopAsked) and each.actor == "robot"
    ]


def _waits_s(commit: Commit) -> dict[str, float]:
    """Rounded when they were written, and past the bound all the same."""
    bound_s = math.nextafter(CONFIRM_WITHIN_S, math.inf)
    return {
        each.event.stop_id: max(each.event.waited_s, bound_s)
        for each in commit.events
        if isinstance(each.event, e.StopUnconfirmed)
    }


def _now_s(state: State, commit: Commit) -> float:
    """The database's clock as the tick read it: as an event holds it, or one that lets lapse what did."""
    for each in commit.events:
        exact_s = _held_in(each.event, state.mission.approval_expires_s)
        if exact_s is not None:
            return exact_s
    earliest_s, latest_s = _bounds(state, commit)
    return max(earliest_s, min(latest_s, commit.clock_s))


def _held_in(event: e.Event, approval_expires_s: float | None) -> float | None:
    if isinstance(event, e.ConnTaken | e.ConnRenewed):
        return _before(event.expires_s, CONN_LEASE_S)
    if isinstance(event, e.ConnAsked):
        return event.asked_s
    if isinstance(event, e.ApprovalRequested) and event.approval.expires_s is not None:
        return _before(event.approval.expires_s, approval_expires_s or 0.0)
    return None


def _before(sum_s: float, wait_s: float) -> float:
    """The number that gives `sum_s` when `wait_s` is added to it."""
    guess_s = sum_s - wait_s
    near_s = (guess_s, math.nextafter(guess_s, -math.inf), math.nextafter(guess_s, math.inf))
    return next((each for each in near_s if each + wait_s == sum_s), guess_s)


def _bounds(state: State, commit: Commit) -> tuple[float, float]:
    """Between which moments the clock must have been for this to lapse and that not to."""
    earliest_s, latest_s = [-math.inf], [math.inf]
    kinds = {type(each.event) for each in commit.events}
    codes = {each.settlement.code for each in commit.settled}
    conn, approval = state.conn, state.approval
    if conn is not None:
        _bound(conn.expires_s, e.ConnLapsed in kinds, earliest_s, latest_s)
    if approval is not None and approval.expires_s is not None and approval.status in UNANSWERED:
        lapsed = e.ApprovalExpired in kinds or "expired" in codes or approval.status is not PENDING
        _bound(approval.expires_s, lapsed, earliest_s, latest_s)
    for each in commit.settled:
        if not isinstance(each.intent.action, STOPPING):
            past_s = math.nextafter(each.intent.not_after_s, math.inf)
            _bound(past_s, each.settlement.code == "overdue", earliest_s, latest_s)
    return max(earliest_s), min(latest_s)


def _bound(moment_s: float, has_come: bool, earliest_s: list[float], latest_s: list[float]) -> None:
    if has_come:
        earliest_s.append(moment_s)
    else:
        latest_s.append(math.nextafter(moment_s, -math.inf))
