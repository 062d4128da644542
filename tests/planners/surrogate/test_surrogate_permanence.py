"""Permanence at the drawn table: what was seen beneath a container is remembered, or guessed."""

from __future__ import annotations

import numpy as np
import pytest

from backend.planners.surrogate.rewriting import Rates
from backend.planners.surrogate.seeing.sight import Sight, sight_of
from backend.planners.surrogate.seeing.swaps import after_swaps, shuffle
from tests.planners.surrogate.playing import play

PLACES = ((100.0, 100.0), (200.0, 100.0), (300.0, 100.0))
CONTAINER = (96, 116, 160)


def standing(*places: int) -> Sight:
    """A picture in which containers stand at these places alone."""
    picture = np.full((512, 512, 3), (214, 200, 172), dtype=np.uint8)
    for number in places:
        x, y = (int(side) for side in PLACES[number])
        picture[y - 15 : y + 15, x - 12 : x + 12] = CONTAINER
    return sight_of(picture)


ALL = standing(0, 1, 2)


@pytest.mark.parametrize(
    ("frames", "swaps", "empty", "unsure"),
    [
        ([ALL, ALL], (), (), ()),
        ([ALL, standing(2), ALL], ((0, 1),), (), ()),
        ([ALL, standing(0), standing(0, 1), ALL], ((1, 2),), (), ()),
        ([ALL, standing(2), ALL, standing(0), ALL], ((0, 1), (1, 2)), (), ()),
        ([ALL, standing(), ALL], (), (), ()),
        ([ALL, standing(1, 2), ALL], (), (), ()),
        ([ALL, standing(1)], (), (0, 2), ()),
        ([ALL, standing(2), standing(0), ALL], (), (), (2, 3)),
    ],
    ids=[
        "nothing moves",
        "two change places",
        "one is back before the other",
        "one swap after another",
        "all are lifted off and put back",
        "one is taken and put back",
        "two are still on their way",
        "two swaps between which nothing was shown",
    ],
)
def test_swaps_are_told_by_the_places_left_empty(
    frames: list[Sight], swaps: tuple[tuple[int, int], ...], empty: tuple[int, ...], unsure: tuple[int, ...]
) -> None:
    seen = shuffle(frames, PLACES, {"container"})

    assert (seen.swaps, seen.empty, seen.unsure) == (swaps, empty, unsure)


def test_a_swap_is_followed_from_one_view_into_the_next() -> None:
    first = shuffle([ALL, standing(2)], PLACES, {"container"})

    assert shuffle([standing(2), ALL], PLACES, {"container"}, first.empty).swaps == ((0, 1),)


def test_what_is_hidden_goes_along() -> None:
    assert [after_swaps(place, [(0, 1), (1, 2)]) for place in range(3)] == [2, 0, 1]


@pytest.mark.parametrize("name", ["video-unmask", "button-unmask", "video-unmask-swap", "button-unmask-swap"])
def test_a_permanence_task_is_solved_with_full_memory(name: str) -> None:
    assert play(name, 3).is_solved


def test_a_container_that_was_forgotten_is_guessed() -> None:
    """What the demonstration showed is dropped before the second is due; the history of notes has it."""
    forgetful = Rates(drop=1.0)
    noted = [play("video-unmask", 3, "no_notes", forgetful, seed) for seed in range(3)]

    assert play("video-unmask", 3, "execution_grounded", forgetful).is_solved
    assert not all(played.is_solved for played in noted)
