"""What a table's world says, over the wire and in process: the same values, whichever way it came."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from backend.bridge.messages import outcome_in, pictures_in, shown_in, step_message, views_in
from backend.bridge.translate import hello_from, outcome_from, picture_from
from backend.domain.execution.outcome import Judgement, Subgoal, Tool
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Step
from backend.usecases.ports import BridgeRefused
from robot_bridge import contract, wire
from robot_bridge import world as w

CAMERA = w.Calibration(10.0, 10.0, 5.0, 5.0, tuple(map(float, range(16))))
FRAME = w.Frame("front", 7, b"picture", b"depth", CAMERA)
HERE = w.Tool(0.1, 0.0, 0.12, yaw_rad=1.5)
MEASURED = w.Measured(
    pose=w.Pose(0.1, 0.0),
    held=None,
    gripper_open=False,
    moves=12,
    opening_m=0.04,
    height_m=0.12,
    tool=HERE,
    points_m=((0.1, 0.2, 0.02), None),
    trace=(w.Traced("wait", 12, 0.04, 0.12, "height_m >= 0.05", True),),
)
ENDED = w.Outcome(
    skill="sequence", result="succeeded", reason="done", message="", started_s=0.0, ended_s=0.6,
    measured=MEASURED, frames=(FRAME,), views=(FRAME,), verdict=w.Verdict("fail", "early", "Too early"),
    subgoal=w.Subgoal("press the button", (100.0, 50.0)),
)  # fmt: skip


def test_an_outcome_is_the_same_by_both_ways() -> None:
    message: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(wire.outcome("d1", ENDED)))
    contract.OUTCOME(message, "outcome")

    told = outcome_in(message)

    assert told == outcome_from("d1", ENDED)
    assert told.verdict == Judgement(status="fail", reason="early", message="Too early")
    assert told.subgoal == Subgoal(phrase="press the button", pixel=(100.0, 50.0))
    assert told.measured.tool == Tool(x_m=0.1, y_m=0.0, z_m=0.12, yaw_rad=1.5)
    assert told.measured.points_m == ((0.1, 0.2, 0.02), None)
    assert told.measured.trace
    assert told.measured.trace[0].passed is True
    assert views_in(message) == pictures_in(message) == (picture_from(FRAME),)


def test_damaged_pictures_are_left_out_of_an_outcome_that_is_asked_for() -> None:
    message: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(wire.outcome("d1", ENDED)))

    assert shown_in(message) == ((picture_from(FRAME),), (picture_from(FRAME),))
    message["views"][0]["png_base64"] = "no base64"
    assert shown_in(message) == ((), ())
    assert shown_in(None) == ((), ())


def test_a_sequence_goes_out_with_its_checks_taken_apart() -> None:
    moves = (
        Motion(
            "move", {"x_m": 0.1, "y_m": 0.0, "z_m": 0.02, "gripper": "close"}, "gripper_opening_m >= 0.02"
        ),
        Motion("wait", {"steps": 5}),
    )

    sent = step_message(Step("sequence", {"moves": moves}), None, ("front",))

    contract.moves(sent["arguments"]["moves"], "moves")
    assert [part["check"] for part in sent["arguments"]["moves"]] == [
        {"quantity": "gripper_opening_m", "relation": ">=", "bound_m": 0.02},
        None,
    ]


DESCRIBED: dict[str, Any] = {
    "robots": [{"name": "arm", "pose": {"x_m": 0, "y_m": 0, "yaw_rad": 0, "frame_id": "map"}}],
    "catalogue": {"skills": [], "cameras": ["front"]},
    "site": {
        "name": "table",
        "map": {"width": 1, "height": 1, "cell_m": 1.0, "occupied": []},
        "metric": {"kind": "euclidean", "length_m": 1.0, "tolerance_m": 0.1},
        "stations": [],
    },
    "initial": [],
    "budget_s": 65.0,
    "instruction": "Press the button.",
    "task": "stop-cube",
    "difficulty": "hard",
    "executor": "delegate",
    "demonstration": 3,
    "views": [wire.frame(FRAME)],
    "tool": HERE._asdict(),
    "subgoal": {"phrase": "press the button", "pixel": [1, 2]},
}


def test_a_table_s_hello_tells_task_views_and_budget_in_its_own_steps() -> None:
    hello = hello_from(DESCRIBED, 0.0, "ledger", (), 0.05)

    assert hello.table is not None
    assert (hello.table.instruction, hello.table.executor) == ("Press the button.", "delegate")
    assert (hello.budget_steps, hello.demonstration) == (1300, 3)
    assert hello.views == (picture_from(FRAME),)
    assert hello.table.subgoal == Subgoal(phrase="press the button", pixel=(1.0, 2.0))


def test_a_mobile_robot_s_hello_counts_seconds() -> None:
    told = {name: value for name, value in DESCRIBED.items() if name not in ("instruction", "views")}

    hello = hello_from(told, 0.0, "ledger", (), 0.05)

    assert (hello.table, hello.budget_steps, hello.views) == (None, 65, ())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("executor", "nobody"),
        ("tool", {"x_m": 1}),
        ("subgoal", {"phrase": 3}),
        ("views", [{"camera": "front"}]),
    ],
)
def test_a_wrong_hello_is_refused(field: str, value: Any) -> None:
    with pytest.raises(BridgeRefused, match="description of its world is wrong"):
        hello_from({**DESCRIBED, field: value}, 0.0, "ledger", (), 0.05)
