"""`quarterdeck evaluate`: what it prints, what it keeps, and what it says to bad input."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from backend.cli import app
from backend.commands.sweeping import pace
from backend.evaluation.export import COLUMNS
from backend.evaluation.sweep import Sweep
from backend.persistence.errors import StorageFull
from backend.processes.exits import Exit

Run = Callable[..., Result]

STUDY = ("memory", "--scenario", "s-6", "--method", "static,attention", "--seeds", "6", "--workers", "1")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`evaluate ARGUMENTS` on a home of its own."""

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["evaluate", *arguments, "--home", str(tmp_path / "home")])

    return invoke


def document_of(result: Result) -> dict[str, Any]:
    assert result.exit_code == Exit.OK, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_the_json_has_cells_differences_and_every_episode(run: Run) -> None:
    document = document_of(run(*STUDY, "--json"))

    cells = {cell["method"]: cell for cell in document["cells"]}
    assert set(cells) == {"static", "attention"}
    assert (cells["attention"]["scenario"], cells["attention"]["n"]) == ("s-6", 6)
    assert cells["attention"]["successes"] == 6
    assert cells["attention"]["interval"] == pytest.approx([0.6097, 1.0], abs=1e-4)
    assert {"steps", "context", "planner_calls", "stale_visits", "path_m"} <= set(cells["attention"]["means"])
    assert [(e["method"], e["seed"]) for e in document["episodes"]] == [
        (method, seed) for method in ("static", "attention") for seed in range(6)
    ]
    first = {"scenario": "s-6", "method": "static", "seed": 0, "success": True, "steps": 58, "context": 666}
    assert document["episodes"][0].items() >= {**first, "planner_calls": 6, "stale_visits": 0}.items()
    assert {(d["method"], d["minus"]) for d in document["differences"]} == {("attention", "static")}
    assert (document["code_version"], document["first_seed"], document["seeds"]) == (
        document["code_version"],
        0,
        6,
    )


def test_the_tables_name_cells_and_differences(run: Run) -> None:
    result = run(*STUDY)

    assert result.exit_code == Exit.OK
    assert "s-6       attention  6  100.0 (61.0–100.0)" in result.stdout
    assert "attention − static" in result.stdout
    assert "12 episodes in" in result.stderr


def test_the_paper_s_figures_stand_beside_and_what_is_not_met_says_why(run: Run) -> None:
    result = run(
        "memory", "--scenario", "dn-14", "--method", "attention,unfiltered", "--seeds", "2", "--workers", "1"
    )

    assert "[53,049]" in result.stdout
    assert "[-8.4, -10.7 to -6.4]" in result.stdout
    assert "Not met: steps of dn-14; at 1,000 seeds: 2.5 to 3 % shorter than printed." in result.stdout


def test_two_workers_give_what_one_gives(run: Run) -> None:
    one = document_of(run(*STUDY, "--json"))
    two = document_of(run(*STUDY[:-1], "2", "--json"))

    assert two["episodes"] == one["episodes"]
    assert two["cells"] == one["cells"]
    assert two["run"] != one["run"]


def test_an_interrupted_run_goes_on_and_fresh_starts_anew(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(sweep: Sweep) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Sweep, "play", interrupted)
        stopped = run(*STUDY)
    assert stopped.exit_code == Exit.INTERRUPTED
    assert "Interrupted: 0 of 12 episodes are kept. The same command goes on." in stopped.stderr

    again = run(*STUDY, "--json")
    assert "Run 1 goes on: 0 of 12 episodes are there." in again.stderr
    assert document_of(again)["run"] == 1
    assert document_of(run(*STUDY, "--json", "--fresh"))["run"] == 2


def test_other_code_does_not_go_on_with_an_interrupted_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(sweep: Sweep) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Sweep, "play", interrupted)
        run(*STUDY)
    monkeypatch.setattr("backend.rig.code_digest", lambda: "0123456789ab")

    refused = run(*STUDY)

    assert refused.exit_code == Exit.CANNOT_START
    assert "Run 1 of this study stopped at 0 of 12 episodes. Other code played them" in refused.stderr
    assert "+0123456789ab): in one table they would not compare. Start anew with --fresh" in refused.stderr
    assert document_of(run(*STUDY, "--json", "--fresh"))["run"] == 2


