"""From a reply's text to a proposal, or to the one field that is wrong."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.domain.geometry import Pose
from backend.domain.plans.catalogue import ArgumentType, Catalogue, Skill
from backend.domain.plans.decode import MAX_TEXT, DecodeFailure, decode_reply
from backend.domain.plans.plan import Step, Watch
from backend.domain.plans.schema import Ids
from backend.domain.query.query import Proposal
from tests.domain.plans.samples import MOBILE, collection, step, takes, written
from tests.domain.plans.strategies import catalogues, ids, steps_for

GRASP = written((step("grasp", target="can_1"),))
TABLETOP = Catalogue(
    skills=(
        Skill(
            name="move",
            description="",
            arguments=(
                takes("goal", ArgumentType.POSE, ArgumentType.PIXEL),
                takes("chunks", ArgumentType.INTEGER),
                takes("speed", ArgumentType.NUMBER, required=False),
                takes("check", ArgumentType.CHECK, required=False),
            ),
            may_watch=True,
        ),
    ),
    cameras=("front",),
)
MOVE = written((step("move", goal=Pose(0.1, 0.2), chunks=2),), TABLETOP)


@given(st.data(), catalogues, ids)
def test_what_was_written_is_what_is_read(data: st.DataObject, catalogue: Catalogue, known: Ids) -> None:
    steps = data.draw(steps_for(catalogue, known))

    proposal = decode_reply(json.dumps(written(steps, catalogue)), catalogue)

    assert proposal == Proposal(rationale="Nearest first.", note="", steps=steps)


@given(st.text())
@example("[" * 200_000)
@example('{"rationale": "\ud800", "note": "", "steps": []}')
@example('{"rationale": 1e999}')
def test_no_text_raises(text: str) -> None:
    assert isinstance(decode_reply(text, MOBILE), Proposal | DecodeFailure)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.data(), anything)
def test_no_value_anywhere_raises_or_slips_through(data: st.DataObject, odd: Any) -> None:
    reply = json.loads(json.dumps(written(collection("can_1", "station_metal"))))
    step_at = data.draw(st.integers(0, 4))
    path = data.draw(
        st.sampled_from(
            [["rationale"], ["note"], ["steps"], ["steps", step_at], ["steps", step_at, "skill"],
             ["steps", step_at, "arguments"], ["steps", step_at, "watch"]]
        )
    )  # fmt: skip
    place = reply
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = odd

    read = decode_reply(json.dumps(reply), MOBILE)

    if isinstance(read, Proposal):
        assert (read.rationale, read.note) == (reply["rationale"], reply["note"])
        assert written(read.steps)["steps"] == reply["steps"]
    else:
        assert read.verdict == "invalid_schema"
        assert read.field.startswith(str(path[0]))


def changed(reply: dict[str, Any], *path: Any, value: Any) -> str:
    """The reply as text, with one value replaced or, where `value` is Ellipsis, removed."""
    copy = json.loads(json.dumps(reply))
    place = copy
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(copy)


def test_no_json() -> None:
    for text in ("", "Sure! Here is the plan:", "```json\n{}\n```", '{"rationale": "a"', "NaN"):
        read = decode_reply(text, MOBILE)

        assert isinstance(read, DecodeFailure)
        assert read.verdict == "invalid_json"
        assert read.field == ""


ARGUMENTS = ("steps", 0, "arguments")


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        pytest.param("[]", "reply", "must be an object, not a list", id="the reply is a list"),
        pytest.param(changed(GRASP, "note", value=...), "note", "is missing", id="no note"),
        pytest.param(changed(GRASP, "plan", value=1), "plan", "is not asked for", id="one member too many"),
        pytest.param(
            changed(GRASP, "rationale", value=None), "rationale", "must be text, not null", id="null for text"
        ),
        pytest.param(changed(GRASP, "note", value="a\0b"), "note", "NUL", id="a NUL character"),
        pytest.param(
            changed(GRASP, "note", value="x" * (MAX_TEXT + 1)), "note", "at most 20000", id="a runaway note"
        ),
        pytest.param(changed(GRASP, "steps", value={}), "steps", "must be a list", id="steps are an object"),
        pytest.param(
            changed(GRASP, "steps", 0, value="grasp"),
            "steps[0]",
            "not the text 'grasp'",
            id="a step is a text",
        ),
        pytest.param(
            changed(GRASP, "steps", 0, "skill", value="fly"),
            "steps[0].skill",
            "Use one of: navigate, approach",
            id="no such skill",
        ),
        pytest.param(
            changed(GRASP, "steps", 0, "watch", value=...), "steps[0].watch", "is missing", id="no watch"
        ),
        pytest.param(
            changed(GRASP, *ARGUMENTS, "target", value=...),
            "steps[0].arguments.target",
            "is missing",
            id="no target",
        ),
        pytest.param(
            changed(GRASP, *ARGUMENTS, "target", value=None),
            "steps[0].arguments.target",
            "must be an entity id, not null",
            id="null for what is required",
        ),
        pytest.param(
            changed(GRASP, *ARGUMENTS, "target", value=7),
            "steps[0].arguments.target",
            "must be an entity id, not the number 7",
            id="a number for an id",
        ),
        pytest.param(
            changed(GRASP, *ARGUMENTS, "force", value=7),
            "steps[0].arguments.force",
            "is not asked for",
            id="an argument too many",
        ),
        pytest.param(
            changed(GRASP, "steps", 0, "watch", value={"camera": "front", "points": [[1, 2]]}),
            "steps[0].watch.points[0]",
            "must be an object",
            id="a point as a list",
        ),
        pytest.param(
            changed(GRASP, "steps", 0, "watch", value={"camera": "front", "points": "some"}),
            "steps[0].watch.points",
            'must be "all" or a list',
            id="watch some",
        ),
        pytest.param(
            changed(MOVE, *ARGUMENTS, "chunks", value=1.5),
            "steps[0].arguments.chunks",
            "must be an integer, not the number 1.5",
            id="a fraction for an integer",
        ),
        pytest.param(
            changed(MOVE, *ARGUMENTS, "chunks", value=True),
            "steps[0].arguments.chunks",
            "not a truth value",
            id="true for an integer",
        ),
        pytest.param(
            changed(MOVE, *ARGUMENTS, "chunks", value=10**400),
            "steps[0].arguments.chunks",
            "out of range",
            id="a number without bounds",
        ),
        pytest.param(
            changed(MOVE, *ARGUMENTS, "goal", value={"x_m": 1, "y_m": 2}),
            "steps[0].arguments.goal",
            "must be a pose",
            id="half a pose",
        ),
        pytest.param(
            changed(MOVE, *ARGUMENTS, "goal", "x_m", value="1"),
            "steps[0].arguments.goal.x_m",
            "must be a number, not the text '1'",
            id="a text for a length",
        ),
    ],
)
def test_the_failure_names_the_field(text: str, field: str, says: str) -> None:
    read = decode_reply(text, TABLETOP if '"move"' in text else MOBILE)

    assert isinstance(read, DecodeFailure)
    assert (read.verdict, read.field) == ("invalid_schema", field)
    assert says in str(read)


def test_values_have_one_form_before_and_after_the_journal() -> None:
    """A cell of floats and an integer of int: what JSON would give back, so that digests stay equal."""
    reply = written((step("explore", cell=(2.0, 3.0)),))

    read = decode_reply(json.dumps(reply), MOBILE)

    assert isinstance(read, Proposal)
    assert [type(part) for part in read.steps[0].arguments["cell"]] == [float, float]


def test_an_optional_argument_may_be_null_or_absent() -> None:
    for text in (json.dumps(MOVE), changed(MOVE, *ARGUMENTS, "speed", value=...)):
        read = decode_reply(text, TABLETOP)

        assert isinstance(read, Proposal)
        assert read.steps == (Step("move", {"goal": Pose(0.1, 0.2), "chunks": 2}),)


def test_a_watch_is_read() -> None:
    watch = Watch(((10.0, 20.0),), "front")

    read = decode_reply(json.dumps(written((step("grasp", watch, target="can_1"),))), MOBILE)

    assert isinstance(read, Proposal)
    assert read.steps[0].watch == watch
