"""Contract version 1: the JSON messages between a runner, or a web process, and the bridge of one robot.

A connection is a WebSocket that carries one JSON object a text message.

- *Commands* go to the bridge: `{"op": OP, "id": n, …}`. `id` is the sender's own count.
- *Replies* come back in the order of the commands: `{"re": id, "ok": true, …}`, or `{"re": id, "ok": false,
  "error": {code, field, problem, remedy}}` when nothing was done.
- *Reports* come unasked to whoever sent `resume`: `{"report": n, "kind": KIND, "met_s": s, …}`. What a
  command brings about is reported before its reply. Numbers only grow; the bridge keeps a report and sends
  it again on `resume` until it is acknowledged. `telemetry`, `map` and `clock` carry number 0: only their
  latest counts, and no more than the latest `map` is sent again.

Times are mission elapsed time in seconds (`met_s`, `stamp_s`), lengths metres, angles radians, pictures PNG
in base64. Ids are chosen by the sender and make a command idempotent: the same dispatch never runs twice,
the same stop never latches twice. An epoch below the highest the bridge has ever been told is refused;
`stop` is taken at any.

Standard library only, Python 3.8 grammar, nothing of ours imported: a robot's computer may carry this file
alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[Any, str], None]
    """Takes a value and its field's path; raises ContractError when the value is no such thing."""

CONTRACT_VERSION = 1
LONGEST_COMMAND_CHARACTERS = 262_144
LONGEST_ID = 200
LONGEST_TEXT = 8_000
LONGEST_PICTURE = 4_000_000
LARGEST_INTEGER = 2**53
LARGEST_NUMBER = 1e12
"""Far past any metre, second or radian; sums, squares and products of what is sent stay finite."""
MOST = 1_000_000
"""Steps, moves, cells and containers: more is a mistake."""
HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")

RESULTS = ("succeeded", "failed", "cancelled", "stopped", "not_executed")
SOURCES = ("initial", "aerial", "onboard", "truth")
STATES = ("unknown", "running", "ended")
ENTITY_TYPES = ("entity", "station", "cell", "pose", "pixel")
VALUE_TYPES = ("phrase", "integer", "number", "check", "watch", "moves")
CHECKED = ("gripper_opening_m", "height_m")
"""What a part of a sequence may be checked on, right after it."""
RELATIONS = ("<=", ">=")
MOST_MOVES = 6
"""Of one sequence."""
MOST_DEMONSTRATED = 64
"""Frames of a demonstration in one reply."""


class ContractError(Exception):
    """A message breaks the contract: `field` is its path in the message, `remedy` what would be right."""

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(f"{field or 'The message'} {problem}. {remedy}")
        self.field = field
        self.problem = problem
        self.remedy = remedy


