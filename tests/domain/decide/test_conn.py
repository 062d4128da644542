"""The conn: one operator commands at a time, taking over is explicit, and watching is never commanding."""

from __future__ import annotations

import pytest

from backend.domain.command.intents import (
    Abort,
    Action,
    AskAgain,
    GiveUpConn,
    Guide,
    Hold,
    Propose,
    Reject,
    Release,
    RenewConn,
    Resolve,
    TakeConn,
)
from backend.domain.decide.settling import CONN_LEASE_S
from backend.domain.episode.events import ConnTaken, IntentRefused
from tests.domain.decide.test_approving import planned
from tests.domain.scripted import OPERATOR, OTHER, VIEWER, Scripted, approving, collect


def holder(script: Scripted) -> str | None:
    return None if script.state.conn is None else script.state.conn.holder


def test_a_command_takes_a_conn_that_nobody_has() -> None:
    script = planned()

    assert script.approve().applied
    assert holder(script) == OPERATOR
    assert script.last(ConnTaken).over is None


TAKEN = {
    "free": (None, TakeConn(), OTHER, "operator", True),
    "mine already": (OPERATOR, TakeConn(), OPERATOR, "operator", True),
    "another's, taken unawares": (OPERATOR, TakeConn(), OTHER, "operator", False),
    "another's, taken over by name": (OPERATOR, TakeConn(over=OPERATOR), OTHER, "operator", True),
    "another's, over somebody else": (OPERATOR, TakeConn(over="operator-3"), OTHER, "operator", False),
    "by an admin, unawares": (OPERATOR, TakeConn(), OTHER, "admin", False),
    "by an admin, over its holder": (OPERATOR, TakeConn(over=OPERATOR), OTHER, "admin", True),
    "by a viewer": (None, TakeConn(), VIEWER, "viewer", False),
}


@pytest.mark.parametrize(("held_by", "action", "actor", "role", "applied"), TAKEN.values(), ids=TAKEN.keys())
def test_taking_the_conn(held_by: str | None, action: TakeConn, actor: str, role: str, applied: bool) -> None:
    script = planned()
    if held_by is not None:
        script.click(TakeConn(), held_by)

    assert script.click(action, actor, role).applied is applied
    assert holder(script) == (actor if applied else held_by)


def test_the_conn_runs_out_with_a_page_that_fell_silent() -> None:
    script = planned()
    script.click(TakeConn())
    script.now_s += CONN_LEASE_S - 0.1
    assert script.click(TakeConn(), OTHER).code == "conn"

    script.now_s += 0.2
    assert script.click(TakeConn(), OTHER).applied


def test_the_conn_is_renewed_by_its_holder_alone() -> None:
    script = planned()
    script.click(TakeConn())
    script.now_s += 50.0

    assert script.click(RenewConn(), OTHER).code == "conn"
    assert script.click(RenewConn()).applied
    assert script.state.conn is not None
    assert script.state.conn.expires_s == script.now_s + CONN_LEASE_S
    script.now_s += CONN_LEASE_S + 0.1
    assert script.click(RenewConn()).code == "conn"


def test_the_conn_is_given_up_by_its_holder_alone() -> None:
    script = planned()
    assert script.click(GiveUpConn()).code == "conn"
    script.click(TakeConn())

    assert script.click(GiveUpConn(), OTHER).code == "conn"
    assert script.click(GiveUpConn()).applied
    assert holder(script) is None


COMMANDS: dict[str, Action] = {
    "approve": approving(planned().approval),
    "reject": Reject(approval_id="e1-a1", reason="", stop_id="s1"),
    "abort": Abort(stop_id="s1"),
    "release": Release(stop_ids=("s1",)),
    "propose": Propose(steps=collect("can_1"), seen_seq=1),
    "ask again": AskAgain(),
    "guide": Guide(text="Left."),
    "resolve": Resolve(dispatch_id="e1-d1", executed=False, account="It stood."),
}


@pytest.mark.parametrize("action", COMMANDS.values(), ids=COMMANDS.keys())
def test_no_command_overtakes_the_one_who_has_the_conn(action: Action) -> None:
    script = planned()
    script.click(TakeConn(), OTHER)

    settlement = script.click(action)

    assert (settlement.code, settlement.message) == ("conn", f"{OTHER} has the conn.")
    assert holder(script) == OTHER
    assert script.state.plan is not None
    assert script.last(IntentRefused).by == OPERATOR


@pytest.mark.parametrize("action", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_viewer_commands_nothing(action: Action) -> None:
    script = planned()

    settlement = script.click(action, VIEWER, "viewer")

    assert (settlement.code, settlement.remedy) == ("role", "Ask an operator.")
    assert script.state.conn is None


@pytest.mark.parametrize(("actor", "role"), [(VIEWER, "viewer"), (OPERATOR, "operator"), (OTHER, "admin")])
def test_anyone_may_hold_whoever_has_the_conn(actor: str, role: str) -> None:
    script = planned()
    script.click(TakeConn(), "operator-3")

    assert script.click(Hold(stop_id="s1"), actor, role).applied
    assert script.state.is_held
    assert holder(script) == "operator-3"
