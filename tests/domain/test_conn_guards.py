"""The safety rules about who commands: each test fails when its guard is switched off."""

from __future__ import annotations

from backend.domain.command.conn import CONN_LEASE_S, GRACE_S
from backend.domain.command.intents import AskConn, TakeConn
from tests.domain.decide.test_approving import planned
from tests.domain.scripted import OPERATOR, OTHER


def test_nobody_s_conn_is_taken_unasked() -> None:
    script = planned()
    script.click(TakeConn())

    assert script.click(TakeConn(over=OPERATOR), OTHER).code == "conn_unasked"
    assert script.click(AskConn(), OTHER).applied
    assert script.click(TakeConn(over=OPERATOR), OTHER).code == "conn_waits"
    assert script.state.conn is not None
    assert script.state.conn.holder == OPERATOR
    script.now_s += GRACE_S
    assert script.click(TakeConn(over=OPERATOR), OTHER).applied


def test_a_robot_without_its_operator_is_held_where_the_mission_says_so() -> None:
    script = planned(on_operator_loss="hold_now")
    script.approve()
    script.wait(CONN_LEASE_S + 1)

    assert script.state.is_held
