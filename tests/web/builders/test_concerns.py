"""What needs a person, in which order, and which occurrence of it was acknowledged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from backend.domain.command.alarms import Alarm
from backend.domain.command.approval import ApprovalStatus
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.log import LogLine
from backend.domain.execution.outcome import Measured, Result
from backend.domain.geometry import Pose
from backend.domain.memory.record import Field
from backend.domain.plans.validity import Cause
from backend.web.builders.alarms import holding, unjudged
from backend.web.builders.concerns import Concern, concerns_of, urgency
from backend.web.builders.episodes import episode_list
from backend.web.builders.listed import Listed
from backend.web.builders.queue import queue_body, queue_items, queue_view, returned_items
from tests.support.drill import NOW_S
from tests.web.builders.test_card import APPROVED, HELD, PLANNED, REPAIRED_TWICE, SEEN
from tests.web.builders.test_episode_rows import listed, summary
from tests.web.moments import ADA, WATCHER


def keys(each: Listed, later_s: float = 0.0) -> list[str]:
    return [concern.key for concern in concerns_of(each, NOW_S + later_s)]


def titles(each: Listed, later_s: float = 0.0) -> list[str]:
    return [concern.title for concern in concerns_of(each, NOW_S + later_s)]


def utc(s: float) -> str:
    return datetime.fromtimestamp(s, UTC).isoformat()


def failed(each: Listed, times: int) -> Listed:
    assert each.state is not None
    lines = tuple(
        LogLine(
            index=index,
            seq=index,
            met_s=1.0,
            command="grasp bottle_1",
            result=Result.FAILED,
            reason="grasp_slipped",
            measured=Measured(),
        )
        for index in range(times)
    )
    return replace(each, state=replace(each.state, log=lines))


def expired(each: Listed) -> Listed:
    assert each.state is not None
    assert each.state.approval is not None
    approval = replace(each.state.approval, status=ApprovalStatus.EXPIRED)
    return replace(each, state=replace(each.state, approval=approval))


RUNNING = listed(*APPROVED)
CASES = {
    "nothing is asked": (listed(*SEEN), []),
    "it executes": (RUNNING, []),
    "a plan waits": (listed(*PLANNED), ["Awaiting approval"]),
    "nobody decided in time": (expired(listed(*PLANNED)), ["Approval expired"]),
    "the validator rejected twice": (listed(*REPAIRED_TWICE), ["Needs help"]),
    "held": (listed(*HELD), ["Held"]),
    "in doubt": (listed(*APPROVED, ("doubt", 0)), ["Held", "Step in doubt"]),
    "no runner": (listed(*APPROVED, held_by=""), ["No runner"]),
    "a robot that is late": (replace(RUNNING, robot_age_s=4.0), ["Link stale"]),
    "a robot that is silent": (replace(RUNNING, robot_age_s=40.0), ["Link lost"]),
    "a robot that is heard": (replace(RUNNING, robot_age_s=2.9), []),
    "one failure": (failed(RUNNING, 1), []),
    "two failures in a row": (failed(RUNNING, 2), ["Fails again and again"]),
    "a budget near its end": (
        replace(RUNNING, budgets=Budgets(steps=42, decisions=None, tokens=None)),
        ["Budget near its end"],
    ),
    "a runner that keeps restarting": (
        replace(RUNNING, when={"runner.started": [utc(NOW_S - 300), utc(NOW_S - 200), utc(NOW_S - 9)]}),
        ["Runner keeps restarting"],
    ),
    "a runner that restarted long ago": (
        replace(RUNNING, when={"runner.started": [utc(NOW_S - 9000), utc(NOW_S - 8000), utc(NOW_S - 9)]}),
        [],
    ),
    "ended": (listed(*PLANNED, outcome="completed"), []),
}


@pytest.mark.parametrize(("each", "said"), CASES.values(), ids=CASES)
def test_what_needs_a_person(each: Listed, said: list[str]) -> None:
    assert titles(each) == said


def test_an_order_that_no_runner_takes_needs_somebody_after_a_minute() -> None:
    ordered = Listed(summary=summary(seq=0, ordered_utc=utc(NOW_S)))
    assert titles(ordered, 59.0) == []
    assert titles(ordered, 61.0) == ["Not started"]


def test_an_approval_that_soon_lapses_is_a_new_occurrence() -> None:
    waits = listed(*PLANNED)
    [early], [late] = keys(waits), keys(waits, 40.0)
    assert late == f"{early}:expiring"


def test_the_same_occurrence_keeps_its_key_while_time_goes_on() -> None:
    each = replace(failed(RUNNING, 2), budgets=Budgets(steps=42, decisions=None, tokens=None))
    assert keys(replace(each, robot_age_s=4.0)) == keys(replace(each, robot_age_s=5.0), 3.0)


def concern(episode: str, tone: str, left_s: float | None = None, since_s: float = 0.0) -> Concern:
    return Concern(
        episode=episode,
        key="k",
        tone=tone,  # type: ignore[arg-type]
        icon="ask",
        title="",
        text="",
        since_ms=int(1000 * (NOW_S + since_s)),
        ends_ms=None if left_s is None else int(1000 * (NOW_S + left_s)),
    )


def test_the_order_of_urgency() -> None:
    in_order = [
        concern("lapses", "ask", 9),
        concern("lapses next", "caution", 25),
        concern("alarm", "alarm"),
        concern("asked with a bound", "ask", 300),
        concern("asked long ago", "ask", since_s=-500),
        concern("asked just now", "ask", since_s=-5),
        concern("to judge", "caution"),
    ]
    shuffled = sorted(in_order, key=lambda each: each.tone)
    assert sorted(shuffled, key=lambda each: urgency(each, NOW_S)) == in_order


def test_what_somebody_has_seen_stands_apart_until_it_is_over() -> None:
    waits, held = listed(*PLANNED, episode="e1"), listed(*HELD, episode="e2")
    seen = replace(waits, seen={keys(waits)[0]: "bob"})
    view = queue_view(queue_items([seen, held], NOW_S), ADA)
    assert [item.episode for item in view.active] == ["e2"]
    assert [(item.episode, item.seen_by) for item in view.seen] == [("e1", "bob")]
    assert view.may_acknowledge
    assert not queue_view((), WATCHER).may_acknowledge
    groups = episode_list([seen, held], ADA, NOW_S, query="", show="all", ended_total=0).groups
    assert [(group.name, [row.episode for row in group.rows]) for group in groups] == [
        ("need", ["e2"]),
        ("seen", ["e1"]),
        ("run", []),
    ]


def test_a_tab_is_told_of_what_nobody_has_seen_and_when_something_changed() -> None:
    waits = listed(*PLANNED)
    body = queue_body(queue_items([waits], NOW_S), [waits])
    assert (body.active, body.seen, body.tone) == (1, 0, "ask")
    assert [item.key for item in body.items] == [f"e1 {keys(waits)[0]}"]
    same = queue_body(queue_items([waits], NOW_S + 1), [waits])
    assert (same.version, same.queue) == (body.version, body.queue)
    seen = replace(waits, seen={keys(waits)[0]: "bob"})
    after = queue_body(queue_items([seen], NOW_S), [seen])
    assert (after.active, after.seen, after.tone, after.items) == (0, 1, "quiet", ())
    assert after.queue != body.queue
    moved = replace(waits, summary=replace(waits.summary, seq=99))
    assert queue_body(queue_items([moved], NOW_S), [moved]).version != body.version


PROMPTS = {"a plan waits", "nobody decided in time", "the validator rejected twice", "held"}


@pytest.mark.parametrize("case", CASES)
def test_what_somebody_is_asked_is_no_alarm(case: str) -> None:
    """It ends by the answer alone; an alarm may end before anybody has seen it."""
    each, said = CASES[case]
    alarms = [alarm.title for alarm in holding([each], NOW_S)]
    assert alarms == (
        [] if case in PROMPTS else [title for title in said if title not in ("Held", "Step in doubt")]
    )


def test_a_link_is_one_condition_however_bad_it_is() -> None:
    late, lost = (holding([replace(RUNNING, robot_age_s=age_s)], NOW_S)[0] for age_s in (4.0, 40.0))
    assert late.condition == lost.condition
    assert late.key != lost.key
    assert lost.raised_s == NOW_S - 40.0


def test_a_robot_of_which_nobody_has_heard_is_not_judged() -> None:
    assert unjudged([RUNNING, replace(RUNNING, robot_age_s=1.0)]) == {("e1", "link")}
    assert unjudged([listed(*PLANNED, outcome="completed")]) == set()


def test_alarms_that_are_over_stand_apart_until_somebody_has_seen_them() -> None:
    [lost] = holding([replace(RUNNING, robot_age_s=40.0)], NOW_S)
    older, newer = (
        replace(lost, key="one", returned_s=NOW_S + 5),
        replace(lost, key="two", returned_s=NOW_S + 9),
    )
    alarms: list[Alarm] = [lost, older, replace(newer, seen_by="bob"), newer]
    over = returned_items(alarms, {"e1": "Drill"}, NOW_S + 69)
    assert [(item.key, item.mission, item.waited, item.lasted) for item in over] == [
        ("two", "Drill", "1:00", "49 s"),
        ("one", "Drill", "1:04", "45 s"),
    ]
    view = queue_view((), ADA, over)
    assert (view.active, view.seen, view.returned) == ((), (), over)
    body = queue_body((), [], over)
    assert (body.active, body.returned) == (0, 2)
    assert body.queue != queue_body((), []).queue


def test_of_a_silent_robot_one_reads_what_it_was_at() -> None:
    at_work, idle = (replace(each, robot_age_s=40.0) for each in (RUNNING, listed(*SEEN)))
    assert concerns_of(at_work, NOW_S)[0].text == "The robot is silent, last at navigate bottle_1"
    assert concerns_of(idle, NOW_S)[0].text == "The robot is silent, no step under way"


MOVED = Cause(
    kind="changed",
    message="pose of bottle_1 changed",
    entity="bottle_1",
    field=Field.POSE,
    old=Pose(1.0, 1.0),
    new=Pose(1.0, 3.0),
)
WHY = {
    "first": (Cause(kind="first", message="First plan"), ". First plan"),
    "the plan before ran to its end": (Cause(kind="completed", message="Plan 1 ran to its end"), ""),
    "a step failed": (Cause(kind="failed", message="Grasp failed"), ". Replan: grasp failed"),
    "a belief changed": (MOVED, ". Replan: pose of bottle_1 changed 2.00 m"),
    "something came": (replace(MOVED, old=None), ". Replan: bottle_1 became known or moved"),
    "a person made it": (None, ""),
}


@pytest.mark.parametrize(("cause", "said"), WHY.values(), ids=WHY)
def test_who_decides_reads_why_there_is_a_plan(cause: Cause | None, said: str) -> None:
    """And the line stays as it is until something happens, whatever the time."""
    waits = replace(listed(*PLANNED), cause=cause)
    for later_s in (0.0, 100.0):
        assert concerns_of(waits, NOW_S + later_s)[0].text == f"Approve plan 1 for bottle_1, 4 steps{said}"
