"""The execution log's lines and the notes, as the planner reads them, and how many of them it is shown."""

from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.execution import log, notes
from backend.domain.execution.log import LogLine, sentence
from backend.domain.execution.notes import Note
from backend.domain.execution.outcome import Measured, Result, Tool, Traced
from backend.domain.geometry import Pose


def line(result: Result, reason: str, measured: Measured, index: int = 3) -> LogLine:
    return LogLine(
        index=index,
        seq=40,
        met_s=12.0,
        command="grasp can_1",
        result=result,
        reason=reason,
        measured=measured,
    )


def at_table(command: str, **measured: Any) -> LogLine:
    """What is held and touched is for its planner to see."""
    tool = Tool(x_m=0.1, y_m=0.0, z_m=0.12)
    hand = Measured(
        pose=HERE, held="cube_1", gripper_open=False, opening_m=0.04, height_m=0.12, tool=tool, **measured
    )
    return replace(line(Result.SUCCEEDED, "done", hand), command=command, step=240)


HERE = Pose(3.0, 4.5)
SOUND = Traced(what="wait", step=230, opening_m=0.04, height_m=0.12)
FAILED = Traced(
    what="move", step=240, opening_m=0.0, height_m=0.02, check="gripper_opening_m >= 0.02", passed=False
)
SENTENCES = {
    "done": (
        line(Result.SUCCEEDED, "grasped", Measured(pose=HERE, held="can_1", gripper_open=False)),
        "3. t=12 s grasp can_1: succeeded (grasped); at (3, 4.5) m, gripper closed, holding can_1",
    ),
    "with what the fingers measure": (
        line(
            Result.SUCCEEDED,
            "grasped",
            Measured(
                pose=HERE,
                held="can_1",
                gripper_open=False,
                opening_m=0.0657,
                height_m=0.1204,
                touches=("left finger on can_1",),
            ),
        ),
        (
            "3. t=12 s grasp can_1: succeeded (grasped); at (3, 4.5) m, gripper closed,"
            " fingers 66 mm apart, 120 mm up, left finger on can_1, holding can_1"
        ),
    ),
    "asked and not achieved": (
        line(Result.FAILED, "absent", Measured(pose=HERE, gripper_open=True)),
        "3. t=12 s grasp can_1: failed (absent); at (3, 4.5) m, gripper open, holding nothing",
    ),
    "stopped on the way": (
        line(Result.STOPPED, "stopped", Measured(pose=HERE, held="can_1")),
        "3. t=12 s grasp can_1: stopped (stopped); at (3, 4.5) m, holding can_1",
    ),
    "little measured": (
        line(Result.CANCELLED, "cancelled", Measured()),
        "3. t=12 s grasp can_1: cancelled (cancelled); holding nothing",
    ),
    "points that were located": (
        at_table("locate front (100, 50)", points_m=((0.1, -0.2, 0.0204), None)),
        (
            "3. step 240 locate front (100, 50): succeeded (done); at (0.100, 0.000, 0.120) m,"
            " fingers 40 mm apart, 120 mm up; found (0.100, -0.200, 0.020) m, nothing"
        ),
    ),
    "a sequence by its parts": (
        at_table("sequence wait 3 steps", trace=(SOUND, FAILED)),
        (
            "3. step 240 sequence wait 3 steps: succeeded (done); at (0.100, 0.000, 0.120) m,"
            " fingers 40 mm apart, 120 mm up; wait by step 230: fingers 40 mm apart, 120 mm up;"
            " move by step 240: fingers 0 mm apart, 20 mm up, check gripper_opening_m >= 0.02 failed"
        ),
    ),
    "never executed, so nothing measured counts": (
        line(Result.NOT_EXECUTED, "unreachable", Measured(pose=HERE, held="can_1")),
        "3. t=12 s grasp can_1: NOT EXECUTED (unreachable)",
    ),
}


@pytest.mark.parametrize(("one", "text"), SENTENCES.values(), ids=SENTENCES.keys())
def test_a_line_says_what_was_asked_and_what_was_measured(one: LogLine, text: str) -> None:
    assert sentence(one) == text


@pytest.mark.parametrize(("switch", "first", "count"), [("full", 1, 12), ("last_8", 5, 8), ("off", None, 0)])
def test_how_much_of_the_log_is_shown(switch: str, first: int | None, count: int) -> None:
    lines = tuple(line(Result.SUCCEEDED, "done", Measured(), index) for index in range(1, 13))

    shown = log.shown(lines, switch)

    assert len(shown) == count
    assert (shown[0].index if shown else None) == first


@pytest.mark.parametrize(("switch", "texts"), [("history", ["a", "b", "c"]), ("latest", ["c"]), ("off", [])])
def test_how_many_notes_are_shown(switch: str, texts: list[str]) -> None:
    written = tuple(
        Note(seq=n, decision=n, met_s=0.0, author="policy", text=text) for n, text in enumerate("abc")
    )

    assert [note.text for note in notes.shown(written, switch)] == texts


def test_a_log_shorter_than_eight_lines_is_shown_whole() -> None:
    assert len(log.shown((line(Result.SUCCEEDED, "done", Measured()),), "last_8")) == 1
    assert notes.shown((), "latest") == ()