def test_a_full_disk_says_that_the_same_command_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(sweep: Sweep) -> Any:
        raise StorageFull("The disk is full.", field="home", remedy="Start again.")

    monkeypatch.setattr(Sweep, "play", full)
    stopped = run(*STUDY)

    assert stopped.exit_code == Exit.STORAGE
    assert "The disk is full. What was stored is kept. Free some space there; the same" in stopped.stderr


def test_one_episode_is_told_as_one(run: Run, tmp_path: Path) -> None:
    one = run("memory", "--scenario", "s-6", "--method", "static", "--seeds", "1", "--workers", "1")
    exported = run("export", "1", "--output", str(tmp_path / "one.csv"))

    assert "1 episode in " in one.stderr
    assert "Run 1: 1 episode. See it again" in one.stdout
    assert "A dash stands for the interval of one value" in one.stdout
    assert "1 episode of run 1 is in " in exported.stderr


@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("run.csv", (), "scenario,method"),
        ("run.CSV", (), "scenario,method"),
        ("run.txt", (), '{"quarterdeck_results"'),
        ("run.csv", ("--format", "jsonl"), '{"quarterdeck_results"'),
    ],
)
def test_an_export_has_the_format_that_its_name_ends_with(
    run: Run, tmp_path: Path, name: str, options: tuple[str, ...], begins: str
) -> None:
    run("memory", "--scenario", "s-6", "--method", "static", "--seeds", "1", "--workers", "1")

    assert run("export", "1", "--output", str(tmp_path / name), *options).exit_code == Exit.OK
    assert (tmp_path / name).read_text("utf-8").startswith(begins)


def test_runs_are_listed_shown_and_compared(run: Run) -> None:
    run(*STUDY)
    run(*STUDY)

    listed = json.loads(run("runs", "--json").stdout)
    compared = json.loads(run("compare", "1", "2", "--json").stdout)

    assert [(each["run"], each["done"], each["episodes"]) for each in listed] == [(2, 12, 12), (1, 12, 12)]
    assert "attention  6  100.0" in run("show", "1").stdout
    assert [each["pairs"] for each in compared] == [6, 6]
    assert {each["differences"]["steps"]["value"] for each in compared} == {0.0}


def test_a_run_is_exported_and_the_file_shown_like_the_run(run: Run, tmp_path: Path) -> None:
    run(*STUDY)
    file = tmp_path / "run.jsonl"

    assert run("export", "1", "--output", str(file)).exit_code == Exit.OK
    rows = list(csv.DictReader(run("export", "1", "--format", "csv").stdout.splitlines()))

    assert (
        document_of(run("show", str(file), "--json"))["cells"]
        == document_of(run("show", "1", "--json"))["cells"]
    )
    assert [tuple(row) for row in rows] == [COLUMNS] * 12
    assert run("show", str(file)).stdout.endswith(
        f"{file}: 12 episodes. See it again: quarterdeck evaluate show {file}\n"
    )
    assert run("show", "1").stdout.endswith("Run 1: 12 episodes. See it again: quarterdeck evaluate show 1\n")


