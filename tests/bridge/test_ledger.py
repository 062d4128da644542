"""The ledger's contract, on both implementations; and what only a file can do: outlive its process, break,
fill up.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robot_bridge.ledger import KEPT_EVIDENCE, Ledger, LedgerError, MemoryLedger
from robot_bridge.sqlite_ledger import SCHEMA_VERSION, SqliteLedger, open_ledger

OUTCOME = {"result": "succeeded", "ended_s": 4.0}


@pytest.fixture(params=["memory", "sqlite"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Ledger:
    return MemoryLedger() if request.param == "memory" else SqliteLedger(tmp_path / "ledger.sqlite")


def test_the_highest_epoch_never_falls(ledger: Ledger) -> None:
    assert ledger.highest_epoch() == 0
    for epoch in (3, 5, 4):
        ledger.raise_epoch(epoch)

    assert ledger.highest_epoch() == 5


def test_a_dispatch_is_unknown_then_running_then_ended(ledger: Ledger) -> None:
    assert ledger.dispatch("d1") is None
    ledger.begin("d1", 2, {"skill": "grasp"}, 3.0)
    running = ledger.dispatch("d1")
    assert running is not None
    assert running == ledger.running()
    assert (running.epoch, running.step, running.state, running.begun_s) == (
        2,
        {"skill": "grasp"},
        "running",
        3.0,
    )

    ledger.end("d1", OUTCOME)

    ended = ledger.dispatch("d1")
    assert ended is not None
    assert (ended.state, ended.outcome) == ("ended", OUTCOME)
    assert ledger.running() is None


def test_executions_are_counted_by_dispatch(ledger: Ledger) -> None:
    """A second begin is a fault of the bridge; the ledger is where it shows."""
    for dispatch_id in ("d1", "d2", "d1"):
        ledger.begin(dispatch_id, 1, {}, 0.0)

    assert ledger.executions() == {"d1": 2, "d2": 1}


def test_a_buried_dispatch_has_ended_and_was_never_executed(ledger: Ledger) -> None:
    ledger.bury("d1", 1, OUTCOME)

    buried = ledger.dispatch("d1")
    assert buried is not None
    assert (buried.state, buried.executions, buried.outcome) == ("ended", 0, OUTCOME)


def test_stops_are_in_force_until_each_is_released(ledger: Ledger) -> None:
    ledger.latch("s1", "operator:ada")
    ledger.latch("s2", "bridge")
    ledger.confirm("s1")
    assert [(stop.id, stop.actor, stop.confirmed) for stop in ledger.latched()] == [
        ("s1", "operator:ada", True),
        ("s2", "bridge", False),
    ]

    ledger.release("s1")

    assert [stop.id for stop in ledger.latched()] == ["s2"]
    released = ledger.stop("s1")
    assert released is not None
    assert not released.latched
    assert ledger.stop("s3") is None
    assert ledger.stop_ids() == {"s1", "s2"}


def test_reports_are_numbered_and_kept_until_acknowledged(ledger: Ledger) -> None:
    assert ledger.last_report() == 0
    first = ledger.report("outcome", 1.0, {"outcome": OUTCOME})
    ledger.report("evidence", 2.0, {"evidence": {}})
    assert first == {"report": 1, "kind": "outcome", "met_s": 1.0, "outcome": OUTCOME}
    assert [each["report"] for each in ledger.kept_reports(0)] == [1, 2]
    assert [each["report"] for each in ledger.kept_reports(1)] == [2]

    ledger.acknowledge(1)
    ledger.acknowledge(2)

    assert ledger.kept_reports(0) == []
    assert ledger.report("outcome", 3.0, {})["report"] == 3
    assert ledger.last_report() == 3


def test_evidence_nobody_fetches_is_dropped_in_the_end_and_an_outcome_never(ledger: Ledger) -> None:
    with ledger.transaction():
        ledger.report("outcome", 0.0, {"outcome": OUTCOME})
        for _ in range(KEPT_EVIDENCE + 10):
            ledger.report("evidence", 1.0, {"evidence": {}})

    kept = ledger.kept_reports(0)
    assert kept[0]["kind"] == "outcome"
    assert len(kept) == KEPT_EVIDENCE + 1
    assert kept[-1]["report"] == KEPT_EVIDENCE + 11


def test_the_world_is_kept_as_it_was_saved_last(ledger: Ledger) -> None:
    assert ledger.load_world() is None
    ledger.save_world({"t": 1})
    ledger.save_world({"t": 2, "cells": [[0, 1]]})

    assert ledger.load_world() == {"t": 2, "cells": [[0, 1]]}


def test_the_world_s_past_is_kept_row_by_row(ledger: Ledger) -> None:
    assert ledger.history() == []
    ledger.keep_history([[0.0, 1, "floor"], [0.1, 2, "held"]])
    ledger.save_world({"t": 1})
    ledger.keep_history([[0.2, 2, "delivered"]])

    assert ledger.history() == [[0.0, 1, "floor"], [0.1, 2, "held"], [0.2, 2, "delivered"]]


class TestOnDisk:
    def test_everything_outlives_its_process(self, tmp_path: Path) -> None:
        before = open_ledger(tmp_path)
        before.raise_epoch(7)
        before.begin("d1", 7, {}, 0.0)
        before.latch("s1", "bridge")
        before.report("outcome", 1.0, {"outcome": OUTCOME})
        before.save_world({"t": 9})

        after = open_ledger(tmp_path)  # the first was never closed: a kill

        assert after.id == before.id
        assert not after.lost
        assert after.highest_epoch() == 7
        assert after.executions() == {"d1": 1}
        assert [stop.id for stop in after.latched()] == ["s1"]
        assert [each["report"] for each in after.kept_reports(0)] == [1]
        assert after.load_world() == {"t": 9}

    def test_numbers_are_not_given_twice_after_all_was_acknowledged(self, tmp_path: Path) -> None:
        before = open_ledger(tmp_path)
        before.report("outcome", 1.0, {})
        before.acknowledge(1)

        assert open_ledger(tmp_path).report("outcome", 2.0, {})["report"] == 2

    def test_a_transaction_that_fails_leaves_nothing(self, tmp_path: Path) -> None:
        ledger = open_ledger(tmp_path)

        with pytest.raises(LedgerError):
            latch_and_fail(ledger)

        assert ledger.latched() == ()
        ledger.latch("s2", "bridge")
        assert [stop.id for stop in ledger.latched()] == ["s2"]

    def test_a_full_disk_refuses_the_write_and_keeps_what_there_was(self, tmp_path: Path) -> None:
        ledger = open_ledger(tmp_path)
        ledger.raise_epoch(3)
        fill(ledger)

        with pytest.raises(LedgerError, match="The ledger took nothing: database or disk is full"):
            ledger.save_world({"pad": "x" * 500_000})

        assert ledger.highest_epoch() == 3
        assert ledger.load_world() is None

    @pytest.mark.parametrize(
        "harm",
        [
            pytest.param(lambda home: (home / "ledger.sqlite").unlink(), id="the file is gone"),
            pytest.param(
                lambda home: (home / "ledger.sqlite").write_bytes(b"no ledger" * 999), id="it is garbage"
            ),
            pytest.param(lambda home: swap(home), id="another ledger lies in its place"),
        ],
    )
    def test_a_ledger_that_is_lost_says_so_ever_after(
        self, tmp_path: Path, harm: Callable[[Path], Any]
    ) -> None:
        before = open_ledger(tmp_path)
        before.begin("d1", 1, {}, 0.0)
        before.close()

        harm(tmp_path)

        after = open_ledger(tmp_path)
        assert after.lost
        assert after.dispatch("d1") is None
        assert after.id != before.id
        after.close()
        assert open_ledger(tmp_path).lost

    def test_a_damaged_ledger_is_put_aside_and_not_thrown_away(self, tmp_path: Path) -> None:
        open_ledger(tmp_path).close()
        (tmp_path / "ledger.sqlite").write_bytes(b"no ledger" * 999)

        open_ledger(tmp_path)

        assert (tmp_path / "ledger.sqlite.damaged-1").read_bytes().startswith(b"no ledger")

    def test_a_ledger_of_the_first_version_goes_on(self, tmp_path: Path) -> None:
        old = open_ledger(tmp_path)
        old.begin("d1", 7, {}, 0.0)
        old._db.executescript("DROP TABLE history; PRAGMA user_version = 1;")
        old.close()

        ledger = open_ledger(tmp_path)
        ledger.keep_history([[1]])

        assert (ledger.executions(), ledger.history(), ledger.lost) == ({"d1": 1}, [[1]], False)

    def test_a_ledger_of_a_newer_version_is_not_touched(self, tmp_path: Path) -> None:
        ledger = open_ledger(tmp_path)
        ledger._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        ledger.close()

        with pytest.raises(LedgerError, match=r"written by a newer version; .* give another home"):
            open_ledger(tmp_path)


def latch_and_fail(ledger: SqliteLedger) -> None:
    with ledger.transaction():
        ledger.latch("s1", "bridge")
        ledger._execute("INSERT INTO nowhere VALUES (1)")


def fill(ledger: SqliteLedger) -> None:
    """No page more: what a full disk is to SQLite."""
    pages = ledger._db.execute("PRAGMA page_count").fetchone()[0]
    ledger._db.execute(f"PRAGMA max_page_count = {pages}")


def swap(home: Path) -> None:
    for part in home.glob("ledger.sqlite*"):
        part.unlink()
    SqliteLedger(home / "ledger.sqlite").close()
