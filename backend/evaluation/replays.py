"""The Reader, and episodes of evaluation runs among what it reads: played again when first asked for.

They are nowhere stored and in no list. The same id is the same episode in every process, since its row's arm
and seed determine it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, Literal

from backend.domain.episode.events import Recorded, kind_of
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.evaluation.errors import NoSuchEpisode, NotYetRebuilt
from backend.evaluation.rebuild import Place, Rebuilt, place_of
from backend.usecases.reading import Entry, EpisodeSummary, Fault, Reader, RowsOf, TelemetrySample

KEPT = 12
"""Rebuilt episodes that are kept; the one that nobody asked for longest goes first."""
WITHIN_S = 4.0
"""How long a reader waits for an episode to be played again. Few take longer; those are asked for again."""

Rebuild = Callable[[Place], Rebuilt]


class Replays:
    """Each rebuilt episode once for all who read it. For any number of threads."""

    def __init__(self, rebuild: Rebuild, executor: Executor, *, within_s: float = WITHIN_S) -> None:
        self._rebuild = rebuild
        self._executor = executor
        self._within_s = within_s
        self._lock = threading.Lock()
        self._kept: OrderedDict[Place, Future[Rebuilt]] = OrderedDict()

    def begin(self, places: Iterable[Place]) -> None:
        """Have them played side by side, for whoever asks for each in a moment."""
        for place in places:
            self._future(place)

    def get(self, place: Place) -> Rebuilt:
        """Raises EvaluationError: NoSuchEpisode, NotYetRebuilt, or why it cannot be played."""
        future = self._future(place)
        try:
            return future.result(self._within_s)
        except TimeoutError:
            raise NotYetRebuilt(
                f"Seed {place.seed} of run {place.run} is being played again.",
                remedy="It is a long one; this page looks again by itself.",
            ) from None
        except BaseException:
            self._forget(place, future)
            raise

    def _future(self, place: Place) -> Future[Rebuilt]:
        with self._lock:
            future = self._kept.pop(place, None)
            if future is None:
                future = self._executor.submit(self._rebuild, place)
            self._kept[place] = future
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return future

    def _forget(self, place: Place, failed: Future[Rebuilt]) -> None:
        """A failure is no result: the next who asks finds out anew."""
        with self._lock:
            if self._kept.get(place) is failed:
                del self._kept[place]


class ReplayingReader:
    """A Reader over `reader`, which knows nothing of evaluations."""

    def __init__(self, reader: Reader, replays: Replays) -> None:
        self._reader = reader
        self._replays = replays

    def is_sealed(self, episode: str) -> bool:
        """Whether it is an evaluation's, so that nothing in it can be commanded."""
        return place_of(episode) is not None or self._reader.episode(episode).evaluated is not None

    def episodes(
        self,
        *,
        show: Literal["all", "need", "running", "ended"] = "all",
        search: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> list[EpisodeSummary]:
        return self._reader.episodes(show=show, search=search, limit=limit, offset=offset)

    def episode(self, episode: str) -> EpisodeSummary:
        place = place_of(episode)
        return self._reader.episode(episode) if place is None else _summary(self._replays.get(place))

    def events(
        self,
        episode: str,
        *,
        after: int = 0,
        until: int | None = None,
        kinds: Sequence[str] = (),
        limit: int | None = 500,
    ) -> list[Entry]:
        place = place_of(episode)
        if place is None:
            return self._reader.events(episode, after=after, until=until, kinds=kinds, limit=limit)
        rebuilt = self._replays.get(place)
        wanted = rebuilt.events[after : len(rebuilt.events) if until is None else until]
        chosen = [each for each in wanted if not kinds or kind_of(each.event) in kinds]
        return [_entry(each, rebuilt) for each in chosen[:limit]]

    def state(self, episode: str, at: int | None = None) -> State:
        place = place_of(episode)
        if place is None:
            return self._reader.state(episode, at)
        rebuilt = self._replays.get(place)
        if at is None or at == len(rebuilt.events):
            return rebuilt.state
        if not 1 <= at < len(rebuilt.events):
            raise NoSuchEpisode(
                f"Episode {episode} has events 1 to {len(rebuilt.events)}, and none is {at}.", field="at"
            )
        return fold(rebuilt.events[:at])

    def rows(
        self,
        table: RowsOf,
        episode: str,
        *,
        until: int | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[dict[str, Any]]:
        """None of a rebuilt episode: its journal says it all."""
        if place_of(episode) is not None:
            return []
        return self._reader.rows(
            table, episode, until=until, after=after, newest_first=newest_first, limit=limit
        )

    def telemetry(
        self, episode: str, from_s: float, to_s: float, robot: str | None = None
    ) -> list[TelemetrySample]:
        if place_of(episode) is not None:
            return []
        return self._reader.telemetry(episode, from_s, to_s, robot)

    def verify(self, episode: str) -> list[Fault]:
        """Of a rebuilt episode, each figure that differs from its row."""
        place = place_of(episode)
        if place is None:
            return self._reader.verify(episode)
        return [
            Fault(table="study_episodes", key=episode, column=name, message=f"{stored} stored, {now} rebuilt")
            for name, stored, now in self._replays.get(place).evaluated.differs
        ]


def _summary(rebuilt: Rebuilt) -> EpisodeSummary:
    state, run = rebuilt.state, rebuilt.run
    return EpisodeSummary(
        episode=rebuilt.place.name,
        ordered_by=run.started_by,
        ordered_utc=run.started_utc,
        request={},
        held_by="",
        address="",
        seq=state.seq,
        met_s=state.met_s,
        updated_utc=run.started_utc,
        mission=state.mission.name,
        title=state.mission.title,
        world=state.mission.world.name,
        site=state.site.name,
        robot=state.robot.name,
        planner=state.planner,
        memory=state.mission.memory.name,
        policy=state.policy.mode,
        seed=state.seed,
        code_version=state.code_version,
        phase="ended",
        outcome=state.ending.outcome if state.ending is not None else "asks a person",
        message=state.ending.message if state.ending is not None else state.asks_person,
        delivered=len(state.delivered),
        total=state.mission.total,
        decisions=state.spent.decisions,
        evaluated=rebuilt.evaluated,
    )


def _entry(recorded: Recorded, rebuilt: Rebuilt) -> Entry:
    """Nobody noted the hour of an event, or stored its bytes; the run's beginning stands for the hour."""
    return Entry(
        recorded=recorded,
        kind=kind_of(recorded.event),
        version=1,
        utc=rebuilt.run.started_utc,
        payload_digest="",
    )
