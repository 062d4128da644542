"""The fake planner as a program, and the script it is given."""

import json
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.support.checkout import ROOT
from tests.support.fake_planner import FakePlanner, flat

ASKED = {"model": "m", "messages": [{"role": "user", "content": "Holding: nothing"}]}


def get(url: str) -> dict[str, object]:
    with urlopen(url, timeout=10) as answer:
        return json.load(answer)


def post(url: str, body: object) -> dict[str, object]:
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_as_a_program_it_prints_its_address_serves_its_script_and_ends_when_told(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["garbage", {"do": "valid"}]')
    command = [sys.executable, "-m", "tests.support.fake_planner", "--port", "0", "--script", str(script)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        post(f"{url}/chat/completions", ASKED)
        post(f"{url.removesuffix('/v1')}/script", ["refusal"])
        post(f"{url}/responses", ASKED | {"input": ASKED["messages"]})

        seen = get(f"{url.removesuffix('/v1')}/requests")
    finally:
        process.terminate()

    assert process.wait(timeout=10) == 0
    assert seen["count"] == 2
    assert [row["did"] for row in seen["requests"]] == ["garbage", "refusal"]


def test_a_script_may_group_the_tries_of_a_decision() -> None:
    entries = list(flat(["valid", ["status_429", {"do": "slow", "seconds": 3}], "refusal"]))

    assert [entry["do"] for entry in entries] == ["valid", "status_429", "slow", "refusal"]


def test_an_unknown_behaviour_is_refused_before_anything_starts() -> None:
    with pytest.raises(ValueError, match="'dance' is no behaviour; choose one of valid, "):
        FakePlanner(["dance"])
