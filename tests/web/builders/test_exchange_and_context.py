"""What was sent and what came back: blocks with their differences, attempts with their verdicts."""

import pytest

from backend.domain.query.query import Attempt, Reply, Usage
from tests.support.drill import Drill
from tests.web.builders.test_card import PLANNED, REPAIRED_TWICE, SEEN, drilled
from tests.web.moments import Screen, said


def test_nothing_was_sent_before_the_first_call() -> None:
    screen = Screen(drilled())
    assert screen.evidence("context").panel.empty.title == "Nothing was sent yet"
    assert screen.evidence("exchange").panel.empty.title == "No exchange yet"


def test_blocks_add_up_to_the_whole() -> None:
    panel = Screen(drilled(*SEEN)).evidence("context").panel
    assert [block.name for block in panel.blocks][:4] == [
        "Goal and completion",
        "Robot and last outcome",
        "Rules, stations, skills",
        "Retrieved records",
    ]
    assert sum(block.share for block in panel.blocks) == pytest.approx(1.0)
    assert panel.total == f"≈ {sum(int(block.size) for block in panel.blocks)}"


def test_the_first_call_has_nothing_to_differ_from() -> None:
    panel = Screen(drilled(*SEEN)).evidence("context").panel
    assert (panel.change, panel.open.view) == ("–", "sent")
    assert not any(block.is_changed for block in panel.blocks)


def test_a_block_is_read_as_a_difference_from_the_call_before() -> None:
    screen = Screen(drilled(*PLANNED, ("evidence", 21)))
    panel = screen.evidence("context").panel
    assert (panel.open.name, panel.open.view) == ("Retrieved records", "difference")
    assert {line.kind for line in panel.open.lines} >= {"added", "changed"}
    [changed] = [line for line in panel.open.lines if line.kind == "changed"]
    assert "".join(run.text for run in changed.runs if run.kind != "removed") == changed.text
    sent = screen.evidence("context", "4:sent").panel.open
    assert sent.view == "sent"
    assert {line.kind for line in sent.lines} == {"same"}


@pytest.mark.parametrize("chosen", ["", "0", "99:sent", "x", "4:nonsense", "-1"])
def test_a_choice_that_makes_no_sense_opens_the_usual_block(chosen: str) -> None:
    assert Screen(drilled(*SEEN)).evidence("context", chosen).panel.open.name == "Retrieved records"


def test_a_repair_is_a_second_attempt_of_the_same_call() -> None:
    panel = Screen(drilled(*REPAIRED_TWICE)).evidence("exchange").panel
    assert [(row.number, row.label, said(row.plan.text)) for row in panel.attempts] == [
        (1, "Ask", "2 findings"),
        (2, "Repair", "2 findings"),
    ]
    assert (panel.totals.label, panel.totals.tokens_in, panel.totals.cost) == ("Both", "200", "$0.0020")
    assert panel.left.title == "Findings sent back"
    assert [choice.label for choice in panel.left.choices] == ["Findings", "Request", "curl"]
    assert [choice.label for choice in panel.right.choices] == ["Plan", "Answer"]


def test_the_request_can_be_read_beside_the_findings() -> None:
    panel = Screen(drilled(*REPAIRED_TWICE)).evidence("exchange", "2:request").panel
    assert (panel.left.title, panel.right.title) == ("Request", "Plan of attempt 2")
    panel = Screen(drilled(*REPAIRED_TWICE)).evidence("exchange", "1:curlanswer").panel
    assert (panel.left.title, panel.right.title) == ("Request as a command", "Answer, attempt 1")


VERDICTS = [
    ("ok", "Enforced", "quiet"),
    ("refusal", "Refused to answer", "alarm"),
    ("incomplete", "Cut short", "alarm"),
    ("invalid_json", "No JSON", "alarm"),
    ("invalid_schema", "Wrong shape", "alarm"),
    ("timeout", "Timed out", "alarm"),
    ("api_error", "Provider error", "alarm"),
]


@pytest.mark.parametrize(("verdict", "word", "tone"), VERDICTS, ids=[row[0] for row in VERDICTS])
def test_verdict(verdict: str, word: str, tone: str) -> None:
    row = Screen(answered(verdict)).evidence("exchange").panel.attempts[0]
    assert (said(row.reply.text), row.reply.tone) == (word, tone)


def test_a_sum_of_what_is_not_all_known_is_not_written() -> None:
    drill = drilled(*SEEN, ("reply", 4))
    request = drill.state.request
    attempt = Attempt(verdict="timeout", usage=Usage())
    drill.tick(
        replies=(
            Reply(decision=request.decision, attempt=request.attempt, proposal=None, attempts=(attempt,)),
        )
    )
    totals = Screen(drill).evidence("exchange").panel.totals
    assert (totals.tokens_in, totals.cost) == ("–", "–")


def answered(verdict: str) -> Drill:
    drill = drilled(*SEEN)
    request = drill.state.request
    attempt = Attempt(verdict=verdict, detail="The server says no.")  # type: ignore[arg-type]
    reply = Reply(decision=request.decision, attempt=request.attempt, proposal=None, attempts=(attempt,))
    drill.tick(replies=(reply,))
    return drill
