"""When the page of who commands falls silent: what the mission says of that, and when."""

from __future__ import annotations

import pytest

from backend.domain.command.conn import CONN_LEASE_S, OnOperatorLoss
from backend.domain.command.intents import GiveUpConn, Release, RenewConn, TakeConn
from backend.domain.command.policy import RiskRules
from backend.domain.episode.events import ConnLapsed, StepDispatched, StopAsked
from tests.domain.decide.test_approving import planned
from tests.domain.scripted import OPERATOR, OTHER, Scripted, kinds


def running(rule: OnOperatorLoss) -> Scripted:
    """The first step of an approved plan is under way, and OPERATOR has the conn."""
    script = planned(on_operator_loss=rule, risk=RiskRules(belief_older_s=None))
    assert script.approve().applied
    assert script.state.dispatch is not None
    return script


RULES: dict[OnOperatorLoss, tuple[bool, bool]] = {
    "go_on": (False, False),
    "finish_skill_and_hold": (False, True),
    "hold_now": (True, True),
}
"""Whether the robot is held at once, and once its step has ended."""


@pytest.mark.parametrize(("rule", "held"), RULES.items(), ids=RULES.keys())
def test_what_the_mission_says_is_done(rule: OnOperatorLoss, held: tuple[bool, bool]) -> None:
    script = running(rule)
    script.wait(CONN_LEASE_S - 0.1)
    assert script.all(ConnLapsed) == []
    script.wait(0.2)

    assert script.last(ConnLapsed) == ConnLapsed(holder=OPERATOR, then=rule)
    assert script.state.conn is None
    assert script.state.is_held is held[0]
    script.end()
    assert script.state.is_held is held[1]
    assert len(script.all(StepDispatched)) == (1 if held[1] else 2)
    if held[1]:
        assert script.last(StopAsked).reason == f"Nobody commands: the page of {OPERATOR} fell silent"
        assert len(script.all(StopAsked)) == 1


def test_it_is_told_once_and_a_renewal_in_time_keeps_it_from_being_told() -> None:
    script = running("hold_now")
    script.now_s += CONN_LEASE_S - 1
    assert script.click(RenewConn()).applied
    script.wait(CONN_LEASE_S - 1)
    assert script.all(ConnLapsed) == []

    script.wait(2)
    script.wait(2)
    assert len(script.all(ConnLapsed)) == len(script.all(StopAsked)) == 1


def test_whoever_takes_the_conn_in_time_has_the_skill_end_without_a_hold() -> None:
    script = running("finish_skill_and_hold")
    script.wait(CONN_LEASE_S + 1)
    assert script.state.hold_owed == OPERATOR

    assert script.click(TakeConn(), OTHER).applied
    script.end()
    assert not script.state.is_held


def test_the_hold_is_released_like_any_other() -> None:
    script = running("hold_now")
    script.wait(CONN_LEASE_S + 1)
    (stop,) = script.state.stops
    script.stand_still(stop.id)
    script.end()

    assert script.click(Release(stop_ids=(stop.id,)), OTHER).applied
    script.wait(1)
    assert not script.state.is_held


def test_letting_go_is_no_loss_and_one_who_never_came_cannot_be_lost() -> None:
    script = running("hold_now")
    assert script.click(GiveUpConn()).applied
    script.wait(CONN_LEASE_S * 3)

    assert script.all(ConnLapsed) == []
    assert not script.state.is_held


def test_one_who_is_lost_while_the_robot_is_held_adds_no_second_hold() -> None:
    script = running("hold_now")
    script.stand_still("s9", by="somebody at the robot")
    assert script.state.is_held

    assert (
        kinds(script.wait(CONN_LEASE_S + 1)) == ["ConnLapsed", "StopUnconfirmed"]
        or len(script.state.stops) == 1
    )
    assert len(script.state.stops) == 1
