"""A runner killed around the commit of a command: it counts once, or lapses; what it set off is what the
journal says; nothing goes to the robot that nobody let go. And the same while who commands is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.conn import CONN_LEASE_S, OnOperatorLoss
from backend.domain.command.intents import (
    Action,
    AskConn,
    Correct,
    Edit,
    HandOverConn,
    Instruct,
    Release,
    SetPolicy,
    TakeConn,
)
from backend.domain.command.policy import Policy
from backend.domain.decide.blast import Blast
from backend.domain.decide.correcting import rehearse
from backend.domain.episode import events as e
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Result
from backend.domain.memory.corrections import Move
from tests.domain.scripted import approving
from tests.usecases.crashing import Mortal


def edited(state: State) -> Action:
    approval, plan = state.approval, state.plan
    assert approval is not None
    assert plan is not None
    return Edit(
        approval_id=approval.id,
        plan_digest=approval.pins.plan_digest,
        pins_digest=approval.pins_digest,
        steps=plan.steps[:1],
        seen_seq=state.seq,
    )


def corrected(state: State) -> Action:
    assert state.approval is not None
    entity = str(state.approval.pins.fields[0].entity)
    correction = Move(entity=entity, x_m=0.0, y_m=0.0)
    blast = rehearse(state, correction, "ada", state.met_s)
    assert isinstance(blast, Blast)
    seen = {entity: state.memory.records[entity].revision}
    return Correct(correction=correction, seen=seen, blast=blast.digest)


def decreed(state: State) -> Action:
    return SetPolicy(policy=replace(state.policy, mode="every_skill"), shown=state.policy.digest)


COMMANDS: dict[str, tuple[Callable[[State], Action], type]] = {
    "an edited plan": (edited, e.ApprovalEdited),
    "a correction": (corrected, e.RecordCorrected),
    "another policy": (decreed, e.PolicyChanged),
    "other instructions": (lambda state: Instruct(text="Slowly.", shown=""), e.InstructionsChanged),
    "an approval": (lambda state: approving(state.approval), e.ApprovalGranted),  # type: ignore[arg-type]
    "the conn handed over": (lambda state: HandOverConn(to="bob"), e.ConnTaken),
}


def waiting() -> Mortal:
    """A plan waits, ada has the conn, and bob has asked for it."""
    runner = Mortal(Policy(mode="every_plan"), None, 1)
    while runner.state.approval is None or runner.state.approval.status is not ApprovalStatus.PENDING:
        runner.tick()
    runner.click(TakeConn(), "ada")
    runner.click(AskConn(), "bob")
    runner.tick()
    return runner


@pytest.mark.parametrize("in_time", [True, False], ids=["taken up in time", "too late"])
@pytest.mark.parametrize("point", ["before append", "after append"])
@pytest.mark.parametrize(("command", "event"), COMMANDS.values(), ids=COMMANDS)
def test_a_command_counts_once_or_lapses(
    command: Callable[[State], Action], event: type, point: str, in_time: bool
) -> None:
    runner = waiting()
    before = len(_of(runner, event))
    runner.click(command(runner.state), "ada")
    runner.fuse.lit = point

    runner.tick()
    assert runner.lives == 2, "it died there"
    runner.clock[0] += 1.0 if in_time else 11.0
    runner.tick(3)

    counts = point == "after append" or in_time
    assert len(_of(runner, event)) - before == (1 if counts else 0)
    refused = [each.code for each in _of(runner, e.IntentRefused)]
    assert refused == ([] if counts else ["overdue"])
    assert fold(runner.episode.events) == runner.state
    assert not runner.inbox.take()[0], "nothing of it waits to be decided again"
    assert len(set(runner.robot.sent)) == len(runner.robot.sent)
    assert not runner.robot.sent or (counts and event is e.ApprovalGranted)


LOST: dict[OnOperatorLoss, tuple[bool, Result | None]] = {
    "go_on": (False, Result.SUCCEEDED),
    "finish_skill_and_hold": (True, Result.SUCCEEDED),
    "hold_now": (True, Result.STOPPED),
}
"""Whether the robot ends up held, and how the step ends that was under way."""


@pytest.mark.parametrize("point", ["", "before append", "after append", "after stop"])
@pytest.mark.parametrize("rule", LOST)
def test_who_commands_is_lost_while_a_runner_dies(rule: OnOperatorLoss, point: str) -> None:
    runner = Mortal(Policy(mode="auto"), None, 1, rule)
    runner.click(TakeConn(), "ada")
    while runner.state.dispatch is None:
        runner.tick()
    under_way = runner.state.dispatch.id
    runner.clock[0] += CONN_LEASE_S + 0.1
    runner.fuse.lit = point

    runner.tick(12)

    held, result = LOST[rule]
    assert [each.then for each in _of(runner, e.ConnLapsed)] == [rule]
    ended = {each.outcome.dispatch_id: each.outcome.result for each in _of(runner, e.StepEnded)}
    # A runner that dies before it could stop the robot may find the step at its end.
    assert ended[under_way] is result or (point.endswith("append") and rule == "hold_now")
    assert runner.state.is_held is held
    assert (len(runner.robot.sent) > 1) is not held
    if held:
        stops = tuple(each.id for each in runner.state.stops)
        assert len(stops) == 1
        runner.click(Release(stop_ids=stops), "bob")
        runner.tick(4)
        assert not runner.state.is_held


def _of(runner: Mortal, kind: type) -> list[Any]:
    return [each.event for each in runner.episode.events if isinstance(each.event, kind)]
