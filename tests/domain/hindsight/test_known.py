"""What is known now of where a thing was then, from who witnessed it."""

import pytest

from backend.domain.geometry import Pose
from backend.domain.hindsight.known import hindsight_of
from backend.domain.hindsight.truth import Truth
from backend.domain.memory.record import Status
from tests.domain.hindsight.tracing import CELLS, A, B, C, belief_at, known_of, missed, saw, traced, truth

Told = tuple[Pose | None, Pose | None]


@pytest.mark.parametrize(
    ("witnesses", "at_s", "place", "before"),
    [
        pytest.param([saw(2, A)], 5, A, None, id="seen once, and nothing since"),
        pytest.param([saw(2, A)], 0, A, None, id="before it was first seen, where it was first seen"),
        pytest.param([saw(2, A), saw(9, A)], 5, A, None, id="seen there before and after"),
        pytest.param([saw(2, A), saw(9, B)], 5, B, A, id="seen elsewhere next: it may not have moved yet"),
        pytest.param([saw(2, A), saw(9, B)], 9, B, None, id="from then on certain"),
        pytest.param([saw(2, A), missed(5, A), saw(9, B)], 4, B, A, id="not missed yet"),
        pytest.param([saw(2, A), missed(5, A), saw(9, B)], 6, B, None, id="missed: it had gone by then"),
        pytest.param([saw(2, A), missed(5, A)], 6, None, None, id="missed, and seen nowhere since"),
        pytest.param([saw(2, A), missed(5, A)], 3, None, A, id="missed later: it may still have been there"),
        pytest.param([saw(2, A), missed(5, A), saw(9, A)], 3, A, A, id="missed, and back in its place"),
        pytest.param(
            [saw(2, A), saw(4, C, "report"), saw(9, A)], 6, A, None, id="a claim that two looks deny"
        ),
        pytest.param([saw(2, A), saw(4, B, "report")], 6, B, None, id="a claim that nothing denies"),
        pytest.param([saw(2, A), saw(4, B, "report")], 3, B, A, id="before that claim it may have moved"),
        pytest.param([saw(4, B, "report"), missed(4, B)], 5, None, None, id="a claim that a look denies"),
        pytest.param(
            [saw(2, A), saw(9, B, "measured", condition="held")], 5, B, A, id="grasped elsewhere later"
        ),
        pytest.param([saw(2, B, "person"), saw(9, B)], 5, B, None, id="a person's word, and seen there"),
    ],
)
def test_between_witnesses(witnesses, at_s, place, before) -> None:  # type: ignore[no-untyped-def]
    known = known_of(*witnesses).at("can_1", at_s)

    assert known is not None
    assert (known.pose, known.before) == (place, before)


def test_what_is_held_stays_in_the_hand_until_it_is_put_down() -> None:
    seen = known_of(
        saw(2, A), saw(5, A, "measured", condition="held"), saw(9, C, "measured", condition="delivered")
    )

    assert [(at.from_s, at.condition) for at in seen.courses["can_1"]] == [
        (2, "floor"), (5, "held"), (9, "delivered"),
    ]  # fmt: skip


def test_what_a_person_removed_never_was() -> None:
    trace = traced([])
    trace.beliefs["can_1"] = [belief_at(A), belief_at(A, from_s=8.0, status=Status.REMOVED)]

    found = hindsight_of(trace, Truth(why_not="nobody knows"), CELLS)

    assert found.at("can_1", 3.0) is not None
    assert [each.condition for each in found.courses["can_1"]] == ["gone"]


def test_a_simulator_outdoes_every_witness() -> None:
    trace = traced([])
    trace.beliefs["can_1"] = [belief_at(A)]
    trace.witnesses["can_1"] = [saw(2, A)]

    found = hindsight_of(trace, truth(can_1={0.0: ("floor", B), 7.0: ("floor", C)}), CELLS)

    assert found.has_truth
    assert [found.at("can_1", at_s).pose for at_s in (0.0, 6.9, 7.0, 99.0)] == [B, B, C, C]  # type: ignore[union-attr]
    assert found.at("nobody", 1.0) is None