def read(raw: str | bytes, longest: int = LONGEST_COMMAND_CHARACTERS) -> dict[str, Any]:
    """The JSON object in a message. Raises ContractError for what is too long or no object."""
    if len(raw) > longest:
        raise ContractError("", f"has {len(raw)} characters", f"Send at most {longest}.")
    try:
        message = json.loads(raw, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ContractError("", f"is no JSON: {error}", "Send one JSON object a message.") from None
    if not isinstance(message, dict):
        raise ContractError("", "is no JSON object", "Send one JSON object a message.")
    return message


def check_command(message: dict[str, Any]) -> dict[str, Any]:
    """The message, if it is a command as COMMANDS says; else raises ContractError."""
    operation = message.get("op")
    if not isinstance(operation, str) or operation not in COMMANDS:
        raise ContractError("op", f"is {_shown(operation)}", f"Send one of {', '.join(COMMANDS)}.")
    _closed({"op": text, "id": count, **COMMANDS[operation]})(message, "")
    return message


def check_reply(operation: str, message: dict[str, Any]) -> dict[str, Any]:
    """The message, if it is a reply to `operation`; else raises ContractError."""
    boolean(message.get("ok"), "ok")
    body = REPLIES[operation] if message["ok"] else {"error": ERROR}
    optional = MAY_REPLY.get(operation) if message["ok"] else None
    _closed({"re": nullable(count), "ok": boolean, **body}, optional)(message, "")
    return message


def check_report(message: dict[str, Any]) -> dict[str, Any]:
    """The message, if it is a report as REPORTS says; else raises ContractError."""
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in REPORTS:
        raise ContractError("kind", f"is {_shown(kind)}", f"Send one of {', '.join(REPORTS)}.")
    _closed({"report": count, "kind": text, "met_s": number, **REPORTS[kind]})(message, "")
    return message


def accepted(command_id: int, **body: Any) -> dict[str, Any]:
    """The reply that says a command was taken."""
    return {"re": command_id, "ok": True, **body}


def refused(command_id: int | None, code: str, field: str, problem: str, remedy: str) -> dict[str, Any]:
    """The reply that says a command was not taken. `command_id` None: it could not be read."""
    error = {"code": code, "field": field, "problem": problem, "remedy": remedy}
    return {"re": command_id, "ok": False, "error": error}


def id_of(message: dict[str, Any]) -> int | None:
    """The command's id, where even that can be read."""
    command_id = message.get("id")
    return command_id if type(command_id) is int and 0 <= command_id <= LARGEST_INTEGER else None


def _text(least: int, most: int) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, str):
            raise ContractError(field, f"is {_shown(value)}", "Send a text.")
        if not least <= len(value) <= most:
            raise ContractError(field, f"has {len(value)} characters", f"Send {least} to {most}.")
        if HALF_A_CHARACTER.search(value):
            raise ContractError(field, "holds half a character", "Send whole Unicode characters.")

    return check


identity = _text(1, LONGEST_ID)
text = _text(0, LONGEST_TEXT)
picture = _text(1, LONGEST_PICTURE)


def _number(least: float, remedy: str) -> Check:
    def check(value: Any, field: str) -> None:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        # No NaN is within bounds, and an integer of any length can be compared.
        if not is_number or not least <= value <= LARGEST_NUMBER:
            raise ContractError(field, f"is {_shown(value)}", remedy)

    return check


