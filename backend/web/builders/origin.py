"""What an evaluation's episode, or one in shadow, says of itself above the console."""

from __future__ import annotations

from backend.domain.episode.state import State
from backend.usecases.reading import Evaluated
from backend.web.pages.environment import url
from backend.web.pages.origin import Origin
from backend.web.pages.parts import Link


def origin_of(evaluated: Evaluated | None) -> Origin | None:
    if evaluated is None:
        return None
    return Origin(
        title=f"Evaluation: {evaluated.title}, seed {evaluated.seed}",
        text=_text(evaluated),
        differs=tuple([f"{_words(name)} {now}, stored {stored}" for name, stored, now in evaluated.differs]),
        way=Link(label=f"Run {evaluated.run}", href=url("evaluation", evaluated.run, "cells", evaluated.arm)),
    )


def shadow_words(state: State) -> str:
    """What an episode in shadow says of itself above the console; empty for any other."""
    if not state.mission.shadow:
        return ""
    name = state.robot.name
    return (
        f"The planner proposes and you decide, and no step is sent to {name}: others drive it, or it is a"
        " recording. HOLD is sent all the same; ending the episode stops nothing."
    )


def _text(evaluated: Evaluated) -> str:
    if not evaluated.rebuilt_by:
        return f"As it was measured by version {evaluated.measured_by}. No robot is behind it."
    same_version = evaluated.measured_by == evaluated.rebuilt_by
    by = f"version {evaluated.rebuilt_by}" if same_version else f"version {evaluated.rebuilt_by} here"
    measured = "" if same_version else f"; measured by version {evaluated.measured_by}"
    if evaluated.differs:
        return f"Not the episode that was measured. Played again by {by}{measured}, it comes out otherwise:"
    return f"Played again by {by}{measured}, with the same figures. No robot is behind it."


def _words(name: str) -> str:
    return {"path_m": "way in m"}.get(name, name.replace("_", " "))
