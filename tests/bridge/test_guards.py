"""The bridge's safety rules as tables."""

import pytest

from robot_bridge import guards
from robot_bridge.ledger import Dispatch
from robot_bridge.world import Clock

KNOWN = Dispatch("d1", 1, {}, "running", 1, 0.0, None)


@pytest.mark.parametrize(
    ("epoch", "highest", "refused"), [(1, 2, True), (2, 2, False), (3, 2, False), (0, 1, True)]
)
def test_a_stale_epoch_commands_nothing(epoch: int, highest: int, refused: bool) -> None:
    assert (guards.refuse_stale_epoch(epoch, highest) is not None) == refused


@pytest.mark.parametrize(("epoch", "highest", "refused"), [(1, 2, False), (2, 2, False), (3, 2, True)])
def test_an_epoch_commands_after_its_hello_only(epoch: int, highest: int, refused: bool) -> None:
    assert (guards.refuse_unannounced_epoch(epoch, highest) is not None) == refused


@pytest.mark.parametrize("known", [None, KNOWN], ids=["new", "known"])
def test_a_known_dispatch_is_answered_with_its_record(known: Dispatch | None) -> None:
    assert guards.refuse_known_dispatch(known) is known


@pytest.mark.parametrize(("latched", "refused"), [((), False), (("s1",), True), (("s1", "s2"), True)])
def test_nothing_moves_while_a_stop_is_in_force(latched: tuple[str, ...], refused: bool) -> None:
    assert (guards.refuse_while_latched(latched) is not None) == refused


@pytest.mark.parametrize(("running", "refused"), [(None, False), ("d1", True)])
def test_one_skill_at_a_time(running: str | None, refused: bool) -> None:
    assert (guards.refuse_while_running(running) is not None) == refused


@pytest.mark.parametrize(
    ("clock", "running", "silent_s", "trips"),
    [
        pytest.param("runs", "d1", 1.9, False, id="within the bound"),
        pytest.param("runs", "d1", 2.0, False, id="at the bound"),
        pytest.param("runs", "d1", 2.1, True, id="past the bound"),
        pytest.param("runs", None, 99.0, False, id="nothing is running"),
        pytest.param("waits", "d1", 99.0, False, id="a world that waits moves only when told to"),
    ],
)
def test_the_watchdog_trips(clock: Clock, running: str | None, silent_s: float, trips: bool) -> None:
    assert (guards.refuse_silence(clock, running, silent_s) is not None) == trips


def test_every_refusal_names_its_field_and_what_to_do() -> None:
    refusals = [
        guards.refuse_stale_epoch(1, 2),
        guards.refuse_unannounced_epoch(3, 2),
        guards.refuse_while_latched(("s1",)),
        guards.refuse_while_running("d1"),
        guards.refuse_silence("runs", "d1", 3.0),
    ]

    assert all(
        refusal and refusal.code and refusal.field and refusal.problem and refusal.remedy
        for refusal in refusals
    )
