"""The episode loop: committed before done; a lost answer is asked after, never sent again."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.command.intents import Abort, Approve, Hold, Intent, Reject, Release
from backend.domain.episode.events import (
    ApprovalRequested,
    EvidenceJudged,
    PlanRefused,
    StepDispatched,
    StepEnded,
)
from backend.domain.episode.evolve import fold
from backend.domain.execution.outcome import Result
from backend.domain.query.query import Query, Reply
from backend.usecases.ports import BridgeRefused, BridgeUnreachable, DispatchStatus
from tests.support.episodes import Played, play


class Wrapped:
    """Hands every command on to the real bridge; tests override one."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.submitted: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def submit(self, epoch: int, dispatch_id: str, *rest: Any) -> None:
        self.submitted.append(dispatch_id)
        self.inner.submit(epoch, dispatch_id, *rest)


class CommandLost(Wrapped):
    """The third command never arrives."""

    def submit(self, epoch: int, dispatch_id: str, *rest: Any) -> None:
        self.submitted.append(dispatch_id)
        if len(self.submitted) == 3:
            raise BridgeUnreachable("no answer within 1 s")
        self.inner.submit(epoch, dispatch_id, *rest)


class AnswerLost(Wrapped):
    """The third command arrives, its answer does not."""

    def submit(self, epoch: int, dispatch_id: str, *rest: Any) -> None:
        super().submit(epoch, dispatch_id, *rest)
        if len(self.submitted) == 3:
            raise BridgeUnreachable("no answer within 1 s")


class Refusing(Wrapped):
    def submit(self, epoch: int, dispatch_id: str, *rest: Any) -> None:
        self.submitted.append(dispatch_id)
        if len(self.submitted) == 2:
            raise BridgeRefused("held", "The robot is held.")
        self.inner.submit(epoch, dispatch_id, *rest)


class LedgerLost(CommandLost):
    def status(self, dispatch_id: str) -> DispatchStatus:
        return DispatchStatus(state="unknown", ledger_intact=False)


@pytest.mark.parametrize("kind", [CommandLost, AnswerLost, Refusing], ids=lambda kind: kind.__name__)
def test_a_mission_survives_a_faulty_submit_and_sends_nothing_twice(kind: type[Wrapped]) -> None:
    bridges: list[Wrapped] = []
    played = play(wrap=lambda inner: bridges.append(kind(inner)) or bridges[0]).run()
    assert played.loop.state.ending is not None
    assert played.loop.state.ending.outcome == "completed"
    assert len(bridges[0].submitted) == len(set(bridges[0].submitted))


def test_a_command_that_never_arrived_is_journalled_as_not_executed() -> None:
    played = play(wrap=CommandLost).run()
    outcomes = [r.event.outcome for r in played.episode.events if isinstance(r.event, StepEnded)]
    assert [o.reason for o in outcomes if o.result is Result.NOT_EXECUTED] == ["not_executed"]


def test_a_lost_ledger_holds_and_asks_a_person() -> None:
    played = play(wrap=LedgerLost)
    for _ in range(60):
        played.loop.tick()
    state = played.loop.state
    assert state.asks_person == "The bridge has lost its ledger: say what the robot did."
    assert state.is_held
    assert state.dispatch is not None
    assert state.dispatch.in_doubt


def test_every_dispatch_is_committed_before_it_is_submitted() -> None:
    committed_at_submit: list[bool] = []
    played: list[Played] = []

    class Checking(Wrapped):
        def submit(self, epoch: int, dispatch_id: str, *rest: Any) -> None:
            events = played[0].episode.events
            committed_at_submit.append(
                any(
                    isinstance(r.event, StepDispatched) and r.event.dispatch_id == dispatch_id for r in events
                )
            )
            super().submit(epoch, dispatch_id, *rest)

    played.append(play(wrap=Checking))
    played[0].run()
    assert committed_at_submit
    assert all(committed_at_submit)


def test_the_journal_folds_to_the_state_of_the_loop() -> None:
    played = play("dn-14", seed=3).run()
    assert fold(played.episode.events) == played.loop.state


def test_the_same_seed_gives_the_same_journal() -> None:
    first, second = (play("dn-14", seed=4).run().episode.events for _ in range(2))
    assert first == second


