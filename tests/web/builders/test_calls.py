"""Any call to the planner can be read, with the one before it and those beside it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from backend.domain.episode.events import PlanRequested
from backend.domain.query.query import Attempt
from backend.web.builders.chosen import Chosen, read_chosen
from backend.web.builders.exchange_panes import answer_text, as_curl
from tests.support.drill import CYCLE
from tests.web.builders.test_card import REPAIRED_TWICE, SEEN, drilled
from tests.web.moments import Screen, said

TWICE = drilled(*SEEN, *CYCLE, ("reply", 0))


def asked(screen: Screen) -> list[int]:
    return [each.seq for each in screen.drill.events if isinstance(each.event, PlanRequested)]


def test_an_earlier_call_stays_open_while_newer_ones_come() -> None:
    screen = Screen(TWICE)
    first, second = asked(screen)[:2]
    newest = screen.evidence("context").panel
    earlier = screen.evidence("context", newest.earlier).panel

    assert (earlier.decision, newest.decision) == (1, 2)
    assert (newest.earlier, newest.later, earlier.later) == (f"{first}.", "", f"{second}.")
    assert earlier.newest == str(earlier.open.number)
    assert {block.chosen.partition(".")[0] for block in earlier.blocks} == {str(first)}


def test_the_exchange_of_an_earlier_call_holds_its_own_attempts_alone() -> None:
    screen = Screen(TWICE)
    earlier = screen.evidence("exchange", f"{asked(screen)[0]}.").panel

    assert (earlier.decision, len(earlier.attempts)) == (1, 1)
    assert said(earlier.attempts[0].plan.text) == "Valid"


@pytest.mark.parametrize("which", [0, 1], ids=["by its first request", "by its repair"])
def test_a_repair_belongs_to_the_call_that_it_repairs(which: int) -> None:
    screen = Screen(drilled(*REPAIRED_TWICE))
    panel = screen.evidence("exchange", f"{asked(screen)[which]}.").panel

    assert [row.label for row in panel.attempts] == ["Ask", "Repair"]


def test_findings_stand_at_their_step_and_argument() -> None:
    panel = Screen(drilled(*REPAIRED_TWICE)).evidence("exchange", "1").panel
    steps = panel.right.plan.steps

    assert [(step.skill, [argument.is_bad for argument in step.arguments]) for step in steps] == [
        ("grasp", [True]),
        ("dance", []),
    ]
    assert all(len(step.findings) == 1 for step in steps)
    assert "nobody" in said(steps[0].findings[0].text)


def test_totals_stand_against_the_budgets() -> None:
    panel = Screen(drilled(*REPAIRED_TWICE)).evidence("exchange").panel

    assert [(line.label, line.text) for line in panel.budgets] == [
        ("Calls", "1 of 80"),
        ("Tokens", "240 of 1,500,000"),
        ("Known cost", "$0.0020, no bound"),
        ("Steps", "0 of 1,300"),
    ]


def test_a_cursor_before_a_call_does_not_show_it() -> None:
    screen = Screen(TWICE)
    first, second = asked(screen)[:2]

    panel = screen.evidence("context", f"{second}.", at=second - 1).panel
    assert (panel.decision, panel.later) == (1, "")
    assert screen.evidence("context", at=first).panel.decision == 1


READ = [
    ("", Chosen()),
    ("4", Chosen(part=4)),
    ("4:sent", Chosen(part=4, view="sent")),
    ("118.4:sent", Chosen(call=118, part=4, view="sent")),
    ("118.", Chosen(call=118)),
    (":planner", Chosen(view="planner")),
    ("-4", Chosen()),
    ("4:Sent!", Chosen()),
    ("9" * 40, Chosen()),
    ("٤", Chosen()),
]


@pytest.mark.parametrize(("text", "chosen"), READ, ids=[row[0][:12] or "nothing" for row in READ])
def test_reading_what_is_open(text: str, chosen: Chosen) -> None:
    assert read_chosen(text) == chosen


HOSTILE = "JSON\n$(touch /tmp/x) `id` 'quoted' \"double\" \\ ⚓"


def test_a_request_as_a_command_sends_exactly_that_request(tmp_path: Path) -> None:
    """A shell reads the command; a curl that only repeats what it is given stands in its place."""
    folder = tmp_path
    curl = folder / "curl"
    curl.write_text(
        f"#!{shutil.which('bash')}\nprintf '%s\\n' \"$@\" > {folder}/args\ncat > {folder}/body\n", "utf-8"
    )
    curl.chmod(0o755)
    request = {"model": "m", "messages": [{"role": "user", "content": HOSTILE}]}
    command = as_curl(Attempt(verdict="ok", api="chat", request=request))
    environment = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "QUARTERDECK_PLANNER_API_KEY": "k-1",
        "QUARTERDECK_PLANNER_BASE_URL": "http://127.0.0.1:9/v1",
    }
    subprocess.run([str(shutil.which("bash")), "-c", command], check=True, env=environment, timeout=60)

    assert json.loads((folder / "body").read_text("utf-8")) == request
    given = (folder / "args").read_text("utf-8").splitlines()
    assert given[0] == "http://127.0.0.1:9/v1/chat/completions"
    assert "Authorization: Bearer k-1" in given


def test_no_key_stands_in_the_command() -> None:
    command = as_curl(Attempt(verdict="ok", api="responses", request={"model": "m"}))

    assert re.findall(r"Bearer (\S+)", command) == ['$QUARTERDECK_PLANNER_API_KEY"']
    assert "/responses" in command


TEXTS = [
    ({"choices": [{"message": {"content": '{"a": 1}'}}]}, '{\n  "a": 1\n}'),
    ({"choices": [{"message": {"content": "", "reasoning_content": "well"}}]}, "well"),
    ({"choices": [{"message": {"content": None, "refusal": "no"}}]}, "no"),
    ({"output": [{"type": "reasoning"}, {"content": [{"text": "a"}, {"text": "b"}]}]}, "ab"),
    ({"output": [{"content": [{"refusal": "no"}]}]}, "no"),
    ({"choices": []}, ""),
    ({"choices": [7], "output": "x"}, ""),
    ({"output": [{"content": [{"text": 5}, "x"]}]}, ""),
    ({}, ""),
]


@pytest.mark.parametrize(("response", "text"), TEXTS, ids=[str(row[0])[:40] for row in TEXTS])
def test_the_model_s_own_words(response: dict[str, object], text: str) -> None:
    assert answer_text(response) == text
