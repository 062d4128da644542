"""The report: what the journal says, of the end or of any moment, on one page."""

import re

import pytest
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy
from backend.domain.episode import events as e
from backend.usecases.reading import EpisodeSummary
from backend.web.builders.report import MOST_DECISIONS, report_page, told_decisions
from backend.web.builders.report_lines import KINDS, decision_lines, failure_lines
from backend.web.pages.report import DecisionLine, ReportPage
from tests.support.drill import Drill, whole
from tests.web.builders.test_card import SEEN, drilled
from tests.web.examples.frame import CHROME
from tests.web.html import elements
from tests.web.moments import ADA, Screen, entry_of
from tests.web.stand import Stand

WHOLE = whole()


def reported(drill: Drill, at: int | None = None, head: int | None = None) -> ReportPage:
    screen = Screen(drill, head=head)
    desk = screen.desk
    moment = desk.moment(drill.episode, ADA, at)
    entries = [
        entry
        for entry in map(entry_of, drill.events[: moment.state.seq])
        if entry.kind in ("episode.opened", *KINDS)
    ]
    summary = EpisodeSummary(
        episode=drill.episode, ordered_by="ada", ordered_utc="", request={}, held_by="", address=""
    )
    return report_page(CHROME, moment, summary, entries, desk.map(moment))


def test_each_plan_has_who_decided_and_what_came_of_it() -> None:
    drill = drilled(*SEEN, ("reply", 0), ("approve", 1), ("outcome", 1), ("outcome", 3))
    [line] = decision_lines([entry_of(each) for each in drill.events])

    assert (line.number, line.author, line.what) == ("1", "policy", "4 steps for bottle_1")
    assert re.fullmatch(r"ada at 00:00:\d\d", line.decided)
    assert line.came.startswith("Dropped after 1 of 4 steps")


def test_a_rejection_keeps_its_words() -> None:
    drill = drilled(*SEEN, ("reply", 0), ("reject", 2))
    [line] = decision_lines([entry_of(each) for each in drill.events])

    assert "rejected by ada" in line.decided
    assert "zwölf" in line.decided


def test_every_failure_of_a_long_episode_is_told() -> None:
    lines = failure_lines([entry_of(each) for each in WHOLE.events])
    failed = [
        each.seq
        for each in WHOLE.events
        if (isinstance(each.event, e.StepEnded) and each.event.outcome.result != "succeeded")
        or isinstance(each.event, e.PlanRefused | e.StopAsked | e.StopUnconfirmed | e.DispatchInDoubt)
    ]

    assert [line.seq for line in lines] == failed
    assert failed


def test_a_replayed_report_is_the_one_that_was_live() -> None:
    """But for its cursor, and that it says of which moment it is."""
    for seq in range(2, len(WHOLE.events), 9):
        replayed, live = reported(WHOLE, at=seq), reported(WHOLE, head=seq)
        for name in ("outcome", "facts", "figures", "map", "decisions", "failures", "more_failures"):
            assert getattr(replayed, name) == getattr(live, name), f"{name} at {seq}"


@pytest.mark.parametrize("seq", [2, 20, len(WHOLE.events)])
def test_it_says_of_which_moment_it_is(seq: int) -> None:
    page = reported(WHOLE, at=seq if seq < len(WHOLE.events) else None)

    assert (page.as_of == "") is (seq == len(WHOLE.events))
    assert page.outcome == ("Aborted" if seq == len(WHOLE.events) else "Goes on")


def test_it_stays_one_page() -> None:
    page = reported(WHOLE)

    assert len(page.decisions) <= MOST_DECISIONS
    numbers = [int(line.number) for line in page.decisions]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("count", "failed", "told"),
    [
        pytest.param(0, (), (), id="none"),
        pytest.param(3, (1,), (0, 1, 2), id="all of few"),
        pytest.param(9, (), (0, 1, 7, 8), id="the ends"),
        pytest.param(9, (4,), (0, 4, 8, 1), id="what failed between them"),
        pytest.param(9, (2, 3, 4, 5), (0, 4, 5, 8), id="the latest that failed"),
    ],
)
def test_plans_that_failed_are_left_out_last(
    count: int, failed: tuple[int, ...], told: tuple[int, ...]
) -> None:
    lines = [
        DecisionLine(
            number=str(index),
            seq=index + 1,
            met="00:00:00",
            author="policy",
            what="5 steps",
            why="",
            decided="",
            came="",
            tone="caution" if index in failed else "quiet",
        )
        for index in range(count)
    ]

    assert [int(line.number) for line in told_decisions(lines, 4)] == sorted(told)


def test_a_whole_mission_reported(stand: Stand, client: TestClient) -> None:
    played = stand.play(policy=Policy(mode="auto"))
    played.until(lambda state: state.ending is not None)
    page = client.get(f"/episodes/{played.episode}/report").text

    assert "Completed" in page
    assert f"{len(played.state.delivered)} of 6" in page
    [drawn] = [each for each in elements(page) if each.get("class") == "rm-path"]
    assert len(str(drawn.get("points")).split()) > len(played.state.log)
    assert "policy, unasked" in page
    assert "Nothing failed, and nobody stopped it." in page


def test_it_names_the_versions_that_ran() -> None:
    facts = {fact.label: fact.value for fact in reported(drilled(*SEEN)).facts}

    assert facts["Mission"] == "drill, its file"
    assert facts["Site"] == "yard, version 1"


def test_no_such_episode_has_no_report(client: TestClient) -> None:
    assert client.get("/episodes/nowhere/report").status_code == 404
