"""A measured episode with its whole journal again: its row is kept, and the row's arm and seed determine the
rest.

It is played by the same loop that measured it. What comes out is held against the row, so that a page can say
when this version would no longer give what another one measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from backend.domain.episode.events import Recorded
from backend.domain.episode.state import State
from backend.evaluation.bare import Rig, play_named
from backend.evaluation.errors import NoSuchEpisode
from backend.usecases.reading import Evaluated
from backend.usecases.results import EpisodeResult, Results, Run

_NAME = re.compile(r"evaluation-(\d{1,9})-(\d{1,6})-(\d{1,10})")
_COMPARED = (
    "success",
    "outcome",
    "steps",
    "context",
    "planner_calls",
    "stale_visits",
    "delivered",
    "path_m",
    "replans",
    "extra",
)


class Place(Struct, frozen=True):
    """Where an episode's row stands: `arm` counts within the run's study."""

    run: int
    arm: int
    seed: int

    @property
    def name(self) -> str:
        """The episode's id in the console."""
        return f"evaluation-{self.run}-{self.arm}-{self.seed}"


class Rebuilt(Struct, frozen=True, kw_only=True):
    """`evaluated.differs`: what came out otherwise than the row says."""

    place: Place
    run: Run
    evaluated: Evaluated
    state: State
    events: tuple[Recorded, ...]


def place_of(episode: str) -> Place | None:
    """Which row an episode's id stands for; None for an episode of another kind."""
    found = _NAME.fullmatch(episode)
    place = Place(*map(int, found.groups())) if found else None
    return place if place is not None and place.name == episode else None


def rebuild(place: Place, results: Results, rig: Rig, version: str) -> Rebuilt:
    """Raises NoSuchEpisode where there is no such row, EvaluationError where it cannot be played here."""
    run, row = _row(place, results)
    arm = run.study.arms[place.arm]
    again = play_named(arm, place.seed, rig, place.arm, episode=place.name, render=True, code_version=version)
    evaluated = Evaluated(
        run=run.id,
        arm=place.arm,
        seed=place.seed,
        title=again.state.mission.title,
        measured_by=run.code_version,
        rebuilt_by=version,
        differs=tuple(_differing(row, again.row)),
    )
    return Rebuilt(place=place, run=run, evaluated=evaluated, state=again.state, events=tuple(again.events))


def _row(place: Place, results: Results) -> tuple[Run, EpisodeResult]:
    run = results.run(place.run)
    if run is None:
        raise NoSuchEpisode(f"There is no evaluation run {place.run}.", field="episode")
    row = results.episode(place.run, place.arm, place.seed)
    if row is None or place.arm >= len(run.study.arms):
        raise NoSuchEpisode(
            f"Run {place.run} has no episode of seed {place.seed} in cell {place.arm}.",
            field="episode",
            remedy="It may not have been played yet: the run's page lists those there are.",
        )
    return run, row


def _differing(stored: EpisodeResult, now: EpisodeResult) -> Iterator[tuple[str, str, str]]:
    for name in _COMPARED:
        before, after = getattr(stored, name), getattr(now, name)
        if before == after:
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            odd = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            before, after = ({key: each[key] for key in odd if key in each} for each in (before, after))
        yield name, _told(before), _told(after)


def _told(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {count:g}" for key, count in sorted(value.items())) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
