"""Records an action: the view before it, each fourth step's, at most 16 evenly spaced, always the last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from robot_bridge.world import Frame

EVERY_STEPS = 4
MOST_FRAMES = 16

Scene = TypeVar("Scene")
Item = TypeVar("Item")


class Recorder(Generic[Scene]):
    """Keeps scenes, which are small, and has only those rendered that are kept in the end."""

    def __init__(self, cameras: tuple[str, ...], started: int, before: Scene) -> None:
        self._cameras = cameras
        self._started = started
        self._before = before
        self._seen: list[tuple[int, Scene]] = []

    def see(self, step: int, look: Callable[[], Scene]) -> None:
        if (step - self._started) % EVERY_STEPS == 0:
            self._seen.append((step, look()))

    def frames(self, step: int, last: Scene, render: Callable[[Scene, str], bytes]) -> tuple[Frame, ...]:
        """The view before the action, then what was kept. An action without a step has its two views only.

        `render` gives the PNG of a scene as a camera sees it.
        """
        seen = [each for each in self._seen if each[0] < step] + [(step, last)]
        kept = [(self._started, self._before), *evenly(seen, MOST_FRAMES)]
        return tuple(
            Frame(camera, each, render(scene, camera)) for each, scene in kept for camera in self._cameras
        )


def evenly(items: list[Item], most: int) -> list[Item]:
    """At most `most` of the items, evenly spaced, the last among them."""
    if len(items) <= most:
        return items
    return [items[round((number + 1) * len(items) / most) - 1] for number in range(most)]
