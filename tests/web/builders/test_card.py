"""The plan card: which state it is in, what it says, and which actions it offers to whom."""

import dataclasses

import pytest
from msgspec.structs import replace

from backend.domain.command.hold import digest_of_stops
from backend.domain.command.policy import Policy, RiskRules
from backend.domain.episode.events import ApprovalRequested
from backend.web.builders.card import Typed
from backend.web.pages.parts import FieldError
from tests.support.drill import MISSION, Drill
from tests.web.moments import ADA, BOB, WATCHER, Screen, said

SEEN = (("evidence", 0), ("evidence", 1))
PLANNED = (*SEEN, ("reply", 0))
APPROVED = (*PLANNED, ("approve", 1))
REPAIRED_TWICE = (*SEEN, ("reply", 4), ("reply", 4))
HELD = (*APPROVED, ("hold", 0))


def planned_by(drill: Drill, planner: str) -> Drill:
    [first] = drill.commits
    opened = replace(first.events[0], event=replace(first.events[0].event, planner=planner))
    drill.commits[0] = dataclasses.replace(first, events=(opened, *first.events[1:]))
    drill.state = replace(drill.state, planner=planner)
    return drill


def drilled(*moves: tuple[str, int], mode: str = "every_plan", planner: str = "policy") -> Drill:
    policy = Policy(mode=mode, risk=RiskRules(first_plan_after_failure=False))  # type: ignore[arg-type]
    drill = Drill(mission=replace(MISSION, policy=policy, approval_expires_s=60.0))
    return planned_by(drill, planner).run(moves)


STATES = {
    "nothing seen yet": ((), "none", "No plan yet"),
    "asked": (SEEN, "planning", "Plan 1 is being made"),
    "proposed": (PLANNED, "awaiting", "Plan 1 needs your approval"),
    "approved, so it runs": (APPROVED, "executing", "Plan 1, executing"),
    "its steps ran": (
        (*APPROVED, ("outcome", 1), ("outcome", 0), ("outcome", 2), ("outcome", 1)),
        "done",
        "Plan 1, done",
    ),
    "rejected": ((*PLANNED, ("reject", 2)), "rejected", "Plan 1, rejected"),
    "moved while it waited": ((*PLANNED, ("evidence", 21)), "superseded", "Plan 1 lapsed before you decided"),
    "moved while it ran": ((*APPROVED, ("evidence", 21)), "superseded", "Plan 1 is no longer valid"),
    "the planner broke the rules twice": (REPAIRED_TWICE, "invalid", "The planner has no valid plan"),
    "asked to stop": (HELD, "held", "Stopping the robot"),
    "stopped": ((*HELD, ("outcome", 4), ("standstill", 0)), "held", "Held by ada"),
    "in doubt": ((*APPROVED, ("doubt", 0)), "doubt", "Step 1 is in doubt"),
    "aborted": ((*PLANNED, ("abort", 0), ("standstill", 0), ("wait", 0)), "ended", "Aborted"),
}


@pytest.mark.parametrize(("moves", "state", "title"), STATES.values(), ids=STATES)
def test_state_and_title(moves: tuple[tuple[str, int], ...], state: str, title: str) -> None:
    card = Screen(drilled(*moves)).plan()
    assert (card.state, card.title) == (state, title)


def test_nobody_decides_in_time() -> None:
    drill = drilled(*PLANNED)
    drill.met_s += 60
    drill.move("wait")
    card = Screen(drill).plan()
    assert (card.state, card.title, card.asking.label) == (
        "expired",
        "Plan 1 expired",
        "Ask for a plan again",
    )
    assert said(card.note) == "Nobody decided within 60 s. Nothing ran."


@pytest.mark.parametrize(
    ("moves", "offered"),
    [
        (SEEN, None),
        (PLANNED, "decision"),
        (APPROVED, None),
        (REPAIRED_TWICE, "asking"),
        (HELD, "releasing"),
        ((*APPROVED, ("doubt", 0)), "doubt"),
    ],
    ids=["planning", "awaiting", "executing", "invalid", "held", "in doubt"],
)
def test_only_the_legal_actions_are_offered(moves: tuple[tuple[str, int], ...], offered: str | None) -> None:
    card = Screen(drilled(*moves)).plan()
    offers = {name for name in ("decision", "releasing", "asking", "editor", "doubt") if getattr(card, name)}
    assert offers == ({offered} if offered else set())


