"""What a person made of a plan: each step once, and changes to the argument."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.plans.difference import ArgumentChange, difference, is_change
from backend.domain.plans.plan import Step, Watch
from tests.domain.scripted import BOTTLES, CANS, collect, step

PLAN = collect("can_1")
GO, FACE, TAKE, CARRY, DROP = PLAN
LOOK = step("verify", target="can_1")

TABLE: dict[str, tuple[tuple[Step, ...], list[tuple[str, int | None, int | None]]]] = {
    "nothing": (PLAN, []),
    "a step added at the head": ((LOOK, *PLAN), [("added", None, 0)]),
    "a step added at the end": ((*PLAN, LOOK), [("added", None, 5)]),
    "a step removed": ((GO, FACE, CARRY, DROP), [("removed", 2, None)]),
    "all but one removed": ((GO,), [("removed", n, None) for n in range(1, 5)]),
    "two exchanged": ((FACE, GO, TAKE, CARRY, DROP), [("moved", 0, 1)]),
    "an argument changed": ((GO, FACE, TAKE, step("navigate", to=BOTTLES), DROP), [("changed", 3, 3)]),
    "a skill exchanged": ((GO, LOOK, TAKE, CARRY, DROP), [("added", None, 1), ("removed", 1, None)]),
    "another plan": ((LOOK,), [("added", None, 0), *[("removed", n, None) for n in range(5)]]),
}


@pytest.mark.parametrize(("after", "told"), TABLE.values(), ids=TABLE)
def test_what_was_changed(after: tuple[Step, ...], told: list[tuple[str, int | None, int | None]]) -> None:
    found = difference(PLAN, after)

    assert sorted(((c.kind, c.before, c.after) for c in found if is_change(c)), key=str) == sorted(
        told, key=str
    )


def test_a_change_is_told_to_the_argument() -> None:
    watched = step("navigate", Watch("all"), to=BOTTLES)
    [change] = [c for c in difference(PLAN, (GO, FACE, TAKE, watched, DROP)) if is_change(c)]

    assert change.arguments == (
        ArgumentChange("to", CANS, BOTTLES),
        ArgumentChange("watch", None, Watch("all")),
    )


STEPS = st.lists(
    st.sampled_from([GO, FACE, TAKE, CARRY, DROP, LOOK, step("navigate", to=BOTTLES)]), max_size=7
)


@given(before=STEPS, after=STEPS)
def test_each_step_of_either_plan_is_told_once(before: list[Step], after: list[Step]) -> None:
    told = difference(before, after)

    assert [c.after for c in told if c.after is not None] == list(range(len(after)))
    assert sorted(c.before for c in told if c.before is not None) == list(range(len(before)))
    assert all(c.step == after[c.after] for c in told if c.after is not None)
    assert (not any(map(is_change, told))) is (before == after)
    for change in told:
        if change.kind in ("kept", "moved"):
            assert change.before is not None
            assert before[change.before] == change.step
        assert bool(change.arguments) is (change.kind == "changed")
