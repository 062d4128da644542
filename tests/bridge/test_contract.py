"""The contract: which messages pass, and what is said of those that do not."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_bridge import contract
from robot_bridge.contract import ContractError

POSE = {"x_m": 1.0, "y_m": 2.0, "yaw_rad": 0.0, "frame_id": "map"}
STEP = {"skill": "navigate", "arguments": {"to": "can_01"}, "goal": POSE, "watch": None, "cameras": []}
SUBMIT = {"op": "submit", "id": 4, "epoch": 1, "dispatch_id": "d1", "step": STEP}
MEASURED = {"pose": POSE, "held": None, "gripper_open": True, "path": [[1.0, 2.0]], "moves": 1}
EVIDENCE = {
    "entity": "can_01",
    "cls": "can",
    "pose": POSE,
    "confidence": 0.9,
    "source": "aerial",
    "stamp_s": 4.0,
    "sensed_by": "drone",
}


def changed(message: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(message))
    *parents, last = path.split(".")
    inner = copy
    for parent in parents:
        inner = inner[parent]
    inner[last] = value
    return copy


@pytest.mark.parametrize(
    "command",
    [
        {"op": "hello", "id": 1, "epoch": 1, "contract": 1},
        SUBMIT,
        changed(SUBMIT, "step.goal", None),
        changed(SUBMIT, "step.watch", {"points": "all", "camera": ""}),
        changed(SUBMIT, "step.watch", {"points": [[1, 2.5]], "camera": "front"}),
        {"op": "cancel", "id": 2, "epoch": 1, "dispatch_id": "d1"},
        {"op": "status", "id": 3, "dispatch_id": "d1"},
        {"op": "stop", "id": 0, "stop_id": "s1", "actor": "operator:ada"},
        {"op": "release", "id": 0, "stop_id": "s1", "epoch": 3},
        {"op": "heartbeat", "id": 5, "epoch": 1},
        {"op": "acknowledge", "id": 5, "through": 12},
        {"op": "advance", "id": 5, "epoch": 1},
        {"op": "resume", "id": 5, "after": 0},
        {"op": "truth", "id": 5, "met_s": 12.0},
        {"op": "demonstration", "id": 5, "first": 0, "count": 64},
    ],
    ids=lambda command: command["op"],
)
def test_a_command_as_it_should_be_passes(command: dict[str, Any]) -> None:
    assert contract.check_command(command) is command


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        pytest.param("op", "fly", 'op is "fly". Send one of hello, submit,', id="unknown operation"),
        pytest.param("op", None, "op is null.", id="no operation"),
        pytest.param("op", ["submit"], 'op is ["submit"].', id="operation in a list"),
        pytest.param("id", -1, "id is -1. Send a whole number, 0 or more.", id="negative id"),
        pytest.param("id", True, "id is true. Send a whole number", id="truth for a number"),
        pytest.param("epoch", "1", 'epoch is "1". Send a whole number', id="number as text"),
        pytest.param("epoch", 2**60, "epoch is 1152921504606846976.", id="more than JSON numbers hold"),
        pytest.param("dispatch_id", "", "dispatch_id has 0 characters. Send 1 to 200.", id="empty id"),
        pytest.param("dispatch_id", "x" * 201, "dispatch_id has 201 characters.", id="long id"),
        pytest.param("dispatch_id", "\ud800", "dispatch_id holds half a character.", id="half a character"),
        pytest.param(
            "step.arguments.target",
            "\ud800",
            "step.arguments.target holds half a character.",
            id="half a name",
        ),
        pytest.param("speed", 3, "speed is not part of this message. Send op, id,", id="unknown field"),
        pytest.param("step", [], "step is []. Send an object.", id="list for an object"),
        pytest.param(
            "step.goal.x_m", None, "step.goal.x_m is null. Send a finite number.", id="no coordinate"
        ),
        pytest.param("step.goal.x_m", float("inf"), "step.goal.x_m is Infinity.", id="infinite coordinate"),
        pytest.param("step.goal.x_m", 10**400, "step.goal.x_m is 1000", id="coordinate of many digits"),
        pytest.param("step.goal.x_m", -1e308, "step.goal.x_m is -1e+308.", id="coordinate past all sums"),
        pytest.param("step.arguments", [], "step.arguments is []. Send an object.", id="arguments in a list"),
        pytest.param("step.cameras", [3], "step.cameras[0] is 3. Send a text.", id="camera by number"),
        pytest.param(
            "step.watch",
            {"points": [[1]], "camera": ""},
            "step.watch.points[0] is [1]. Send a list of 2.",
            id="half a point",
        ),
    ],
)
def test_a_command_that_breaks_the_contract_is_told_where(path: str, value: Any, message: str) -> None:
    with pytest.raises(ContractError) as refused:
        contract.check_command(changed(SUBMIT, path, value))

    assert str(refused.value).startswith(message)
    assert refused.value.field == message.split(" ")[0]
    assert refused.value.remedy


@pytest.mark.parametrize("field", ["id", "epoch", "dispatch_id", "step"])
def test_a_field_that_is_missing_is_named(field: str) -> None:
    command = {name: value for name, value in SUBMIT.items() if name != field}

    with pytest.raises(ContractError, match=f"{field} is missing. Send op, id, epoch, dispatch_id, step."):
        contract.check_command(command)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param("{", "The message is no JSON:", id="half an object"),
        pytest.param("[1]", "The message is no JSON object.", id="a list"),
        pytest.param("null", "The message is no JSON object.", id="nothing"),
        pytest.param('{"id": NaN}', "The message is no JSON: NaN is no JSON number", id="no number"),
        pytest.param(b"\xff\xfe\xff", "The message is no JSON:", id="no text"),
        pytest.param("[" * 100_000, "The message is no JSON:", id="a deep pit"),
        pytest.param(" " * 300_000, "The message has 300000 characters. Send at most 262144.", id="too long"),
        pytest.param('{"id": ' + "9" * 5000 + "}", "The message is no JSON:", id="an endless number"),
    ],
)
def test_what_is_no_message_is_told_why(raw: str | bytes, message: str) -> None:
    with pytest.raises(ContractError) as refused:
        contract.read(raw)

    assert str(refused.value).startswith(message)


@given(
    st.dictionaries(
        st.sampled_from([*SUBMIT, "op", "after", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
            ),
            max_leaves=8,
        ),
    )
    | st.builds(
        changed, st.just(SUBMIT), st.sampled_from(["op", "id", "step", "step.goal", "step.watch"]), st.text()
    )
)
def test_no_message_does_worse_than_being_refused(message: dict[str, Any]) -> None:
    with contextlib.suppress(ContractError):
        contract.check_command(message)


MAP = {"width": 2, "height": 1, "cell_m": 0.5, "occupied": [[0, 0]], "unknown": [[-1, 0]], "first": [-1, 0]}


@pytest.mark.parametrize(
    "report",
    [
        {"report": 3, "kind": "evidence", "met_s": 8.0, "evidence": EVIDENCE},
        {
            "report": 4,
            "kind": "stopped",
            "met_s": 8.0,
            "stop_id": "s1",
            "actor": "",
            "standstill": True,
            "measured": MEASURED,
        },
        {"report": 0, "kind": "map", "met_s": 8.0, "map": MAP},
        {"report": 0, "kind": "clock", "met_s": 8.0},
    ],
    ids=lambda report: report["kind"],
)
def test_a_report_as_it_should_be_passes(report: dict[str, Any]) -> None:
    assert contract.check_report(report) is report


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("kind", "rumour", 'kind is "rumour".'),
        (
            "evidence.source",
            "hearsay",
            'evidence.source is "hearsay". Send one of initial, aerial, onboard, truth.',
        ),
        ("evidence.confidence", "high", 'evidence.confidence is "high". Send a finite number.'),
        ("evidence.pose.frame_id", "", "evidence.pose.frame_id has 0 characters."),
        ("evidence.pose.y_m", 1e200, "evidence.pose.y_m is 1e+200. Send a finite number. Its size"),
        ("met_s", 10**400, "met_s is 1000"),
    ],
)
def test_a_malformed_report_is_told_where(path: str, value: Any, message: str) -> None:
    report = {"report": 3, "kind": "evidence", "met_s": 8.0, "evidence": EVIDENCE}

    with pytest.raises(ContractError) as refused:
        contract.check_report(changed(report, path, value))

    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("map.cell_m", 0, "map.cell_m is 0. Send a number above 0."),
        ("map.width", 1e7, "map.width is 10000000.0. Send a whole number from 0 to 1000000."),
        ("map.occupied", [[1]], "map.occupied[0] is [1]. Send a list of 2."),
        ("map.first", [0.5, 0], "map.first[0] is 0.5."),
        ("map.colour", "red", "map.colour is not part of this message."),
    ],
)
def test_a_malformed_map_is_told_where(path: str, value: Any, message: str) -> None:
    with pytest.raises(ContractError) as refused:
        contract.check_report(changed({"report": 0, "kind": "map", "met_s": 8.0, "map": MAP}, path, value))

    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("measured.moves", 2**53, "outcome.measured.moves is 9007199254740992. Send"),
        ("measured.path", [[1e200, 0.0]], "outcome.measured.path[0][0] is 1e+200."),
        ("measured.pose", {**POSE, "yaw_rad": 10**400}, "outcome.measured.pose.yaw_rad is 1000"),
        ("ended_s", 1e308, "outcome.ended_s is 1e+308."),
    ],
)
def test_a_measure_that_no_robot_takes_is_told_where(path: str, value: Any, message: str) -> None:
    outcome = {
        "dispatch_id": "d1",
        "skill": "navigate",
        "result": "succeeded",
        "reason": "arrived",
        "message": "",
        "started_s": 1.0,
        "ended_s": 2.0,
        "measured": MEASURED,
        "frames": [],
    }
    report = {"report": 3, "kind": "outcome", "met_s": 8.0, "outcome": changed(outcome, path, value)}

    with pytest.raises(ContractError) as refused:
        contract.check_report(report)

    assert str(refused.value).startswith(message)


VIEW = {
    "camera": "front",
    "step": 3,
    "png_base64": "iVBOR",
    "depth_png_base64": "iVBOR",
    "calibration": {
        "fx_px": 256.0, "fy_px": 256.0, "cx_px": 256.0, "cy_px": 256.0, "map_from_camera": [0.0] * 16,
    },
}  # fmt: skip
TOOL = {"x_m": 0.4, "y_m": 0.0, "z_m": 0.2, "roll_rad": 0.0, "pitch_rad": 0.0, "yaw_rad": 0.0}
TRACED = {
    "what": "move", "step": 20, "opening_m": 0.02, "height_m": 0.1, "check": "height_m >= 0.05",
    "passed": True,
}  # fmt: skip
VERDICT = {"status": "success", "reason": "all_in", "message": "All cubes are in."}
TABLETOP = {
    "dispatch_id": "d1",
    "skill": "sequence",
    "result": "succeeded",
    "reason": "done",
    "message": "",
    "started_s": 1.0,
    "ended_s": 2.0,
    "measured": {**MEASURED, "tool": TOOL, "points_m": [[0.1, 0.2, 0.0], None], "trace": [TRACED]},
    "frames": [VIEW],
    "views": [VIEW],
    "verdict": VERDICT,
    "subgoal": {"phrase": "press the button", "pixel": [256.0, 200.0]},
}


def test_an_arm_s_outcome_tells_views_trace_and_verdict() -> None:
    report = {"report": 3, "kind": "outcome", "met_s": 8.0, "outcome": TABLETOP}

    assert contract.check_report(report) is report


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("verdict.status", "ongoing", 'verdict.status is "ongoing". Send one of success, fail,'),
        ("measured.points_m", [[0.1, 0.2]], "measured.points_m[0] is [0.1, 0.2]. Send a list of 3."),
        ("measured.tool", None, "measured.tool is null. Send an object."),
        ("measured.trace", [{"what": ""}], "measured.trace[0].step is missing."),
        ("subgoal.pixel", [1.0], "subgoal.pixel is [1.0]. Send a list of 2."),
    ],
)
def test_an_arm_s_outcome_that_is_malformed_is_told_where(path: str, value: Any, message: str) -> None:
    report = {"report": 3, "kind": "outcome", "met_s": 8.0, "outcome": changed(TABLETOP, path, value)}

    with pytest.raises(ContractError) as refused:
        contract.check_report(report)

    assert str(refused.value).startswith(f"outcome.{message}")


@pytest.mark.parametrize(("count", "is_taken"), [(0, False), (1, True), (64, True), (65, False)])
def test_few_frames_of_a_demonstration_are_asked_for_at_once(count: int, is_taken: bool) -> None:
    command = {"op": "demonstration", "id": 5, "first": 0, "count": count}

    with contextlib.nullcontext() if is_taken else pytest.raises(ContractError, match="1 to 64"):
        contract.check_command(command)


MOVE = {"skill": "move", "arguments": {"x_m": 0.4}, "check": None}
CHECK = {"quantity": "height_m", "relation": ">=", "bound_m": 0.05}


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        pytest.param([], "moves is []. Send a list of 1 to 6 moves.", id="none"),
        pytest.param([MOVE] * 7, "moves is [{", id="seven"),
        pytest.param("move", 'moves is "move".', id="text"),
        pytest.param([{"skill": "move"}], "moves[0].arguments is missing.", id="no arguments"),
        pytest.param(
            [MOVE, {**MOVE, "check": {**CHECK, "quantity": "yaw"}}],
            'moves[1].check.quantity is "yaw". Send one of gripper_opening_m, height_m.',
            id="check of another quantity",
        ),
        pytest.param(
            [{**MOVE, "check": {**CHECK, "relation": "=="}}], "moves[0].check.relation is", id="relation"
        ),
        pytest.param([MOVE, {**MOVE, "check": CHECK}], "", id="as they should be"),
    ],
)
def test_the_parts_of_a_sequence(moves: Any, message: str) -> None:
    if not message:
        contract.moves(moves, "moves")
        return
    with pytest.raises(ContractError) as refused:
        contract.moves(moves, "moves")

    assert str(refused.value).startswith(message)


HELLO = {
    "re": 1, "ok": True, "contract": 1, "robot": "panda", "world": "tabletop", "scenario": "bin-fill/easy",
    "seed": 1, "clock": "waits", "tick_s": 0.05, "met_s": 0.0, "ledger_id": "l", "latched": [], "held": None,
    "catalogue": {"skills": [], "cameras": []},
    "site": {
        "name": "table", "frame_id": "map",
        "map": {"width": 1, "height": 1, "cell_m": 1.0, "occupied": []},
        "metric": {"kind": "euclidean", "length_m": 1.0, "tolerance_m": 0.01},
        "stations": [], "regions": [], "assignment": "fixed", "rules": [], "version": 1,
    },
    "robots": [], "initial": [], "cameras": [], "budget_s": 65.0, "total": 0,
}  # fmt: skip


def test_a_tabletop_says_its_task_and_any_other_world_need_not() -> None:
    told = {
        "instruction": "Put a red cube into the bin.", "task": "bin-fill", "difficulty": "easy",
        "executor": "direct", "demonstration": 0, "views": [VIEW], "tool": TOOL,
    }  # fmt: skip

    assert contract.check_reply("hello", HELLO) is HELLO
    contract.check_reply("hello", {**HELLO, **told})
    with pytest.raises(ContractError, match="executor is"):
        contract.check_reply("hello", {**HELLO, "executor": "somebody"})


def test_a_refusal_is_a_reply_that_says_what_and_how_to_mend_it() -> None:
    reply = contract.refused(
        7, "latched", "dispatch_id", "comes while stop s1 is in force", "Release it first."
    )

    assert contract.check_reply("submit", reply) is reply
    assert not reply["ok"]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ({"re": 1, "ok": "yes"}, 'ok is "yes". Send true or false.'),
        ({"re": 1, "ok": True, "state": "walking", "outcome": None}, 'state is "walking".'),
        ({"re": 1, "ok": False}, "error is missing."),
    ],
)
def test_a_malformed_reply_is_told_where(reply: dict[str, Any], message: str) -> None:
    with pytest.raises(ContractError) as refused:
        contract.check_reply("submit", reply)

    assert str(refused.value).startswith(message)
