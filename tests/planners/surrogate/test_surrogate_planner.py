"""The surrogate as a planner: what it answers, what it leaves in the record, and what it cannot plan."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.demonstration.viewing import Viewing, view_of
from backend.domain.execution.frames import Frame
from backend.domain.query.query import Query
from backend.domain.query.seen import Seen, Viewed
from backend.planners.surrogate import instruction
from backend.planners.surrogate.planner import SurrogatePlanner
from backend.planners.surrogate.rewriting import Rates
from backend.planners.surrogate.tasks import POLICIES, WATCHERS
from robot_bridge.tabletop.tasks import TASK_NAMES
from tests.planners.surrogate.playing import play, query

SEEN = Seen(
    instruction="Pick up the red cube and place it on the target twice, then press the button.",
    task="pick-xtimes",
    executor="direct",
    step=0,
    steps_left=1300,
    tool=None,
    opening_m=0.08,
    views=(),
)


def test_there_is_a_policy_for_each_task_and_a_watcher_for_each_that_is_shown() -> None:
    assert set(POLICIES) == set(TASK_NAMES)
    assert set(WATCHERS) == {name for name in TASK_NAMES if name.startswith("video-")} | {
        "move-cube",
        "insert-peg",
        "pattern-lock",
        "route-stick",
    }


@pytest.mark.parametrize(
    "asked",
    [query(3), query(3, replace(SEEN, task="fold-laundry")), query(3, replace(SEEN, executor="delegate"))],
    ids=["a mobile robot", "a task it has no policy for", "a learned executor"],
)
def test_what_it_cannot_plan_is_a_failed_attempt(asked: Query) -> None:
    reply = SurrogatePlanner().propose(asked)

    assert reply.proposal is None
    assert reply.attempts[0].verdict == "failed"
    assert "surrogate plans at a table alone, by direct control" in reply.attempts[0].detail


def test_a_frame_that_is_missing_is_named() -> None:
    frame = Frame(sha256="ab" * 32, width_px=256, height_px=256, camera="front", step=0)
    view = view_of(Viewing(total=1, switch="skim_inspect"))
    assert view is not None
    viewed = Viewed(instruction="", task="video-unmask", view=view, frames=(frame,))

    reply = SurrogatePlanner().propose(query(3, view=viewed))

    assert reply.answer is None
    assert "abababababab" in reply.attempts[0].detail


def test_what_it_can_make_nothing_of_is_a_failed_attempt() -> None:
    reply = SurrogatePlanner().propose(query(3, replace(SEEN, instruction="Do as you like.")))

    assert reply.proposal is None
    assert "cannot go on from what it sees and remembers" in reply.attempts[0].detail


def test_an_answer_is_the_same_for_the_same_question() -> None:
    one, other = (play("bin-fill", 2, "note_only", Rates(drop=0.2, miscount=0.2), 5) for _ in range(2))

    assert one.replies == other.replies


def test_what_a_note_loses_stands_in_the_record_alone() -> None:
    played = play("bin-fill", 3, rates=Rates(drop=0.5))
    lost = [reply.attempts[0].response["dropped"] for reply in played.replies]

    assert any(lost)
    assert all(reply.attempts[0].model == "surrogate" for reply in played.replies)


@pytest.mark.parametrize(
    ("text", "colours", "counted", "times", "ordinal"),
    [
        ("Put two red cubes and one blue cube into the bin.", ("red", "blue"), {"red": 2, "blue": 1}, 1, 1),
        ("Pick up the green cube and place it on the target three times.", ("green",), {"green": 1}, 3, 1),
        ("Pick it up, twice, and press the button.", (), {}, 2, 1),
        ("Press as the red cube passes for the fourth time.", ("red",), {"red": 1}, 1, 4),
    ],
    ids=["how many of which", "how often", "twice", "which time"],
)
def test_an_instruction_is_read(
    text: str, colours: tuple[str, ...], counted: dict[str, int], times: int, ordinal: int
) -> None:
    assert instruction.colours(text) == colours
    assert dict(instruction.counted(text)) == counted
    assert (instruction.times(text), instruction.ordinal(text)) == (times, ordinal)
