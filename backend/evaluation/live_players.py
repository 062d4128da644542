"""How an episode of a live study comes about: by asking a model, or from the exchanges of an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.episode.events import EpisodeOpened, Recorded, kind_of
from backend.evaluation.errors import NotAsRecorded, PlannerLost, WrongStudy
from backend.evaluation.live_play import ContentDigest, Place, Played, play_live
from backend.usecases.ports import Bridge, Planner
from backend.usecases.recordings import Recording, Recordings
from backend.usecases.results import Arm, Run

Worlds = Callable[[Arm, int], Bridge]


class Asking(Struct, frozen=True, kw_only=True):
    """Plays `run` with `planner`, each episode as one of the console's."""

    run: Run
    planner: Planner
    world: Worlds
    content_digest: ContentDigest

    def __call__(self, arm: int, seed: int, stopping: Callable[[], bool]) -> Played:
        chosen = self.run.study.arms[arm]
        place = Place(
            arm=arm,
            seed=seed,
            episode=f"{chosen.scenario}-{chosen.method}-run-{self.run.id}-seed-{seed}",
            code_version=self.run.code_version,
        )
        return play_live(place, chosen, self.world(chosen, seed), self.planner, self.content_digest, stopping)


class Repeating(Struct, frozen=True, kw_only=True):
    """Plays `run` anew from what `source` recorded, asking nobody: each episode must come out the very same.

    The journal is not kept a second time. `answering`: the planner that gives a journal's answers again.
    """

    run: Run
    source: Run
    recordings: Recordings
    answering: Callable[[Sequence[Recorded]], Planner]
    world: Worlds
    content_digest: ContentDigest

    def __call__(self, arm: int, seed: int, stopping: Callable[[], bool]) -> Played:
        chosen = self.run.study.arms[arm]
        recording = recording_of(self.recordings, self.source, chosen.method, seed)
        recorded = list(self.recordings.journal(recording.episode))
        opened = recorded[0].event
        assert isinstance(opened, EpisodeOpened), "a journal begins with episode.opened"
        place = Place(arm=arm, seed=seed, episode=recording.episode, code_version=opened.code_version)
        again = replace(chosen, planner=opened.planner)
        planner, world = self.answering(recorded), self.world(chosen, seed)
        try:
            played = play_live(place, again, world, planner, self.content_digest, stopping)
        except PlannerLost as error:
            raise self._differs(place, error.message) from error
        told = first_difference(recorded, played.journal)
        if told or played.recording.content != recording.content:
            raise self._differs(place, told)
        return replace(played, journal=())

    def _differs(self, place: Place, told: str) -> NotAsRecorded:
        method = self.run.study.arms[place.arm].method
        return NotAsRecorded(
            f"Seed {place.seed} of {method} goes another way than run {self.source.id} recorded. {told}",
            remedy=f"Play it with the code that recorded it: {place.code_version}.",
        )


def first_difference(then: Sequence[Recorded], now: Sequence[Recorded]) -> str:
    """Of two journals, leaving out latencies and the provider's ids; empty where there is none."""
    for old, new in zip(then, now, strict=False):
        if replace(old, meta=None) != replace(new, meta=None):
            return f"Event {old.seq} was {kind_of(old.event)}, and is another {kind_of(new.event)} now."
    if len(then) != len(now):
        return f"It had {len(then)} events, and has {len(now)} now."
    return ""


def recording_of(recordings: Recordings, source: Run, method: str, seed: int) -> Recording:
    """Raises WrongStudy where `source` has no such episode."""
    for index, arm in enumerate(source.study.arms):
        if arm.method == method:
            found = recordings.one(source.id, index, seed)
            if found is not None:
                return found
    raise WrongStudy(
        f"Run {source.id} has no recorded episode of {method}, seed {seed}.",
        field="--from",
        remedy="See what it has: quarterdeck evaluate show RUN.",
    )