def test_a_person_who_plans_is_given_the_form() -> None:
    card = Screen(drilled(*SEEN, planner="operator")).plan()
    assert (card.state, card.decision, card.tone) == ("compose", None, "ask")
    assert card.editor.base is None
    assert [choice.value for choice in card.editor.rows[0].skills] == [
        "navigate",
        "grasp",
        "deliver",
        "explore",
    ]
    assert [group.label for group in card.editor.rows[0].controls[0].groups] == [
        "", "To collect", "Other records", "Stations", "Written",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("user", "may", "says"),
    [
        (ADA, True, "Approves exactly plan"),
        (BOB, False, "ada has the conn. Ask for it to decide."),
        (WATCHER, False, "You may watch and hold. An operator decides."),
    ],
    ids=["who has the conn", "another operator", "a viewer"],
)
def test_who_may_decide(user: object, may: bool, says: str) -> None:
    drill = drilled(*SEEN, ("take", 0), ("reply", 0))
    decision = Screen(drill).plan(user=user).decision
    assert (decision.may_decide, decision.drawn) == (may, may)
    assert said(decision.pins).startswith(says)


@pytest.mark.parametrize(
    ("planner", "hint"),
    [
        ("policy", "Planner policy reads no guidance; the reason is kept in the log"),
        ("openai", "Guidance for the planner, sent if you reject"),
    ],
)
def test_guidance_says_what_becomes_of_it(planner: str, hint: str) -> None:
    assert Screen(drilled(*PLANNED, planner=planner)).plan().decision.hint == hint


def test_whoever_had_the_conn_and_fell_silent_decides_no_more() -> None:
    drill = drilled(*SEEN, ("take", 0), ("reply", 0))
    assert Screen(drill, later_s=61).plan(user=BOB).decision.may_decide


def test_the_forms_post_what_was_shown_and_the_pins_say_so() -> None:
    drill = drilled(*PLANNED)
    asked, decision = drill.state.approval, Screen(drill).plan().decision
    assert asked is not None
    assert (decision.approval, decision.plan_digest, decision.pins_digest) == (
        asked.id,
        asked.pins.plan_digest,
        asked.pins_digest,
    )
    assert said(decision.pins) == (
        f"Approves exactly plan {asked.pins.plan_digest[:4]} on memory rev {drill.state.memory.revision}. "
        "Lapses if bottle_1 moves first."
    )


def test_every_skill_is_approved_one_by_one() -> None:
    card = Screen(drilled(*PLANNED, mode="every_skill")).plan()
    assert card.title == "Step 1 of plan 1 needs your approval"
    assert said(card.decision.pins).startswith("Approves exactly step 1 of plan ")
    assert [step.covered for step in card.steps] == [True, False, False, False]


def test_what_expires_counts_down() -> None:
    countdown = Screen(drilled(*PLANNED), later_s=8.5).plan().countdown
    assert (countdown.text, countdown.spoken, countdown.total_s) == ("0:52", "51 seconds", 60.0)


def test_a_replay_asks_nothing_and_counts_nothing_down() -> None:
    drill = drilled(*PLANNED, ("reject", 2))
    asked = next(each.seq for each in drill.events if isinstance(each.event, ApprovalRequested))
    card = Screen(drill).plan(at=asked)
    assert (card.title, card.tone, card.countdown) == ("Plan 1 awaited approval", "quiet", None)
    assert not card.decision.may_decide
    assert said(card.decision.pins).endswith("Nothing here can move the robot.")


def test_a_rejection_is_quoted_with_who_and_when() -> None:
    drill = drilled(*PLANNED)
    drill.move("reject", 2)
    verdict = said(Screen(drill).plan().verdict.text)
    assert verdict.startswith("Rejected by ada at 00:00:04, seq ")
    assert verdict.endswith(": “zwölf ⚓ \U0001f6a2”")


