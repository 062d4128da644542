"""The conn: one operator commands at a time, taking over is explicit, and watching is never commanding."""

from __future__ import annotations

import pytest

from backend.domain.command.conn import ASKED_FOR_S, CONN_LEASE_S, GRACE_S
from backend.domain.command.intents import (
    Abort,
    Action,
    AskAgain,
    AskConn,
    GiveUpConn,
    Guide,
    HandOverConn,
    Hold,
    KeepConn,
    Propose,
    Reject,
    Release,
    RenewConn,
    Resolve,
    TakeConn,
)
from backend.domain.episode.events import ConnRenewed, ConnTaken, IntentRefused
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
    "another's, unasked": (OPERATOR, TakeConn(over=OPERATOR), OTHER, "operator", False),
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


def asked() -> Scripted:
    """OTHER has asked OPERATOR for the conn."""
    script = planned()
    script.click(TakeConn())
    assert script.click(AskConn(reason="I see the robot."), OTHER).applied
    return script


AFTER = {
    "at once": (0.0, "conn_waits", False),
    "before the grace is over": (GRACE_S - 0.1, "conn_waits", False),
    "when it is over": (GRACE_S, "applied", True),
    "long after": (GRACE_S + ASKED_FOR_S, "conn_unasked", False),
}


@pytest.mark.parametrize(("later_s", "code", "applied"), AFTER.values(), ids=AFTER.keys())
def test_who_asked_takes_over_once_the_grace_is_over(later_s: float, code: str, applied: bool) -> None:
    script = asked()
    while later_s > 0:
        script.now_s += min(later_s, 30.0)
        later_s -= 30.0
        script.click(RenewConn())

    settlement = script.click(TakeConn(over=OPERATOR), OTHER)

    assert (settlement.code, settlement.applied) == (code, applied)
    assert holder(script) == (OTHER if applied else OPERATOR)
    if applied:
        assert script.last(ConnTaken).how == "no answer came"


def test_the_holder_hands_over_to_whoever_asked_and_to_nobody_else() -> None:
    script = asked()
    assert script.click(HandOverConn(to="operator-3")).code == "conn_not_asked"
    assert script.click(HandOverConn(to=OTHER), OTHER).code == "conn"

    assert script.click(HandOverConn(to=OTHER)).applied
    assert holder(script) == OTHER
    assert (script.last(ConnTaken).over, script.last(ConnTaken).how) == (OPERATOR, "handed over")
    assert script.click(HandOverConn(to=OTHER), OTHER).code == "conn_not_asked"


def test_a_refused_request_takes_nothing_over_and_may_be_made_again() -> None:
    script = asked()
    assert script.click(KeepConn(asked_by=OTHER, reason="Nearly done.")).applied
    script.now_s += GRACE_S + 1

    settlement = script.click(TakeConn(over=OPERATOR), OTHER)
    assert settlement.message == f"{OPERATOR} keeps the conn: Nearly done.."
    assert script.click(AskConn(), OTHER).applied
    assert script.click(TakeConn(over=OPERATOR), OTHER).code == "conn_waits"


ASKS: dict[str, tuple[str, str, str]] = {
    "twice": (OTHER, "operator", "conn_asked"),
    "after somebody else": ("operator-3", "operator", "conn_asked"),
    "for one's own": (OPERATOR, "operator", "conn_yours"),
    "as a viewer": (VIEWER, "viewer", "role"),
}


@pytest.mark.parametrize(("actor", "role", "code"), ASKS.values(), ids=ASKS.keys())
def test_asking_in_vain(actor: str, role: str, code: str) -> None:
    script = asked()

    assert script.click(AskConn(), actor, role).code == code
    assert script.state.conn is not None
    assert script.state.conn.asked is not None
    assert script.state.conn.asked.by == OTHER


def test_a_conn_that_nobody_has_is_taken_and_not_asked_for() -> None:
    assert planned().click(AskConn()).code == "conn_free"


def test_taking_what_one_has_forgets_no_request() -> None:
    script = asked()
    assert script.click(TakeConn()).applied
    assert script.state.conn is not None
    assert script.state.conn.asked is not None


def test_the_conn_runs_out_with_a_page_that_fell_silent() -> None:
    script = planned()
    script.click(TakeConn())
    script.now_s += CONN_LEASE_S - 0.1
    assert script.click(TakeConn(), OTHER).code == "conn"

    script.now_s += 0.2
    assert script.click(TakeConn(), OTHER).applied


def test_renewals_that_come_faster_than_once_a_second_are_one() -> None:
    """A script that renews in a loop keeps the conn and fills no journal."""
    script = planned()
    script.click(TakeConn())
    for _ in range(50):
        script.wait(0.1)
        assert script.click(RenewConn()).applied

    assert len(script.all(ConnRenewed)) == 5
    assert holder(script) == OPERATOR


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
