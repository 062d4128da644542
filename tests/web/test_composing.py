"""A plan as a form: what was a plan comes back the same, and what cannot be read is told at its field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.geometry import Pose
from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue, Skill
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import Step, Watch
from backend.web.composing import Row, after, rows_from, rows_of, steps_of
from tests.domain.plans.samples import MOBILE

T = ArgumentType
ROBOT = Catalogue(
    skills=(
        Skill(
            name="go",
            description="",
            arguments=(Argument(name="to", types=(T.ENTITY, T.STATION, T.CELL, T.POSE)),),
        ),
        Skill(
            name="tend",
            description="",
            may_watch=True,
            arguments=(
                Argument(name="words", types=(T.PHRASE,)),
                Argument(name="at", types=(T.PIXEL,)),
                Argument(name="times", types=(T.INTEGER,), required=False),
                Argument(name="width", types=(T.NUMBER,), required=False),
                Argument(name="until", types=(T.CHECK,), required=False),
                Argument(name="parts", types=(T.MOVES,), required=False),
            ),
        ),
    ),
    cameras=("front",),
)
FINITE = st.floats(-1e6, 1e6, allow_nan=False)
PLACES = st.one_of(
    st.sampled_from(["can_1", "station west", "ü"]),
    st.tuples(st.integers(0, 50).map(float), st.integers(0, 50).map(float)),
    st.builds(Pose, FINITE, FINITE, FINITE, st.just("map")),
)
PARTS = (
    Motion("move", {"x_m": 0.1, "y_m": -2, "z_m": 0.02}, "height_m <= 0.05"),
    Motion("wait", {"steps": 3}),
)
PIXELS = st.tuples(FINITE, FINITE)
STEPS = st.one_of(
    st.builds(lambda to: Step("go", {"to": to}), PLACES),
    st.builds(
        lambda words, at, times, width, watch: Step(
            "tend",
            {
                "words": words,
                "at": at,
                "times": times,
                "width": width,
                "until": "height_m >= 0.05",
                "parts": PARTS,
            },
            watch,
        ),
        st.text("abc de", min_size=1).filter(lambda text: text == text.strip()),
        PIXELS,
        st.integers(-9, 9),
        FINITE,
        st.one_of(
            st.none(),
            st.just(Watch("all", "front")),
            st.builds(lambda points: Watch(tuple(points), ""), st.lists(PIXELS, min_size=1, max_size=3)),
        ),
    ),
)


@given(steps=st.lists(STEPS, max_size=6))
def test_a_plan_that_nobody_touched_is_the_same_plan(steps: list[Step]) -> None:
    rows = rows_from(steps)
    form = [pair for row in rows for pair in posted(row)]

    assert rows_of(form) == rows
    assert steps_of(rows_of(form), ROBOT, "map") == (tuple(steps), ())


def posted(row: Row) -> list[tuple[str, str]]:
    fields = [(f"{row.id}.{name}", value) for name, value in row.fields.items()]
    return [("row", row.id), (f"{row.id}.skill", row.skill), *fields]


READ: dict[str, tuple[str, dict[str, str], object]] = {
    "an entity": ("go", {"to": "id:can_1"}, {"to": "can_1"}),
    "a cell": ("go", {"to": "cell", "to.x": " 3", "to.y": "4 "}, {"to": (3.0, 4.0)}),
    "a pose": (
        "go",
        {"to": "pose", "to.x_m": "1,5", "to.y_m": "2", "to.yaw_rad": "0"},
        {"to": Pose(1.5, 2.0, 0.0)},
    ),
    "nothing chosen": ("go", {"to": ""}, {}),
    "a cell chosen and not yet written": ("go", {"to": "cell"}, {}),
    "what belongs to another skill": ("go", {"to": "id:can_1", "words": "left"}, {"to": "can_1"}),
}


@pytest.mark.parametrize(("skill", "fields", "arguments"), READ.values(), ids=READ)
def test_what_is_typed_is_read(skill: str, fields: dict[str, str], arguments: object) -> None:
    steps, flaws = steps_of([Row(id="r1", skill=skill, fields=fields)], ROBOT, "map")

    assert flaws == ()
    assert steps[0].arguments == arguments


UNREAD: dict[str, tuple[str, dict[str, str], str, str]] = {
    "half a cell": ("go", {"to": "cell", "to.x": "3"}, "to", "y is missing."),
    "no number": ("go", {"to": "cell", "to.x": "three", "to.y": "1"}, "to", "“three” is no number."),
    "no whole number": ("go", {"to": "cell", "to.x": "1.5", "to.y": "1"}, "to", "“1.5” is no whole number."),
    "no finite number": ("tend", {"width.text": "nan"}, "width", "width is out of range."),
    "half an integer": ("tend", {"times.text": "1.5"}, "times", "“1.5” is no whole number."),
    "points without a comma": (
        "tend",
        {"watch": "points", "watch.points": "10"},
        "watch",
        "The points cannot be read.",
    ),
    "no points": ("tend", {"watch": "points"}, "watch", "The points cannot be read."),
}


@pytest.mark.parametrize(("skill", "fields", "field", "message"), UNREAD.values(), ids=UNREAD)
def test_what_cannot_be_read_is_told_at_its_field(
    skill: str, fields: dict[str, str], field: str, message: str
) -> None:
    _, flaws = steps_of([Row(id="r1", skill=skill, fields=fields)], ROBOT, "map")

    assert [(flaw.row, flaw.field, flaw.message) for flaw in flaws] == [("r1", field, message)]


ROWS = tuple(Row(id=f"r{n}", skill="explore") for n in (1, 2, 3))
PRESSED = {
    "": "r1 r2 r3",
    "up:r2": "r2 r1 r3",
    "up:r1": "r1 r2 r3",
    "down:r1": "r2 r1 r3",
    "down:r3": "r1 r2 r3",
    "remove:r2": "r1 r3",
    "insert:r1": "r1 r4 r2 r3",
    "add": "r1 r2 r3 r4",
    "up:r9": "r1 r2 r3",
    "nonsense:r1": "r1 r2 r3",
}


@pytest.mark.parametrize(("op", "order"), PRESSED.items(), ids=PRESSED)
def test_a_button_moves_a_row_and_nothing_else(op: str, order: str) -> None:
    assert " ".join(row.id for row in after(op, ROWS, MOBILE)) == order


def test_fields_of_no_row_and_strange_ids_are_ignored() -> None:
    form = [
        ("row", "r1"),
        ("row", "../x"),
        ("row", "r1"),
        ("r1.skill", "go"),
        ("r9.skill", "go"),
        ("op", "add"),
    ]

    assert rows_of(form) == (Row(id="r1", skill="go"),)
    assert steps_of((Row(id="r1", skill="dance"),), ROBOT, "map") == ((Step("dance"),), ())
