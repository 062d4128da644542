"""`quarterdeck evaluate planner`: over real HTTP to a server that is no model, and once more without any."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from backend.cli import app
from backend.planners.policy import PolicyPlanner
from backend.processes.exits import Exit
from tests.support.fake_planner import Entry, FakePlanner

Run = Callable[..., Result]
MODEL = "tiny-1"
METHODS = ("unfiltered", "attention")
TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "total_tokens")


def runner(home: Path, **settings: object) -> Run:
    """`evaluate ARGUMENTS` on a home of its own."""
    environment = {f"QUARTERDECK_PLANNER_{name.upper()}": str(value) for name, value in settings.items()}
    environment = {"QUARTERDECK_PLANNER_BACKOFF_S": "0.01", **environment}

    def invoke(*arguments: str, at: str = "evaluate") -> Result:
        return CliRunner().invoke(app, [*at.split(), *arguments, "--home", str(home)], env=environment)

    return invoke


def document_of(result: Result) -> dict[str, Any]:
    assert result.exit_code == Exit.OK, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.fixture
def serve() -> Iterator[Callable[..., FakePlanner]]:
    served: list[FakePlanner] = []

    def start(script: list[Entry] | None = None, **more: Any) -> FakePlanner:
        served.append(FakePlanner(script or [], **more).__enter__())
        return served[-1]

    yield start
    for each in served:
        each.__exit__()


@dataclass
class Recorded:
    """A finished study, run 1 of its home, whose server is gone."""

    run: Run
    first: dict[str, Any]
    told: str
    asked: int


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    home = tmp_path_factory.mktemp("recorded")
    with FakePlanner() as fake:
        run = runner(home, base_url=fake.url)
        done = run("planner", "--model", MODEL, "--seeds", "2", "--first-seed", "1", "--json")
        return Recorded(run, document_of(done), done.stderr, fake.count)


def test_each_episode_has_its_figures_and_its_episode_in_the_console(recorded: Recorded) -> None:
    episodes = recorded.first["episodes"]

    assert [(e["method"], e["seed"]) for e in episodes] == [(m, s) for m in METHODS for s in (1, 2)]
    for each in episodes:
        measured = each["extra"]
        assert (each["success"], each["delivered"], measured["deliveries"]) == (True, 6, 6)
        assert min(measured[name] for name in (*TOKENS, "latency_s", "model_calls")) > 0
        assert each["episode"] == f"live-6-{each['method']}-run-1-seed-{each['seed']}"
    assert sum(each["extra"]["requests"] for each in episodes) == recorded.asked


def test_each_method_has_means_with_intervals_beside_the_paper_s(recorded: Recorded) -> None:
    cells = {cell["method"]: cell for cell in recorded.first["cells"]}

    assert set(cells) == set(METHODS)
    for method, cell in cells.items():
        rows = [e["extra"]["input_tokens"] for e in recorded.first["episodes"] if e["method"] == method]
        low, high = cell["mean_intervals"]["input_tokens"]
        assert cell["means"]["input_tokens"] == sum(rows) / 2
        assert (low, high) == (min(rows), max(rows)), "of two values the interval is all there is"
    printed = cells["attention"]["published"]
    assert {name: printed[name]["value"] for name in ("input_tokens", "total_tokens", "model_calls")} == {
        "input_tokens": 2553,
        "total_tokens": 3294,
        "model_calls": 6.0,
    }
    assert printed["latency_s"] == {"value": 2.24, "interval": None, "n": 3, "where": "V-B"}
    saved = next(d for d in recorded.first["differences"] if d["metric"] == "input_tokens")
    assert (saved["method"], saved["minus"], saved["pairs"]) == ("attention", "unfiltered", 2)
    assert saved["published"]["relative"] == -0.144


def test_the_run_names_model_server_and_code_and_no_key(recorded: Recorded) -> None:
    asked = recorded.first["arms"][0]["asked"]

    assert (asked["model"], asked["api"], asked["tokens"]) == (MODEL, "chat", 1_500_000)
    assert recorded.first["code_version"].count("+") == 1
    assert recorded.first["arms"][0]["memory"]["attention"] == {
        **recorded.first["arms"][0]["memory"]["attention"],
        "k": 6,
        "decay_s": 16.0,
    }
    assert "api_key" not in json.dumps(recorded.first)
    assert f"{MODEL} at http://127.0.0.1" in recorded.told
    assert "schema enforced: yes" in recorded.told


def test_the_tables_have_methods_differences_and_episodes(recorded: Recorded) -> None:
    shown = recorded.run("show", "1").stdout

    assert "[2,553]" in shown
    assert "attention − unfiltered  2      input" in shown
    assert "[-14.4]" in shown
    assert "live-6-attention-run-1-seed-2" in shown
    assert document_of(recorded.run("show", "1", "--json")) == recorded.first


def test_recorded_answers_give_the_very_same_episodes_and_nobody_is_asked(recorded: Recorded) -> None:
    again = document_of(recorded.run("planner", "--planner", "recorded", "--from", "1", "--json"))

    assert again["episodes"] == recorded.first["episodes"], "figures, content digests, latencies"
    assert len({each["content"] for each in again["episodes"]}) == 4
    assert [arm["planner"] for arm in again["arms"]] == ["recorded"] * 2

    part = recorded.run(
        "planner", "--planner", "recorded", "--from", "1", "--method", "attention", "--first-seed", "2",
        "--seeds", "1", "--json",
    )  # fmt: skip
    assert document_of(part)["episodes"] == [recorded.first["episodes"][3]]


def test_each_episode_can_be_replayed_and_checked_in_the_console(recorded: Recorded) -> None:
    for each in recorded.first["episodes"]:
        shown = document_of(recorded.run(each["episode"], "--json", at="episodes show"))
        verified = document_of(recorded.run(each["episode"], "--json", at="episodes verify"))
        assert (shown["outcome"], shown["steps"], shown["tokens"]) == (
            "completed",
            each["steps"],
            each["extra"]["total_tokens"],
        )
        assert verified["content"] == each["content"]


def test_a_journal_that_no_longer_comes_out_the_same_is_told(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.domain.query.blocks._HISTORY", "Every report:")

    result = recorded.run("planner", "--planner", "recorded", "--from", "1", "--fresh")

    assert result.exit_code == Exit.CANNOT_START
    assert "Seed 1 of unfiltered goes another way than run 1 recorded." in result.stderr
    assert f"Play it with the code that recorded it: {recorded.first['code_version']}." in result.stderr


ONE = ("planner", "--model", MODEL, "--method", "attention", "--seeds", "2")


def test_a_server_that_stays_busy_ends_the_study_and_the_same_command_goes_on(
    tmp_path: Path, serve: Callable[..., FakePlanner]
) -> None:
    fake = serve(["valid"] * 7 + ["status_429"] * 2)
    run = runner(tmp_path, base_url=fake.url, retries=1)

    stopped = run(*ONE)
    (kept,) = json.loads(run("runs", "--json").stdout)

    assert stopped.exit_code == Exit.CANNOT_START
    assert "The server answered 429 (rate_limit_exceeded)" in stopped.stderr
    assert (kept["done"], kept["episodes"]) == (1, 2)

    fake.rewrite([])
    asked = fake.count
    finished = run(*ONE, "--json")
    assert "Run 1 goes on: 1 of 2 episodes are there." in finished.stderr
    assert [each["success"] for each in document_of(finished)["episodes"]] == [True, True]
    assert fake.count - asked == document_of(finished)["episodes"][1]["extra"]["requests"]


def test_a_refusal_is_the_model_s_result_and_the_study_goes_on(
    tmp_path: Path, serve: Callable[..., FakePlanner]
) -> None:
    run = runner(tmp_path, base_url=serve(["valid", "refusal"]).url)

    first, second = document_of(run(*ONE, "--json"))["episodes"]

    assert (first["outcome"], first["success"], first["extra"]["model_calls"]) == ("asks a person", False, 2)
    assert (second["outcome"], second["delivered"]) == ("completed", 6)
    shown = document_of(run(first["episode"], "--json", at="episodes show"))
    assert (shown["outcome"], shown["need"]) == ("aborted", ""), "nobody is waited for"


def test_an_interrupted_study_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runner(tmp_path)
    calls = []
    propose = PolicyPlanner.propose

    def interrupted(planner: PolicyPlanner, query: Any) -> Any:
        calls.append(query)
        if len(calls) == 9:
            raise KeyboardInterrupt
        return propose(planner, query)

    command = ("planner", "--planner", "policy", "--method", "attention", "--seeds", "2")
    with monkeypatch.context() as patched:
        patched.setattr(PolicyPlanner, "propose", interrupted)
        stopped = run(*command)

    assert stopped.exit_code == Exit.INTERRUPTED
    assert "Interrupted: 1 of 2 episodes are kept. The same command goes on." in stopped.stderr
    assert len(document_of(run(*command, "--json"))["episodes"]) == 2
    assert len(json.loads(run("runs", "--json").stdout)) == 1


def test_other_code_does_not_go_on_with_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runner(tmp_path)
    command = ("planner", "--planner", "policy", "--method", "attention", "--seeds", "1")
    with monkeypatch.context() as patched:
        patched.setattr("backend.evaluation.live_sweep.LiveSweep.play", _interrupt)
        assert run(*command).exit_code == Exit.INTERRUPTED
    monkeypatch.setattr("backend.rig.code_digest", lambda: "0123456789ab")

    refused = run(*command)

    assert refused.exit_code == Exit.CANNOT_START
    assert "Run 1 of this study stopped at 0 of 1 episodes." in refused.stderr
    assert "Start anew with --fresh, or go on with the code that began it." in refused.stderr
    assert document_of(run(*command, "--fresh", "--json"))["run"] == 2
    assert document_of(run(*command, "--json"))["run"] == 3, "a finished one is in nobody's way"


def _interrupt(sweep: object) -> None:
    raise KeyboardInterrupt


def test_a_server_that_is_not_there_starts_nothing(tmp_path: Path) -> None:
    run = runner(tmp_path, base_url="http://127.0.0.1:9/v1")

    result = run(*ONE)

    assert result.exit_code == Exit.CANNOT_START
    assert "http://127.0.0.1:9/v1 cannot be reached" in result.stderr
    assert json.loads(run("runs", "--json").stdout) == []


def test_a_model_that_the_server_does_not_know_starts_nothing(
    tmp_path: Path, serve: Callable[..., FakePlanner]
) -> None:
    run = runner(tmp_path, base_url=serve(models=("another",)).url)

    result = run(*ONE)

    assert result.exit_code == Exit.CANNOT_START
    assert "The server answered 404 (model_not_found)" in result.stderr
    assert json.loads(run("runs", "--json").stdout) == []


BAD = {
    "unknown method": (
        "--planner policy --method atention",
        "--method: There is no method 'atention'. Did you mean attention?",
    ),
    "unknown planner": ("--planner gpt", "Invalid value for '--planner'"),
    "zero seeds": ("--seeds 0", "Invalid value for '--seeds'"),
    "no workers": ("--workers 0", "Invalid value for '--workers'"),
    "no tokens": ("--tokens 0", "Invalid value for '--tokens'"),
    "seeds past the last": (
        "--planner policy --first-seed 2147483647 --seeds 2",
        "--first-seed: Seeds 2147483647 to 2147483648 are",
    ),
    "a model for the policy": ("--planner policy --model m", "--model: Planner policy has no use for it."),
    "a run for a model": ("--from 1", "--from: Planner openai has no use for it."),
    "no key": ("--model m", "QUARTERDECK_PLANNER_API_KEY"),
    "an empty model": ("--model=", "QUARTERDECK_PLANNER_MODEL is empty."),
    "recorded from nowhere": ("--planner recorded", "--from: Planner recorded needs a run to answer from."),
    "recorded from an unknown run": ("--planner recorded --from 7", "There is no run 7."),
    "not compared": (
        "--planner policy --compare oracle",
        "--compare: Method oracle is not in this study. It has unfiltered, attention.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_told_in_one_line_and_starts_nothing(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    run = runner(tmp_path)
    options, told = BAD[case]

    result = run("planner", *options.split())

    assert result.exit_code == Exit.BAD_INPUT
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert json.loads(run("runs", "--json").stdout) == []


def test_a_run_without_recordings_cannot_be_answered_from(tmp_path: Path) -> None:
    run = runner(tmp_path)
    run("memory", "--scenario", "s-6", "--method", "static", "--seeds", "1", "--workers", "1")
    file = tmp_path / "run.jsonl"
    run("export", "1", "--output", str(file))

    for source in ("1", str(file)):
        result = run("planner", "--planner", "recorded", "--from", source)
        assert result.exit_code == Exit.BAD_INPUT
        assert "no exchanges" in result.stderr or "no recorded exchanges" in result.stderr
