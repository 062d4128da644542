"""Watch points: at most eight, inside the picture, of a known camera, on a skill that records (LogLook)."""

from __future__ import annotations

from backend.domain.plans.catalogue import Catalogue, Skill
from backend.domain.plans.plan import PICTURE_PX, Watch
from backend.domain.plans.rules import Flaw, Rule, choose
from backend.domain.plans.schema import takes_watch
from backend.domain.plans.signature import WATCH_ONLY

MAX_POINTS = 8


def watch_flaw(watch: Watch | None, skill: Skill, catalogue: Catalogue) -> Flaw | None:
    """The first thing wrong with a step's watch, or with its absence."""
    if watch is None:
        for argument in skill.arguments:
            if argument.types == WATCH_ONLY and argument.required:
                return _flaw(f"{skill.name} needs one.", 'Name the points to watch, or "all".')
        return None
    if not takes_watch(skill):
        return _flaw(f"Nothing is recorded during {skill.name}.", "Leave it out.")
    if watch.camera and watch.camera not in catalogue.cameras:
        cameras = choose(catalogue.cameras, "Leave the watch out: this robot has no camera.")
        return _flaw(f"There is no camera {watch.camera[:60]!r}.", cameras)
    if watch.points == "all":
        return None
    count = len(watch.points)
    if not 0 < count <= MAX_POINTS:
        return _flaw(f"It names {count} points.", f'Name 1 to {MAX_POINTS} points, or "all".')
    for x_px, y_px in watch.points:
        if not (0 <= x_px < PICTURE_PX and 0 <= y_px < PICTURE_PX):
            return _flaw(
                f"Point ({x_px:g}, {y_px:g}) is outside the picture.",
                f"Choose both coordinates from 0 to {PICTURE_PX - 1}.",
            )
    return None


def _flaw(message: str, remedy: str) -> Flaw:
    return Flaw("watch", Rule.WATCH, message, remedy)
