"""`quarterdeck mission run` as a shell runs it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.golden import bare_row
from tests.cli.program import quarterdeck


def test_dn14_headless_is_the_bare_loop_s(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "mission", "run", "recycling-dn14", "--seed", "0", "--json")

    assert done.code == 0, done.err
    result = done.json
    assert (result["outcome"], result["delivered"], result["total"]) == ("completed", 14, 14)
    row = result["steps"], result["context"], result["planner_calls"], result["stale_visits"]
    assert row == bare_row(0)


def test_s6_delivers_all_six_and_its_record_is_whole(tmp_path: Path) -> None:
    asked = ("recycling-s6", "--planner", "policy", "--approve", "auto", "--seed", "1", "--json")
    done = quarterdeck(tmp_path, "mission", "run", *asked)
    assert done.code == 0, done.err
    result = done.json

    assert list(result)[:5] == ["episode", "outcome", "delivered", "total", "steps"]
    assert list(result)[5:9] == ["context", "planner_calls", "stale_visits", "replans"]
    assert (result["outcome"], result["delivered"], result["total"]) == ("completed", 6, 6)
    verified = quarterdeck(tmp_path, "episodes", "verify", result["episode"], "--json")
    assert (verified.code, verified.json["faults"]) == (0, [])
    assert verified.json["events"] > 100


def test_a_named_memory_is_used_and_told_in_words(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "mission", "run", "recycling-s6", "--memory", "unfiltered")

    assert done.code == 0, done.err
    assert "completed. All 6 delivered to their stations" in done.out
    assert "quarterdeck episodes show recycling-s6-" in done.out
    listed = quarterdeck(tmp_path, "episodes", "list", "--json").json
    assert [(each["memory"], each["outcome"]) for each in listed] == [("unfiltered", "completed")]


def test_the_oracle_is_told_the_truth_by_the_bridge(tmp_path: Path) -> None:
    done = quarterdeck(tmp_path, "mission", "run", "recycling-live6", "--memory", "oracle", "--json")

    assert done.code == 0, done.err
    assert done.json["stale_visits"] == 0


def test_a_paced_world_may_be_run_headless(tmp_path: Path) -> None:
    asked = ("recycling-s6", "--clock", "runs", "--tick-s", "0.02", "--json")
    done = quarterdeck(tmp_path, "mission", "run", *asked)

    assert done.code == 0, done.err
    assert done.json["delivered"] == 6
