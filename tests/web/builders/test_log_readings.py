"""The log as a table and as the planner sees it, and notes beside what they took the place of."""

import pytest
from msgspec.structs import replace

from backend.domain.execution import log as execution
from backend.domain.execution.log import LogLine
from backend.domain.execution.notes import Note
from backend.domain.execution.outcome import Measured, Result
from backend.domain.geometry import Metric, Pose
from backend.web.builders.log import PAGE, goals_of, log_panel
from backend.web.builders.moment import Moment
from tests.web.builders.test_card import APPROVED, SEEN, drilled
from tests.web.moments import Screen, entry_of


def long(line_count: int, note_count: int, **switches: str) -> Moment:
    moment = Screen(drilled(*SEEN)).moment()
    state = moment.state
    log = tuple(
        LogLine(
            index=n, seq=10 * n, met_s=float(n), command=f"navigate can_{n}", result=Result.SUCCEEDED,
            reason="arrived", measured=Measured(pose=Pose(float(n), 0.0)),
        )
        for n in range(1, line_count + 1)
    )  # fmt: skip
    written = tuple(
        Note(seq=10 * n, decision=n, met_s=float(n), author="model", text=f"can_{n} is near")
        for n in range(1, note_count + 1)
    )
    memory = replace(state.mission.memory, **switches)
    mission = replace(state.mission, memory=memory)
    return replace(moment, state=replace(state, log=log, notes=written, mission=mission))


def test_the_planner_s_reading_is_word_for_word_what_is_sent() -> None:
    moment = long(20, 0, log="last_8")
    panel = log_panel(moment, (), ":planner")

    assert [line.text for line in panel.sent] == [execution.sentence(line) for line in moment.state.log]
    assert [line.is_shown for line in panel.sent] == [False] * 12 + [True] * 8
    assert panel.shown == "The planner is shown the last 8 of 20 lines"
    assert panel.lines == ()


SWITCHES = [
    ("full", "all 20 lines"),
    ("last_8", "the last 8 of 20 lines"),
    ("off", "no line: its memory leaves them out"),
]


@pytest.mark.parametrize(("switch", "says"), SWITCHES, ids=[row[0] for row in SWITCHES])
def test_it_says_how_much_the_planner_is_shown(switch: str, says: str) -> None:
    assert log_panel(long(20, 0, log=switch), (), "").shown == f"The planner is shown {says}"


def test_asked_against_measured() -> None:
    drill = drilled(*APPROVED, ("outcome", 0), ("outcome", 3))
    panel = Screen(drill).evidence("log").panel

    assert [(line.command, line.asked, line.off) for line in panel.lines] == [
        ("navigate bottle_1", "at 0.00, 0.00 m", ""),
        ("grasp bottle_1", "at 0.00, 0.00 m", ""),
    ]


def test_a_robot_found_elsewhere_than_asked_is_said_with_the_distance() -> None:
    drill = drilled(*APPROVED, ("outcome", 0))
    entries = [entry_of(recorded) for recorded in drill.events]
    [(seq, goal)] = goals_of(entries).items()
    moment = Screen(drill).moment()
    measured = replace(moment.state.log[0].measured, pose=Pose(goal.x_m + 1.5, goal.y_m))
    moved = replace(
        moment, state=replace(moment.state, log=(replace(moment.state.log[0], measured=measured),))
    )

    assert moved.state.log[0].seq == seq
    assert log_panel(moved, entries, "").lines[0].off == "1.50 m off"


@pytest.mark.parametrize(
    ("result", "away_m", "stands_off"),
    [(Result.SUCCEEDED, 0.45, True), (Result.SUCCEEDED, 0.80, False), (Result.STOPPED, 0.45, False)],
    ids=["it stands off from what it came to", "it came to nothing", "it never came there"],
)
def test_only_who_came_near_may_stand_off_from_it(result: Result, away_m: float, stands_off: bool) -> None:
    drill = drilled(*APPROVED, ("outcome", 0))
    entries = [entry_of(recorded) for recorded in drill.events]
    [(_, goal)] = goals_of(entries).items()
    moment = Screen(drill).moment()
    line = moment.state.log[0]
    pose = Pose(goal.x_m + away_m, goal.y_m)
    line = replace(line, result=result, measured=replace(line.measured, pose=pose))
    site = replace(moment.state.site, metric=Metric(kind="euclidean", length_m=0.5))
    state = replace(moment.state, site=site, log=(line,))

    [shown] = log_panel(replace(moment, state=state), entries, "").lines

    assert (shown.off, shown.stands_off) == (f"{away_m:.2f} m off", stands_off)


def test_a_note_beside_the_one_before_it() -> None:
    panel = log_panel(long(0, 3, notes="latest"), (), ":tablewords")

    assert [[(run.text, run.kind) for run in note.runs] for note in panel.notes] == [
        [],
        [("can_1", "removed"), ("can_2", "added"), (" is near", "same")],
        [("can_2", "removed"), ("can_3", "added"), (" is near", "same")],
    ]
    assert [note.is_shown for note in panel.notes] == [False, False, True]
    assert log_panel(long(0, 3), (), "").notes[1].runs == ()


def test_a_long_log_comes_in_pages() -> None:
    moment = long(2 * PAGE + 30, 0)
    newest = log_panel(moment, (), "")
    older = log_panel(moment, (), newest.earlier)
    oldest = log_panel(moment, (), older.earlier)

    pages = [panel.lines for panel in (oldest, older, newest)]
    assert [line.index for page in pages for line in page] == [str(n) for n in range(1, 2 * PAGE + 31)]
    assert (newest.later, oldest.earlier) == ("", "")
    assert [line.index for line in log_panel(moment, (), oldest.later).lines] == [
        line.index for line in older.lines
    ]


def test_a_reading_changes_nothing_of_the_other() -> None:
    panel = log_panel(long(3, 3), (), ":plannerwords")

    assert {choice.name: choice.chosen for choice in (*panel.readings, *panel.note_readings)} == {
        "table": ":tablewords",
        "planner": ":plannerwords",
        "written": ":planner",
        "words": ":plannerwords",
    }