def test_a_planner_that_breaks_asks_a_person_and_the_loop_goes_on() -> None:
    class Broken:
        def propose(self, query: Query) -> Reply:
            raise ZeroDivisionError("division by zero")

    played = play(planner=Broken())
    for _ in range(5):
        played.loop.tick()
    assert "The planner broke: ZeroDivisionError" in played.loop.state.asks_person
    assert any(isinstance(r.event, PlanRefused) for r in played.episode.events)


def test_nothing_moves_until_a_person_approves_and_then_it_does() -> None:
    played = play(policy="every_plan")
    for _ in range(10):
        played.loop.tick()
    assert played.world.executed == 0
    played.inbox.put(_intent("i1", _approve(played)))
    for _ in range(5):
        played.loop.tick()
    assert played.world.executed > 0
    assert played.inbox.outcome("i1") is not None


def test_a_hold_stops_at_once_and_the_rest_is_asked_for_anew_after_release() -> None:
    played = play(policy="every_plan")
    for _ in range(4):
        played.loop.tick()
    played.inbox.put(_intent("i1", _approve(played)))
    for _ in range(2):
        played.loop.tick()
    played.inbox.put(_intent("i2", Hold(stop_id="s1")))
    for _ in range(3):
        played.loop.tick()
    moved = played.world.executed
    for _ in range(10):
        played.loop.tick()
    assert played.world.executed == moved
    assert played.loop.state.stops[0].confirmed
    played.inbox.put(_intent("i3", Release(stop_ids=("s1",))))
    for _ in range(3):
        played.loop.tick()
    assert not played.loop.state.is_held
    assert played.world.executed == moved
    played.inbox.put(_intent("i4", _approve(played)))
    for _ in range(3):
        played.loop.tick()
    assert played.world.executed > moved


def test_a_late_deny_stops_the_run() -> None:
    played = play(policy="every_plan")
    for _ in range(4):
        played.loop.tick()
    approve = _approve(played)
    played.inbox.put(_intent("i1", approve))
    for _ in range(3):
        played.loop.tick()
    played.inbox.put(
        _intent("i2", Reject(approval_id=approve.approval_id, reason="People there", stop_id="s1"))
    )
    for _ in range(3):
        played.loop.tick()
    state = played.loop.state
    assert state.is_held
    assert state.plan is None
    assert state.dispatch is None
    assert [said.text for said in state.guidance] == ["People there"]


def test_an_abort_ends_the_episode_and_says_what_is_held() -> None:
    played = play(policy="auto")
    while played.loop.state.robot.held is None:
        played.loop.tick()
    held = played.loop.state.robot.held
    played.inbox.put(_intent("i1", Abort(stop_id="s1", reason="Gripper hot")))
    played.run(50)
    last = played.episode.events[-1].event
    assert (last.outcome, last.held) == ("aborted", held)  # type: ignore[union-attr]


def test_initial_records_are_judged_once() -> None:
    played = play("dn-14").run()
    initial = [
        r
        for r in played.episode.events
        if isinstance(r.event, EvidenceJudged) and r.event.evidence.source == "initial"
    ]
    assert len(initial) == 14


def _approve(played: Played) -> Approve:
    asked = [r.event.approval for r in played.episode.events if isinstance(r.event, ApprovalRequested)][-1]
    return Approve(approval_id=asked.id, plan_digest=asked.pins.plan_digest, pins_digest=asked.pins_digest)


def _intent(intent_id: str, action: Any) -> Intent:
    return Intent(id=intent_id, actor="operator-1", role="operator", action=action, not_after_s=2000.0)


class TestAnotherLedger:
    """A runner that takes up an episode finds a bridge whose ledger is not the one the step was sent to."""

    def taken_up(self, ledger_id: str) -> Played:
        played = play(policy="auto")
        while played.loop.state.dispatch is None:
            played.loop.tick()
        state = played.loop.state
        assert state.dispatch is not None
        sent_to = replace(state.dispatch, ledger_id="before")
        taken = play(policy="auto")
        taken.episode.events = list(played.episode.events)
        taken.loop.state = replace(state, dispatch=sent_to)
        taken.loop._helm.state = taken.loop.state
        taken.loop.resume((), ledger_id)
        taken.loop.tick()
        return taken

    def test_nobody_claims_that_the_step_never_ran(self) -> None:
        state = self.taken_up("after").loop.state
        assert state.dispatch is not None
        assert state.dispatch.in_doubt
        assert state.is_held

    def test_the_same_ledger_is_believed(self) -> None:
        state = self.taken_up("before").loop.state
        assert not state.is_held
        assert state.last_outcome is not None
        assert state.last_outcome.result is Result.NOT_EXECUTED
