"""Which things changed places: told by the places that stood empty while they moved.

Things that look alike stand in fixed places, and two at a time change theirs. While they are on their way
both places are empty, and afterwards neither is: no thing has to be followed across the picture, where one
passes behind another. What happens between two frames shown is missed, as it must be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from backend.planners.surrogate.seeing.sight import Pixel, Sight

_HIDDEN = frozenset({"arm", "finger"})


class Shuffle(Struct, frozen=True):
    """`swaps`: pairs of places, by their indices, whose things changed places, in that order; `taken`: places
    from which a thing was taken and put back. Each with the index of the frame in which it was over.

    `empty`: places that have been empty since all were last seen occupied. `unsure`: indices of frames before
    which something happened that the frames do not tell. `stirred`: whether any place was empty at all.
    """

    swapped: tuple[tuple[int, tuple[int, int]], ...] = ()
    taken: tuple[tuple[int, int], ...] = ()
    empty: tuple[int, ...] = ()
    unsure: tuple[int, ...] = ()
    stirred: bool = False

    @property
    def swaps(self) -> tuple[tuple[int, int], ...]:
        return tuple(pair for _, pair in self.swapped)

    def since(self, frame: int) -> tuple[tuple[int, int], ...]:
        """The swaps that were over after that frame."""
        return tuple(pair for index, pair in self.swapped if index > frame)


def shuffle(
    frames: Sequence[Sight], places: Sequence[Pixel], colours: Collection[str], empty: Iterable[int] = ()
) -> Shuffle:
    """What `frames` show of things of `colours`; `empty` are the places that were empty before the first.

    A frame in which more than two places are empty shows no swap: what stood there was lifted off.
    """
    swapped: list[tuple[int, tuple[int, int]]] = []
    taken: list[tuple[int, int]] = []
    unsure: list[int] = []
    gone, stirred = set(empty), False
    for index, frame in enumerate(frames):
        now = {number for number, place in enumerate(places) if is_empty(frame, place, colours)}
        stirred = stirred or bool(now)
        if len(now) > 2:
            gone = set()
            continue
        gone |= now
        if len(gone) > 2:
            unsure.append(index)
        if not now:
            if len(gone) == 2:
                one, other = sorted(gone)
                swapped.append((index, (one, other)))
            taken += [(index, place) for place in gone if len(gone) == 1]
            gone = set()
    return Shuffle(tuple(swapped), tuple(taken), tuple(sorted(gone)), tuple(unsure), stirred)


def after_swaps(place: int, swaps: Iterable[tuple[int, int]]) -> int:
    """Where what was at `place` is after them."""
    for one, other in swaps:
        place = other if place == one else one if place == other else place
    return place


def is_empty(frame: Sight, place: Pixel, colours: Collection[str]) -> bool:
    """Whether nothing of `colours` is at the place; what the arm hides counts as occupied."""
    seen = frame.colour_at(place)
    return seen not in colours and seen not in _HIDDEN


def written(places: Iterable[Pixel]) -> str:
    return ", ".join(f"{x_px:.1f} {y_px:.1f}" for x_px, y_px in places)


def read(text: str) -> tuple[Pixel, ...]:
    """What `written` gave; nothing of a text that it did not give."""
    pairs = [part.split() for part in text.split(", ")]
    return tuple((float(pair[0]), float(pair[1])) for pair in pairs if len(pair) == 2)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split() if part.isdigit())
