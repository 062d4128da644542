"""The phase: the one thing worth knowing first, tried in the order of how much it matters."""

import pytest

from backend.domain.command.intents import Hold, Intent
from tests.support.drill import NOW_S
from tests.web.builders.test_card import APPROVED, HELD, PLANNED, REPAIRED_TWICE, SEEN, drilled
from tests.web.moments import ADA, BOB, WATCHER, Screen, said

PHASES = {
    "asked": (SEEN, "Planning", "Call 1, 1.0 s", "quiet"),
    "proposed": (PLANNED, "Awaiting approval", "Plan 1, robot standing by", "ask"),
    "running": (APPROVED, "Executing", "Step 1 of 4, navigate bottle_1", "quiet"),
    "no valid plan": (
        REPAIRED_TWICE,
        "The planner needs help",
        "The planner's plan broke the rules twice.",
        "ask",
    ),
    "asked to stop": (HELD, "Stopping", "Asked 0.0 s ago, not confirmed", "pending"),
    "stop not confirmed": (
        (*HELD, ("unconfirmed", 0)),
        "Stop not confirmed",
        "Asked 1.0 s ago, not confirmed. See to the robot",
        "alarm",
    ),
    "stopped": ((*HELD, ("standstill", 0)), "Held by ada", "Bridge confirmed 08:00:06", "alarm"),
    "in doubt": ((*APPROVED, ("doubt", 0)), "Stopping", "Asked 0.0 s ago, not confirmed", "pending"),
    "in doubt, still": (
        (*APPROVED, ("doubt", 0), ("standstill", 0)),
        "Held by Quarterdeck",
        "Bridge confirmed 08:00:06",
        "alarm",
    ),
    "aborted": (
        (*PLANNED, ("abort", 0), ("standstill", 0), ("wait", 0)),
        "Aborted",
        "Aborted by ada: enough.",
        "quiet",
    ),
}


@pytest.mark.parametrize(("moves", "title", "detail", "tone"), PHASES.values(), ids=PHASES)
def test_phase(moves: tuple[tuple[str, int], ...], title: str, detail: str, tone: str) -> None:
    phase = Screen(drilled(*moves)).bar().phase
    assert (phase.title, said(phase.detail), phase.tone) == (title, detail, tone)


def test_a_silent_robot_matters_more_than_its_plan() -> None:
    phase = Screen(drilled(*APPROVED), ages_s={"robot:rover": 18.0}).bar().phase
    assert (phase.title, said(phase.detail), phase.tone) == ("Link lost", "Robot silent for 18 s", "alarm")


def test_an_episode_that_nobody_runs_says_so() -> None:
    screen = Screen(drilled(*APPROVED), held_by="")
    assert screen.bar().phase.title == "Link lost"
    assert [(link.label, link.text, link.state) for link in screen.bar().links[:2]] == [
        ("Server", "0.0 s", "fresh"),
        ("Rover", "no runner", "down"),
    ]


def test_a_replay_says_what_the_live_episode_waits_for() -> None:
    phase = Screen(drilled(*PLANNED)).bar(at=3).phase
    assert (phase.title, said(phase.detail), phase.tone) == ("Replay", "Live waits for you: plan 1", "replay")


@pytest.mark.parametrize(
    ("age_s", "text", "state"),
    [(0.26, "0.2 s", "fresh"), (2.99, "2.9 s", "fresh"), (3.0, "3.0 s", "stale"), (18.2, "18 s", "down")],
)
def test_links_age(age_s: float, text: str, state: str) -> None:
    link = Screen(drilled(*SEEN), ages_s={"robot:rover": age_s}).bar().links[1]
    assert (link.key, link.text, link.state) == ("robot:rover", text, state)


def test_a_late_source_is_stale_and_never_lost() -> None:
    ages_s = {"robot:rover": 0.1, "source:aerial": 40.0, "source:onboard": 9.0, "source:initial": 99.0}
    assert [(link.label, link.state) for link in Screen(drilled(*SEEN), ages_s=ages_s).bar().links] == [
        ("Server", "fresh"),
        ("Rover", "fresh"),
        ("Drone", "stale"),
        ("Planner", "idle"),
    ]


@pytest.mark.parametrize(
    ("moves", "user", "label", "offers"),
    [
        (SEEN, ADA, "Nobody has the conn", ("take",)),
        (SEEN, WATCHER, "Nobody has the conn", ()),
        ((("take", 0),), ADA, "You have the conn", ("give_up",)),
        ((("take", 0),), BOB, "Has the conn", ("ask",)),
        ((("take", 0),), WATCHER, "Has the conn", ()),
    ],
    ids=["free", "free, a viewer", "mine", "another's", "another's, a viewer"],
)
def test_conn(moves: tuple[tuple[str, int], ...], user: object, label: str, offers: tuple[str, ...]) -> None:
    conn = Screen(drilled(*moves)).bar(user=user).conn
    assert (conn.label, conn.offers) == (label, offers)


def waiting_hold() -> tuple[Intent, ...]:
    hold = Hold(stop_id="stop-9")
    return (Intent(id="i", actor="ada", role="operator", action=hold, not_after_s=NOW_S),)


@pytest.mark.parametrize(
    ("moves", "waiting", "state", "note"),
    [
        (SEEN, (), "ready", ""),
        (SEEN, waiting_hold(), "stopping", "not confirmed"),
        (HELD, (), "stopping", "not confirmed"),
        ((*HELD, ("standstill", 0)), (), "held", "release…"),
        ((*PLANNED, ("abort", 0), ("standstill", 0), ("wait", 0)), (), "gone", ""),
    ],
    ids=["ready", "in the inbox", "asked", "measured", "over"],
)
def test_hold(moves: tuple[tuple[str, int], ...], waiting: tuple[Intent, ...], state: str, note: str) -> None:
    control = Screen(drilled(*moves), waiting=waiting).bar().hold
    assert (control.state, control.note) == (state, note)


def test_hold_in_a_replay_is_about_the_live_robot() -> None:
    assert Screen(drilled(*HELD, ("standstill", 0))).bar(at=3).hold.note == "live robot"
    assert Screen(drilled(*APPROVED)).bar(at=3).hold == Screen(drilled(*SEEN)).bar(at=3).hold


def test_a_clock_that_waits_is_not_moved_by_the_page() -> None:
    assert not Screen(drilled(*APPROVED)).bar().met_runs
