"""The study with a real, small model: it plans badly, and every figure and exchange of that is kept.

Opt-in; `tests/support/local_model.py` says what it needs:

    python -m pytest -m slow tests/commands/test_evaluate_local_model.py
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backend.cli import app
from backend.processes.exits import Exit
from tests.support.local_model import NAME, local_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def test_a_small_model_is_measured_and_its_study_repeated_without_it(tmp_path: Path) -> None:
    def evaluated(*options: str) -> dict[str, object]:
        command = ["evaluate", "planner", *options, "--json", "--home", str(tmp_path)]
        done = CliRunner().invoke(app, command, env=environment)
        assert done.exit_code == Exit.OK, done.stderr
        document: dict[str, object] = json.loads(done.stdout)
        return document

    with local_model() as address:
        environment = {
            "QUARTERDECK_PLANNER_BASE_URL": address,
            "QUARTERDECK_PLANNER_MAX_OUTPUT_TOKENS": "400",
            "QUARTERDECK_PLANNER_DEADLINE_S": "240",
            "QUARTERDECK_PLANNER_TRY_TIMEOUT_S": "240",
            "QUARTERDECK_PLANNER_RETRIES": "0",
        }
        first = evaluated("--model", NAME, "--seeds", "2")
    again = evaluated("--planner", "recorded", "--from", "1")

    episodes = first["episodes"]
    assert isinstance(episodes, list)
    assert len(episodes) == 4
    for each in episodes:
        measured = each["extra"]
        assert each["outcome"] in ("asks a person", "budget", "completed")
        assert measured["input_tokens"] > measured["query_size"] > 100
        assert min(measured["output_tokens"], measured["latency_s"], measured["model_calls"]) > 0
    assert again["episodes"] == episodes
