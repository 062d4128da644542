"""Which pictures of an action are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.execution.recording import kept


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], []),
        ([7], [7]),
        ([7, 7], [7, 7]),
        ([0, 1], [0, 1]),
        (range(9), [0, 4, 8]),
        (range(11), [0, 4, 8, 10]),
        (range(65), [0, *range(4, 65, 4)]),
        (range(129), [0, *range(8, 129, 8)]),
        ([0, 4, 8, 9], [0, 4, 8, 9]),
        ([0, 5, 10, 15], [0, 5, 10, 15]),
        ([100, 101, 104, 107], [100, 104, 107]),
    ],
    ids=[
        "nothing recorded",
        "the view before alone",
        "an action without a step",
        "one step",
        "every fourth",
        "every fourth and the last",
        "sixteen fit",
        "a long action at twice the stride",
        "thinned out by the robot",
        "at the robot's own stride",
        "begun in the middle of the mission",
    ],
)
def test_every_fourth_step_is_kept(steps: list[int], expected: list[int]) -> None:
    assert [steps[index] for index in kept(steps)] == expected


@given(st.lists(st.integers(0, 5), min_size=2, max_size=400))
def test_at_most_sixteen_besides_the_first_in_order_and_always_the_last(strides: list[int]) -> None:
    steps = [sum(strides[:end]) for end in range(len(strides) + 1)]

    indices = kept(steps)

    assert indices[0] == 0
    assert indices[-1] == len(steps) - 1
    assert len(indices) <= 17
    assert list(indices) == sorted(set(indices))


@given(st.integers(1, 2000))
def test_those_of_a_long_action_are_evenly_spaced(last: int) -> None:
    steps = list(range(last + 1))

    gaps = [after - before for before, after in zip(kept(steps), kept(steps)[1:], strict=False)]

    assert max(gaps) - min(gaps[:-1], default=gaps[-1]) <= 4
    assert max(gaps) >= 4 or last < 4
