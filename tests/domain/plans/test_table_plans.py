"""What a planner at a table may ask: one step, sequences of moves and waits, pixels of the picture."""

from __future__ import annotations

from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.digests import digest
from backend.domain.plans import motion
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.decode import DecodeFailure, decode_reply
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Step, Watch, describe
from backend.domain.plans.schema import Ids, reply_schema
from backend.domain.plans.validator import validate
from backend.domain.query.query import Proposal
from tests.domain.plans.table import DELEGATE, DIRECT, ground, part, reply

GRASP: dict[str, Any] = {
    "moves": [
        part("move", x_m=0.1, y_m=-0.2, z_m=0.12, gripper="open"),
        part("move", "gripper_opening_m >= 0.02", x_m=0.1, y_m=-0.2, z_m=0.02, gripper="close"),
        part("wait", steps=5),
    ]
}
READ = Step(
    "sequence",
    {
        "moves": (
            Motion("move", {"x_m": 0.1, "y_m": -0.2, "z_m": 0.12, "gripper": "open"}),
            Motion(
                "move",
                {"x_m": 0.1, "y_m": -0.2, "z_m": 0.02, "gripper": "close"},
                "gripper_opening_m >= 0.02",
            ),
            Motion("wait", {"steps": 5}),
        )
    },
)


def test_a_sequence_is_read_and_is_valid_and_is_the_same_out_of_the_journal() -> None:
    proposal = decode_reply(reply("sequence", GRASP), DIRECT)

    assert isinstance(proposal, Proposal)
    assert proposal.steps == (READ,)
    assert validate(proposal.steps, ground()) == ()
    stored = msgspec.json.decode(msgspec.json.encode(READ), type=Step)
    assert stored == READ
    assert digest(stored) == digest(READ)


def test_the_schema_takes_what_can_be_read_and_nothing_else() -> None:
    schema = reply_schema(DIRECT, Ids())
    jsonschema.Draft202012Validator.check_schema(schema)
    full = msgspec.json.decode(reply("sequence", GRASP))
    for each in full["steps"][0]["arguments"]["moves"]:
        if each["skill"] == "move":
            absent = ("roll_rad", "pitch_rad", "yaw_rad", "gripper", "start_step", "arrive_step")
            each["arguments"] = {**dict.fromkeys(absent), **each["arguments"]}

    jsonschema.validate(full, schema)
    full["steps"][0]["arguments"]["moves"][2]["skill"] = "locate"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(full, schema)


@pytest.mark.parametrize(
    ("moves", "field"),
    [
        ([part("locate", camera="front", pixel=None)], "moves[0].skill"),
        ([part("sequence", moves=[])], "moves[0].skill"),
        ([part("wait", steps=5), {"skill": "wait", "arguments": {"steps": 5}}], "moves[1].check"),
        ([part("wait", steps=2.5)], "moves[0].arguments.steps"),
        ([part("move", x_m=0.1, y_m=0.0)], "moves[0].arguments.z_m"),
        ([part("wait", 3, steps=2)], "moves[0].check"),
        (["wait"], "moves[0]"),
        ("wait", "moves"),
    ],
    ids=["look", "nested", "no check", "half a step", "no height", "check no text", "no object", "no list"],
)
def test_a_sequence_that_cannot_be_read_names_its_field(moves: Any, field: str) -> None:
    failure = decode_reply(reply("sequence", {"moves": moves}), DIRECT)

    assert isinstance(failure, DecodeFailure)
    assert failure.field == f"steps[0].arguments.{field}"


WAIT = Motion("wait", {"steps": 1})
HERE = {"x_m": 0.1, "y_m": 0.0, "z_m": 0.1}


