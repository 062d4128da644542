"""Episodes to be compared: whole ones of the grid, played by the loop that missions run on."""

from __future__ import annotations

from functools import cache

from backend.domain.comparing.course import course_of
from backend.domain.comparing.facts import Course
from backend.domain.episode.events import Recorded
from backend.evaluation.arms import arm
from backend.evaluation.bare import NobodyThere, PlainJournal, play_into
from backend.rig import grid_rig


@cache
def journal(method: str, seed: int, scenario: str = "d-10") -> tuple[Recorded, ...]:
    chosen = arm(scenario, method)
    kept = PlainJournal()
    bridge, planner = grid_rig(chosen, seed)
    play_into(kept, NobodyThere(), chosen, seed, bridge, planner)
    return tuple(kept.events)


@cache
def course(method: str, seed: int, scenario: str = "d-10") -> Course:
    return course_of(journal(method, seed, scenario))