def test_findings_are_shown_to_the_argument() -> None:
    card = Screen(drilled(*REPAIRED_TWICE)).plan()
    assert said(card.findings[0].text).startswith("Step 1 target: There is no entity 'nobody' in memory.")
    assert card.asking.may_ask


def test_a_failed_planner_says_why() -> None:
    drill = drilled(*SEEN, ("reply", 6))
    assert [said(finding.text) for finding in Screen(drill).plan().findings] == ["ok"]


@pytest.mark.parametrize(
    ("cleared", "is_armed"),
    [("", False), (digest_of_stops(["stop-5"]), True), (digest_of_stops(["stop-4"]), False)],
    ids=["not yet", "now", "another hold"],
)
def test_release_takes_two_steps(cleared: str, is_armed: bool) -> None:
    drill = drilled(*HELD, ("outcome", 4), ("standstill", 0))
    releasing = Screen(drill).plan(typed=Typed(cleared=cleared)).releasing
    assert releasing.shown == digest_of_stops(["stop-5"])
    assert (releasing.cleared, releasing.may_release) == (is_armed, True)
    assert said(releasing.remaining) == (
        "Release goes on with step 1 of 4 of plan 1, navigate bottle_1. "
        "It is asked anew: you approve it again."
    )


def test_a_release_shows_plan_and_memory_checked_again() -> None:
    drill = drilled(*HELD, ("outcome", 4), ("standstill", 0))
    checks = Screen(drill).plan().releasing.checks
    assert [said(check.text) for check in checks] == [
        "The robot holds nothing",
        "Checked again on memory as it is now: 4 steps, nothing found",
        "Nothing that it rests on has changed since the hold",
    ]
    unconfirmed = Screen(drilled(*HELD)).plan().releasing.checks
    assert [(said(check.text), check.tone) for check in unconfirmed][1] == (
        "Standstill is not confirmed. See to the robot",
        "alarm",
    )


def test_nothing_is_released_from_an_abort() -> None:
    releasing = Screen(drilled(*APPROVED, ("abort", 0))).plan().releasing
    assert (releasing.shown, releasing.may_release) == ("", False)
    assert releasing.why_not == "The episode is being aborted."


def test_what_was_typed_and_refused_is_kept() -> None:
    error = FieldError(field="reason", message="A rejection needs a reason.", remedy="Write it down.")
    decision = Screen(drilled(*PLANNED)).plan(typed=Typed(text="no", errors=(error,))).decision
    assert (decision.reason, decision.errors) == ("no", (error,))


def test_an_ended_episode_says_what_came_of_it() -> None:
    card = Screen(drilled(*PLANNED, ("abort", 0), ("standstill", 0), ("wait", 0))).plan()
    assert card.notice.title == "Aborted by ada: enough in 00:00:05."
    assert card.notice.text == "0 of 3 delivered, nothing held. 1 call, 0 replans, 0 stale visits."
    assert card.notice.way.href == "/episodes/drill?at=1"


def test_a_plan_that_a_person_made_of_another_says_what_they_changed() -> None:
    card = Screen(drilled(*PLANNED, ("edit", 1))).plan()

    assert (card.state, card.title) == ("awaiting", "Plan 2 needs your approval")
    assert said(card.cause.why) == "ada’s version of plan 1"
    [change] = card.cause.changes
    assert said(change.text) == "Removed step 4: deliver bottle_1 station_west"


def test_an_edit_in_the_middle_of_a_plan_is_told_by_the_numbers_of_that_plan() -> None:
    moves = (*PLANNED, ("approve", 1), ("outcome", 1), ("approve", 1), ("outcome", 0), ("edit", 0))
    card = Screen(drilled(*moves, mode="every_skill")).plan()

    assert [said(change.text) for change in card.cause.changes] == [
        "Added as step 1: navigate station_west"
    ] or card.cause.changes[0].icon in ("plus", "follow")