def _count(most: int, remedy: str) -> Check:
    def check(value: Any, field: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise ContractError(field, f"is {_shown(value)}", remedy)

    return check


number = _number(-LARGEST_NUMBER, f"Send a finite number. Its size is at most {LARGEST_NUMBER:g}.")
length = _number(1e-6, "Send a number above 0.")
count = _count(LARGEST_INTEGER, "Send a whole number, 0 or more.")
amount = _count(MOST, f"Send a whole number from 0 to {MOST}.")


def index(value: Any, field: str) -> None:
    """A column or row of a map, which may lie below 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not -MOST <= value <= MOST:
        raise ContractError(field, f"is {_shown(value)}", f"Send a whole number from -{MOST} to {MOST}.")


def boolean(value: Any, field: str) -> None:
    if not isinstance(value, bool):
        raise ContractError(field, f"is {_shown(value)}", "Send true or false.")


def anything(value: Any, field: str) -> None:
    """A skill's argument: its type is the catalogue's business, that it can be stored is ours."""
    if HALF_A_CHARACTER.search(json.dumps(value, ensure_ascii=False)):
        raise ContractError(field, "holds half a character", "Send whole Unicode characters.")


def one_of(*choices: str) -> Check:
    def check(value: Any, field: str) -> None:
        if value not in choices:
            raise ContractError(field, f"is {_shown(value)}", f"Send one of {', '.join(choices)}.")

    return check


def nullable(inner: Check) -> Check:
    def check(value: Any, field: str) -> None:
        if value is not None:
            inner(value, field)

    return check


def list_of(inner: Check, length: int | None = None) -> Check:
    """`length`: exactly so many."""

    def check(value: Any, field: str) -> None:
        if not isinstance(value, list) or (length is not None and len(value) != length):
            wanted = "a list" if length is None else f"a list of {length}"
            raise ContractError(field, f"is {_shown(value)}", f"Send {wanted}.")
        for index, item in enumerate(value):
            inner(item, f"{field}[{index}]")

    return check


def mapping_of(inner: Check) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, dict):
            raise ContractError(field, f"is {_shown(value)}", "Send an object.")
        for name, item in value.items():
            identity(name, field)
            inner(item, f"{field}.{name}")

    return check


def _closed(fields: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """An object with exactly these fields, and such of the optional ones as it likes."""

    def check(value: Any, field: str) -> None:
        if not isinstance(value, dict):
            raise ContractError(field, f"is {_shown(value)}", "Send an object.")
        path = f"{field}." if field else ""
        for name, inner in fields.items():
            if name not in value:
                raise ContractError(path + name, "is missing", f"Send {', '.join(fields)}.")
            inner(value[name], path + name)
        for name in value:
            if optional is not None and name in optional:
                optional[name](value[name], path + name)
            elif name not in fields:
                raise ContractError(path + name, "is not part of this message", f"Send {', '.join(fields)}.")

    return check


def _points_or_all(value: Any, field: str) -> None:
    if value != "all":
        list_of(list_of(number, 2))(value, field)


def moves(value: Any, field: str) -> None:
    """The parts of a sequence: 1 to MOST_MOVES objects."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_MOVES:
        raise ContractError(field, f"is {_shown(value)}", f"Send a list of 1 to {MOST_MOVES} moves.")
    for index, part in enumerate(value):
        MOVE(part, f"{field}[{index}]")


def _few(value: Any, field: str) -> None:
    if type(value) is not int or not 1 <= value <= MOST_DEMONSTRATED:
        remedy = f"Send a whole number from 1 to {MOST_DEMONSTRATED}."
        raise ContractError(field, f"is {_shown(value)}", remedy)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _shown(value: Any) -> str:
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 60 else shown[:57] + "…"


POSE = _closed({"x_m": number, "y_m": number, "yaw_rad": number, "frame_id": identity})
PLACE = list_of(number, 2)
WATCH = _closed({"points": _points_or_all, "camera": text})
STEP = _closed({
    "skill": identity,
    "arguments": mapping_of(anything),
    "goal": nullable(POSE),  # where the runner's memory says that the target is
    "watch": nullable(WATCH),
    "cameras": list_of(identity),  # record these while the skill runs
})  # fmt: skip
MOVE = _closed({
    "skill": identity,
    "arguments": mapping_of(anything),
    "check": nullable(_closed({
        "quantity": one_of(*CHECKED), "relation": one_of(*RELATIONS), "bound_m": number,
    })),  # the sequence stops where it does not hold
})  # fmt: skip
TOOL = _closed({  # the end-effector, between the fingertips, in the map's frame; z over the table
    "x_m": number, "y_m": number, "z_m": number, "roll_rad": number, "pitch_rad": number, "yaw_rad": number,
})  # fmt: skip
TRACED = _closed({  # one part of a sequence, or one chunk of a delegated subgoal
    "what": text,
    "step": amount,
    "opening_m": number,
    "height_m": number,  # of a chunk the lowest in it
    "check": text,  # empty where there was none
    "passed": nullable(boolean),
})  # fmt: skip
MEASURED = _closed({
    "pose": nullable(POSE),
    "held": nullable(identity),
    "gripper_open": nullable(boolean),
    "path": list_of(PLACE),  # places entered, in order
    "moves": amount,  # world steps that the skill took
}, {
    "opening_m": nullable(number),  # between the fingers, where it is measured
    "height_m": nullable(number),  # of the end-effector over what it works on, where it is measured
    "touches": list_of(text),  # what each finger touches, in words
    "tool": TOOL,
    "points_m": list_of(nullable(list_of(number, 3))),  # what was located, one for each pixel
    "trace": list_of(TRACED),
})  # fmt: skip
CALIBRATION = _closed({
    "fx_px": length, "fy_px": length, "cx_px": number, "cy_px": number,
    "map_from_camera": list_of(number, 16),  # row by row; the camera's x right, y down, z forward
})  # fmt: skip
FRAME = _closed({"camera": identity, "step": amount, "png_base64": picture}, {
    "depth_png_base64": picture,  # 16 bits a pixel, millimetres along z; 0 where there is none
    "calibration": CALIBRATION,
})  # fmt: skip
VERDICT = _closed({
    "status": one_of("success", "fail", "timeout", "error"),  # error: the motion planner's
    "reason": identity,
    "message": text,
})  # fmt: skip
SUBGOAL = _closed({"phrase": text, "pixel": PLACE})  # of the front view, its longer side 512
OUTCOME = _closed({
    "dispatch_id": identity, "skill": identity, "result": one_of(*RESULTS), "reason": identity,
    "message": text, "started_s": number, "ended_s": number, "measured": MEASURED,
    "frames": list_of(FRAME),  # per camera the view before the action first, its last view last
}, {
    "views": list_of(FRAME),  # each camera's, right after the action
    "verdict": VERDICT,  # of a world that judges the task, once it is over
    "subgoal": SUBGOAL,  # the next by the truth, for the baseline that is told it
})  # fmt: skip
EVIDENCE = _closed({
    "entity": nullable(identity), "cls": identity, "pose": POSE, "confidence": number,
    "source": one_of(*SOURCES), "stamp_s": number, "sensed_by": text,
}, {
    "clocks": _closed({"robot_s": number, "utc_s": number}),  # when it was sensed, seconds since 1970
})  # fmt: skip
ROBOT = _closed({"name": identity, "kind": one_of("ground", "aerial"), "pose": POSE})
ARM = _closed({
    "joints_rad": list_of(number),
    "opening_m": number,  # between the fingers
    "height_m": number,  # of the grip over the floor
    "touches": list_of(text),  # what each finger touches, in words
})  # fmt: skip
ROBOT_NOW = _closed({
    "name": identity,
    "pose": POSE,
    "speed_m_s": number,
    "gripper": nullable(_closed({"open": boolean, "held": nullable(identity)})),
    "battery": nullable(number),  # 0 to 1
    "doing": text,
}, {
    "progress": text,  # what the running skill says of itself, in words; empty or left out where it is silent
    "trouble": text,  # what is wrong with it now, in words; empty or left out where nothing is
    "arm": ARM,
})  # fmt: skip
CAMERA = _closed({
    "name": identity,
    "width_px": count,
    "height_px": count,
    "map_to_pixel": nullable(_closed({"scale_px_per_m": PLACE, "offset_px": PLACE})),  # null: it moves along
})  # fmt: skip
ARGUMENT = _closed({
    "name": identity, "types": list_of(one_of(*ENTITY_TYPES, *VALUE_TYPES)), "required": boolean,
    "description": text, "choices": list_of(text),
})  # fmt: skip
SKILL = _closed({
    "name": identity, "description": text, "arguments": list_of(ARGUMENT), "may_watch": boolean,
})  # fmt: skip
CATALOGUE = _closed({"skills": list_of(SKILL), "cameras": list_of(identity)})
MAP = _closed({"width": amount, "height": amount, "cell_m": length, "occupied": list_of(PLACE)}, {
    "unknown": list_of(PLACE),  # cells that nobody has looked at; left out where there are none
    "first": list_of(index, 2),  # the lowest column and row; left out where they are 0
})  # fmt: skip
SITE = _closed({
    "name": identity,
    "frame_id": identity,
    "map": MAP,
    "metric": _closed({"kind": one_of("manhattan", "euclidean"), "length_m": length, "tolerance_m": number}),
    "stations": list_of(_closed({"id": identity, "pose": POSE, "accepts": list_of(identity)})),
    "regions": list_of(_closed({"name": identity, "polygon_m": list_of(PLACE), "restricted": boolean})),
    "assignment": one_of("fixed", "at_reveal"),
    "rules": list_of(text),
    "version": count,
}, {
    "takes_stations": boolean,  # it goes by the goals it is sent: people may set and move stations
})  # fmt: skip
ERROR = _closed({"code": identity, "field": text, "problem": text, "remedy": text})

COMMANDS: dict[str, dict[str, Check]] = {
    "hello": {"epoch": count, "contract": count},
    "submit": {"epoch": count, "dispatch_id": identity, "step": STEP},
    "cancel": {"epoch": count, "dispatch_id": identity},
    "status": {"dispatch_id": identity},
    "stop": {"stop_id": identity, "actor": text},
    "release": {"stop_id": identity, "epoch": count},
    "heartbeat": {"epoch": count},
    "acknowledge": {"through": count},
    "advance": {"epoch": count},  # a world that waits executes one step of the running skill
    "resume": {"after": count},  # sends kept reports above `after` again, and every new one from now on
    "demonstration": {"first": count, "count": _few},  # some of the frames shown before the robot acts
    "truth": {"met_s": number},  # a simulator's own state, for replay and evaluation; no planner may see it
}
REPLIES: dict[str, dict[str, Check]] = {
    "hello": {
        "contract": count,
        "robot": identity,
        "world": identity,
        "scenario": text,
        "seed": count,
        "clock": one_of("waits", "runs"),
        "tick_s": number,
        "met_s": number,
        "ledger_id": identity,
        "latched": list_of(identity),
        "held": nullable(identity),
        "catalogue": CATALOGUE,
        "site": SITE,
        "robots": list_of(ROBOT),
        "initial": list_of(EVIDENCE),
        "cameras": list_of(CAMERA),
        "budget_s": nullable(number),
        "total": amount,  # containers in all
    },
    "submit": {"state": one_of(*STATES), "outcome": nullable(OUTCOME)},
    "cancel": {"state": one_of(*STATES), "outcome": nullable(OUTCOME)},
    "status": {
        "state": one_of(*STATES),
        "ledger": one_of("intact", "lost"),
        "executions": count,  # how often the bridge began to execute it; more than 1 is a fault
        "outcome": nullable(OUTCOME),
    },
    "stop": {"latched": boolean, "standstill": boolean, "measured": nullable(MEASURED)},
    "release": {"latched": list_of(identity)},
    "heartbeat": {},
    "acknowledge": {},
    "advance": {"state": one_of(*STATES), "met_s": number, "outcome": nullable(OUTCOME)},
    "resume": {"through": count},
    "demonstration": {"total": amount, "frames": list_of(FRAME)},
    "truth": {
        "met_s": number,
        "entities": list_of(_closed({"entity": identity, "cls": identity, "pose": POSE, "state": identity})),
    },
}
MAY_REPLY: dict[str, dict[str, Check]] = {
    "hello": {
        "instruction": text,  # this episode's task, in the words that the planner is told
        "task": identity,
        "difficulty": identity,
        "executor": one_of("direct", "delegate"),
        "demonstration": amount,  # frames of it
        "views": list_of(FRAME),
        "tool": TOOL,
        "subgoal": SUBGOAL,
    }
}
"""What a reply may hold beside that."""
REPORTS: dict[str, dict[str, Check]] = {
    "evidence": {"evidence": EVIDENCE},
    "outcome": {"outcome": OUTCOME},
    "stopped": {"stop_id": identity, "actor": text, "standstill": boolean, "measured": MEASURED},
    "watchdog": {"stop_id": identity, "silent_s": number, "measured": MEASURED},
    "telemetry": {"robots": list_of(ROBOT_NOW)},
    "map": {"map": MAP},  # the whole map of a site that changes, in the cells of hello's
    "clock": {},
}