BAD = {
    "unknown scenario": (
        "memory --scenario dn-41",
        "--scenario: There is no scenario 'dn-41'. Did you mean dn-14?",
    ),
    "unknown method": (
        "memory --method atention",
        "--method: There is no method 'atention'. Did you mean attention?",
    ),
    "no method": ("memory --method ,", "--method: There is no method ','."),
    "zero seeds": ("memory --seeds 0", "Invalid value for '--seeds'"),
    "no such seed": (
        "memory --first-seed 2147483647 --seeds 2",
        "--first-seed: Seeds 2147483647 to 2147483648 are",
    ),
    "too many": ("memory --seeds 100000000", "--seeds: 2,000,000,000 episodes are more than one run holds."),
    "no workers": ("memory --workers 0", "Invalid value for '--workers'"),
    "not compared": (
        "memory --method static --compare oracle",
        "--compare: Method oracle is not in this study. It has static.",
    ),
    "compared with nothing there is": (
        "memory --method static --compare statik",
        "--compare: There is no method 'statik'. Did you mean static?",
    ),
    "compared with all": ("memory --compare all", "--compare: There is no method 'all'."),
    "all and another": (
        "memory --scenario all,s-6",
        "--scenario: “all” stands alone. Give all, or s-6 without it.",
    ),
    "more seeds than there are": (
        "memory --seeds 99999999999999999999999",
        "--seeds: 1,999,999,999,999,999,999,999,980 episodes are more than one run holds.",
    ),
    "no such run": ("show 7", "There is no run 7. See: quarterdeck evaluate runs"),
    "no such file": ("show nowhere.jsonl", "nowhere.jsonl cannot be read: No such file or directory."),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_told_in_one_line_and_starts_nothing(run: Run, case: str) -> None:
    command, told = BAD[case]

    result = run(*command.split())

    assert result.exit_code == Exit.BAD_INPUT
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert json.loads(run("runs", "--json").stdout) == []


def test_a_scheduler_that_is_not_there_starts_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.evaluation.dask_pool.CONNECT_S", 0.5)

    result = run(*STUDY, "--dask", "tcp://127.0.0.1:9")

    assert result.exit_code == Exit.CANNOT_START
    assert "--dask: No Dask scheduler answers at tcp://127.0.0.1:9." in result.stderr
    assert json.loads(run("runs", "--json").stdout) == []


def test_results_of_another_version_are_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    file.write_text('{"quarterdeck_results": 0}\n')

    result = run("compare", str(file), str(file))

    assert result.exit_code == Exit.BAD_INPUT
    assert "old.jsonl is of results format 0; this version reads format 1." in result.stderr


def test_ablations_are_listed_with_their_questions(run: Run) -> None:
    result = run("ablation")

    assert result.exit_code == Exit.OK
    assert "How many records does the planner have to see?" in result.stdout


def test_an_ablation_prints_its_arms_and_writes_its_charts(run: Run, tmp_path: Path) -> None:
    result = run("ablation", "weights", "--seeds", "2", "--workers", "1", "--plots", str(tmp_path / "plots"))

    assert result.exit_code == Exit.OK, result.stderr
    assert "weights: How much less is the drone to be trusted than the robot?" in result.stdout
    assert "aerial weight 0.2  attention  2" in result.stdout
    charts = {file.name: file.read_text("utf-8") for file in (tmp_path / "plots").iterdir()}
    assert {"weights-success.svg", "weights-steps.svg", "weights-context.svg"} <= set(charts)
    assert all(chart.startswith("<svg") for chart in charts.values())


def test_ablations_as_json_have_cells_with_their_places(run: Run) -> None:
    result = run("ablation", "weights", "--seeds", "1", "--workers", "1", "--json")

    (document,) = json.loads(result.stdout)
    assert (document["ablation"], document["axis"]) == ("weights", "Aerial weight")
    assert [cell["x"] for cell in document["cells"]] == [0.2, 0.4, 0.6, 0.8, 1.0]


def test_an_unknown_ablation_and_a_folder_that_cannot_be_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    unknown = run("ablation", "decoy")
    unwritable = run(
        "ablation", "weights", "--seeds", "1", "--workers", "1", "--plots", str(tmp_path / "file")
    )

    assert unknown.exit_code == Exit.BAD_INPUT
    assert "There is no ablation 'decoy'. Did you mean decay?" in unknown.stderr
    assert unwritable.exit_code == Exit.STORAGE
    assert "cannot be written: " in unwritable.stderr


@pytest.mark.parametrize(
    ("played", "left", "took_s", "told"),
    [
        (0, 10, 1.0, ""),
        (50, 50, 10.0, "· 5.0 a second · 0:10 left"),
        (600, 60_000, 6.0, "· 100 a second · 10:00 left"),
        (10, 7_200, 10.0, "· 1.0 a second · 2:00:00 left"),
    ],
    ids=["nothing yet", "slow", "minutes", "hours"],
)
def test_the_pace_is_told_with_the_time_left(played: int, left: int, took_s: float, told: str) -> None:
    assert pace(played, left, took_s) == told