@pytest.mark.parametrize(
    ("steps", "argument", "remedy"),
    [
        ((Step("sequence", {"moves": (WAIT,) * 7}),), "moves", "at most 6"),
        ((Step("sequence", {"moves": ()}),), "moves", "1 to 6"),
        ((Step("sequence", {"moves": (Motion("locate", {}),)}),), "moves[0].skill", "Choose move or wait"),
        ((Step("sequence", {"moves": (WAIT, Motion("wait", {}))}),), "moves[1].steps", "a whole number"),
        (
            (Step("sequence", {"moves": (Motion("move", {**HERE, "gripper": "half"}),)}),),
            "moves[0].gripper",
            "Choose close, keep or open",
        ),
        (
            (Step("sequence", {"moves": (Motion("wait", {"steps": 1}, "height > 3"),)}),),
            "moves[0].check",
            "gripper_opening_m >= 0.02",
        ),
        ((Step("locate", {"camera": "front", "pixel": (512.0, 3.0)}),), "pixel", "0 to 511"),
        ((Step("locate", {"camera": "side", "pixel": (3.0, 3.0)}),), "camera", "Choose front or wrist"),
        ((Step("move", {"x_m": 0.1, "y_m": 0.1}),), "z_m", "Give a number"),
        ((Step("wait", {"steps": 3}, Watch(((5.0, 5.0),) * 9, "front")),), "watch", "1 to 8 points"),
        ((Step("wait", {"steps": 3}, Watch(((5.0, 600.0),), "front")),), "watch", "0 to 511"),
        ((Step("wait", {"steps": 3}), Step("wait", {"steps": 3})), None, "exactly one"),
        ((), None, "exactly one"),
    ],
    ids=[
        "seventh move", "no move", "unknown inner skill", "lacks steps", "no such gripper word", "bad check",
        "pixel off the image", "no such camera", "lacks height", "ninth watch point", "point off the image",
        "two steps", "no step",
    ],
)  # fmt: skip
def test_a_finding_names_the_field_and_the_remedy(
    steps: tuple[Step, ...], argument: str | None, remedy: str
) -> None:
    found = validate(steps, ground())

    assert [each.argument for each in found] == [argument]
    assert remedy in found[0].remedy


@pytest.mark.parametrize("catalogue", [DIRECT, DELEGATE], ids=["direct", "delegate"])
def test_every_skill_of_a_table_has_a_strict_schema(catalogue: Catalogue) -> None:
    shapes = reply_schema(catalogue, Ids())["properties"]["steps"]["items"]["anyOf"]

    assert [shape["properties"]["skill"]["const"] for shape in shapes] == [s.name for s in catalogue.skills]


def test_steps_are_described_so_that_nothing_is_left_open() -> None:
    assert describe(READ) == (
        "sequence move to (0.1, -0.2, 0.12) m, gripper open;"
        " move to (0.1, -0.2, 0.02) m, gripper close [gripper_opening_m >= 0.02]; wait 5 steps"
    )
    timed = Step("move", {**HERE, "yaw_rad": 1.57, "arrive_step": 140})
    assert describe(timed) == "move to (0.1, 0, 0.1) m, yaw 1.57 rad, arriving at step 140"
    looked = Step("locate", {"camera": "front", "pixel": (100.0, 50.0), "height_m": 0.02})
    assert describe(looked) == "locate front (100, 50) height_m=0.02"
    asked = Step("delegate", {"phrase": "pick up the red cube", "pixel": (3.0, 4.0), "chunks": 2})
    assert describe(asked) == "delegate pick up the red cube (3, 4) chunks=2"


FIGURES = st.one_of(st.integers(-999, 999), st.floats(-9, 9, allow_nan=False))
MOTIONS = st.one_of(
    st.builds(
        lambda x, y, gripper, check: Motion(
            "move", {"x_m": x, "y_m": y, "z_m": 0.1, "gripper": gripper}, check
        ),
        FIGURES,
        FIGURES,
        st.sampled_from(["open", "close", "keep"]),
        st.sampled_from(["", "height_m >= 0.05"]),
    ),
    st.builds(lambda steps: Motion("wait", {"steps": steps}), st.integers(0, 99)),
)


@given(motions=st.lists(MOTIONS, min_size=1, max_size=6).map(tuple))
def test_what_a_person_sees_of_a_sequence_can_be_read_again(motions: tuple[Motion, ...]) -> None:
    assert motion.read(motion.written(motions)) == motions


@pytest.mark.parametrize("text", ["move x_m", "wait steps=1; [height_m >= 1]", "move {", "wait [a] [b]"])
def test_what_is_no_sequence_is_told_by_its_part(text: str) -> None:
    with pytest.raises(ValueError, match=r"Part \d, .* cannot be read. Write it as"):
        motion.read(text)
