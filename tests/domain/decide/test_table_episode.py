"""Decisions at a table: what the planner is told, the demonstration before it, and how the episode ends."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from backend.domain.demonstration.looks import Answer, Range
from backend.domain.episode.events import DemonstrationShown, EpisodeEnded, NoteWritten, PlanRefused
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.outcome import Judgement, Measured, Result
from backend.domain.plans.plan import Step, Watch
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, Query, Reply, Usage
from backend.domain.query.seen import Seen
from tests.domain.decide.table_script import INSTRUCTION, WAIT, AtTable, picture


def asked(script: AtTable) -> Query:
    assert script.state.request is not None
    return query_of(script.state, script.state.request)


def seen(script: AtTable) -> Seen:
    found = asked(script).facts.seen
    assert found is not None
    return found


def test_the_first_question_tells_task_arm_and_views() -> None:
    script = AtTable()

    assert script.block("goal") == INSTRUCTION
    assert "Step of the world: 0, 1300 left; 20 a second" in script.block("robot")
    assert "x -0.150, y 0.000, z 0.350 m" in script.block("robot")
    assert script.images("views") == ["first-front", "first-wrist"]
    assert "A press counts from 5 mm." in script.block("rules")
    assert script.block("records") == ""
    assert (seen(script).task, seen(script).step, seen(script).steps_left) == ("bin-fill", 0, 1300)


def test_what_is_told_of_the_task_is_the_same_under_every_memory() -> None:
    names = ("execution_grounded", "note_only", "no_log", "no_notes", "no_gating", "no_inspect")
    scripts = [AtTable(memory=memory) for memory in names]

    for block in ("goal", "rules", "robot", "views"):
        assert len({script.block(block) for script in scripts}) == 1


def test_after_an_action_the_views_are_new_and_what_is_held_stays_untold() -> None:
    script = AtTable()
    script.propose(WAIT, note="one cube is in")
    script.end()

    assert script.images("views") == ["after-front", "after-wrist"]
    assert "Step of the world: 20, 1280 left" in script.block("robot")
    assert "Gripper opening: 40 mm" in script.block("robot")
    assert script.block("log").startswith("1. step 20 wait 20 steps: succeeded (done);")
    assert script.block("notes") == "[decision 1] one cube is in"
    whole = "".join(block.text for block in asked(script).blocks)
    assert "cube_1" not in whole
    assert seen(script).last is not None
    assert [line.measured.held for line in seen(script).log] == [None]
    assert seen(script).opening_m == 0.04


FILM = WatchedFrames(
    camera="front",
    watch=Watch(((5.0, 5.0),), "front"),
    frames=(picture("f0", returned=True), picture("f1", returned=True), picture("f2")),
    withheld=1,
)


def test_returned_frames_are_shown_once_with_how_many_were_withheld() -> None:
    script = AtTable()
    script.propose(Step("wait", {"steps": 20}, Watch(((5.0, 5.0),), "front")))
    script.end(frames=FILM)

    assert script.images("frames") == ["f0", "f1"]
    assert "2 returned, 1 withheld" in script.block("frames")
    [returned] = seen(script).frames
    assert [frame.sha256 for frame in returned.watched.frames] == ["f0", "f1"]
    script.propose(Step("wait", {"steps": 1}), Step("wait", {"steps": 1}))
    assert script.images("frames") == ["f0", "f1"], "a repair is shown them again"
    assert len(seen(script).frames) == 1
    script.propose(WAIT)
    script.end()
    assert script.images("frames") == []
    assert seen(script).frames == ()


def test_two_steps_are_one_too_many_and_the_finding_says_so() -> None:
    script = AtTable()
    script.propose(WAIT, WAIT)

    assert script.state.dispatch is None
    assert "Give exactly one" in script.block("findings")
    assert any("Give exactly one" in told for told in seen(script).told)


def test_a_refused_command_moves_nothing_and_is_told_with_its_reason() -> None:
    script = AtTable()
    script.propose(Step("locate", {"camera": "front", "pixel": (3.0, 4.0)}))
    script.end(steps=0, result=Result.NOT_EXECUTED, reason="no_depth", message="Pixel (3, 4) has no depth.")

    assert "1. step 0 locate front (3, 4): NOT EXECUTED (no_depth)" in script.block("log")
    assert "It fell short: Pixel (3, 4) has no depth." in script.block("robot")
    assert seen(script).told == ("It fell short: Pixel (3, 4) has no depth.",)


@pytest.mark.parametrize(
    ("status", "message", "outcome", "said"),
    [
        ("success", "Two red cubes are in", "completed", "Two red cubes are in"),
        ("fail", "Pressed too early", "failed", "Pressed too early"),
        ("timeout", "1300 steps are over", "failed", "Out of time: 1300 steps are over"),
        ("error", "No path", "failed", "Motion planning failed: No path"),
    ],
)
def test_the_worlds_verdict_ends_the_episode(
    status: Literal["success", "fail", "timeout", "error"], message: str, outcome: str, said: str
) -> None:
    script = AtTable()
    script.propose(WAIT)
    script.end(verdict=Judgement(status=status, reason="because", message=message))

    [ended] = script.emitted(EpisodeEnded)
    assert (ended.outcome, ended.message) == (outcome, said)
    assert script.state.request is None


@pytest.mark.parametrize(
    ("budgets", "name"),
    [(Budgets(steps=20), "Step"), (Budgets(decisions=1), "Decisions"), (Budgets(tokens=0), "Tokens")],
    ids=["steps", "decisions", "tokens"],
)
def test_a_spent_budget_ends_it_before_the_next_call(budgets: Budgets, name: str) -> None:
    script = AtTable(budgets=budgets)
    if script.state.request is not None:
        script.propose(WAIT)
        script.end()

    [ended] = script.emitted(EpisodeEnded)
    assert ended.outcome == "budget"
    assert ended.message.startswith(f"{name} budget used up")


def test_a_demonstration_is_skimmed_and_inspected_and_summed_up_in_the_first_note() -> None:
    script = AtTable(film=200)
    assert script.block("goal") == INSTRUCTION
    assert len(script.images("demonstration")) == 24
    view = asked(script).facts.view
    assert view is not None
    assert [frame.sha256 for frame in view.frames][:2] == ["film-0", "film-8"]

    script.sum_up(Answer("a hand pushes", (Range(8, 11), Range(900, 901))))
    assert script.images("demonstration") == ["film-8", "film-10"]
    assert "a hand pushes" in script.block("summary")
    assert "Range 900-901 was refused" in script.block("told")
    script.sum_up(Answer("it pushes from the left", ()))
    script.sum_up(Answer("what: push\nside: left", ()))

    assert [shown.asked for shown in script.emitted(DemonstrationShown)] == [1, 2, 3]
    [note] = script.emitted(NoteWritten)
    assert (note.decision, note.text) == (0, "what: push\nside: left")
    assert script.block("notes") == "[decision 0] what: push\n  side: left"
    assert asked(script).facts.view is None
    assert script.state.spent.decisions == 1, "views are no decisions"


@pytest.mark.parametrize(
    ("memory", "planner", "frames"),
    [
        ("execution_grounded", "openai", 24),
        ("note_only", "openai", 24),
        ("no_inspect", "openai", 24),
        ("attention", "openai", 0),
        ("execution_grounded", "operator", 0),
    ],
    ids=["skim", "stride", "stride alone", "off", "a person has nobody to sum up for"],
)
def test_who_is_shown_a_demonstration(memory: str, planner: str, frames: int) -> None:
    script = AtTable(film=200, memory=memory, planner=planner)

    assert len(script.images("demonstration")) == frames


def test_an_unreadable_summary_is_asked_for_once_more_then_a_person_decides() -> None:
    script = AtTable(film=20)
    broken = Attempt(verdict="invalid_json", detail="The reply is no JSON.")

    script.fail(broken)
    assert "The reply is no JSON." in script.block("findings")
    assert script.state.request is not None
    script.fail(broken)

    assert script.state.request is None
    assert script.state.asks_person == "The reply is no JSON."


def test_a_plan_is_no_answer_to_a_view() -> None:
    script = AtTable(film=20)
    script.propose(WAIT)

    assert script.state.dispatch is None
    assert script.state.asks_person == "The planner gave no summary of the demonstration."
    assert script.emitted(PlanRefused) == []


def test_tokens_of_views_count_and_are_checked_before_the_next() -> None:
    script = AtTable(film=400, budgets=Budgets(tokens=100))
    request = script.state.request
    assert request is not None
    script.pass_()
    answer = Answer("nothing yet", ())
    paid = Attempt(verdict="ok", usage=Usage(total_tokens=100))
    script.pass_(
        replies=(Reply(decision=0, attempt=request.attempt, proposal=None, answer=answer, attempts=(paid,)),)
    )

    [ended] = script.emitted(EpisodeEnded)
    assert ended.message.startswith("Tokens budget used up")


def test_measurements_without_a_table_stay_out_of_the_writing() -> None:
    assert b"trace" not in msgspec.json.encode(Measured())
    assert b"tool" not in msgspec.json.encode(Measured())
