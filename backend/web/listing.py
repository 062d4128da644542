"""Reads the list of episodes: summaries from the tables, and for those that go on their newest state."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, cast

from backend.domain.episode.events import EpisodeOpened
from backend.domain.execution.budgets import Budgets
from backend.usecases.reading import EpisodeSummary, Reader
from backend.web.builders.episodes import episode_list
from backend.web.builders.listed import Listed
from backend.web.chronicle import Chronicles
from backend.web.deps import Deps
from backend.web.desk import Ages
from backend.web.pages.chrome import User
from backend.web.pages.episodes import EpisodeList
from backend.web.pages.parts import Choice

Show = Literal["all", "need", "mine", "ended"]
FILTERS: tuple[tuple[Show, str], ...] = (
    ("all", "All"), ("need", "Need a person"), ("mine", "Mine"), ("ended", "Ended"),
)  # fmt: skip
READ = 200
"""Summaries looked at; with more episodes than that, one searches."""
ENDED = 20


class Listing:
    """For any number of threads."""

    def __init__(self, deps: Deps, chronicles: Chronicles, ages: Ages) -> None:
        self._reader: Reader = deps.reader
        self._acknowledgements = deps.acknowledgements
        self._clock_s = deps.clock_s
        self._chronicles = chronicles
        self._ages = ages
        self._lock = threading.Lock()
        self._budgets: dict[str, Budgets] = {}
        self._titles: dict[str, str] = {}

    def list(self, user: User, show: Show, query: str) -> EpisodeList:
        asked: Literal["all", "need", "ended"] = "all" if show == "mine" else show
        found = self._reader.episodes(show=asked, search=query, limit=READ)
        listed = self._all(found)
        if show == "mine":
            listed = [each for each in listed if user.name in (each.summary.conn, each.summary.ordered_by)]
        ended = [each for each in listed if each.summary.outcome is not None]
        going = [each for each in listed if each.summary.outcome is None]
        return episode_list(
            [*going, *ended[:ENDED]], user, self._clock_s(), query=query, show=show, ended_total=len(ended)
        )

    def one(self, episode: str) -> Listed:
        """Raises the store's error for an unknown episode."""
        return self._all([self._reader.episode(episode)])[0]

    def going(self) -> Sequence[Listed]:
        """Those that have not ended."""
        return self._all(self._reader.episodes(show="running", limit=READ))

    def titles(self, episodes: Iterable[str]) -> Mapping[str, str]:
        """Of their missions, by episode."""
        unknown = {episode for episode in episodes if episode not in self._titles}
        found = {episode: self._reader.episode(episode).title for episode in unknown}
        self._titles |= {episode: title for episode, title in found.items() if title}
        return {**self._titles, **found}

    def _all(self, summaries: Sequence[EpisodeSummary]) -> Sequence[Listed]:
        going = [summary.episode for summary in summaries if summary.outcome is None]
        seen = self._acknowledgements.of(going) if going else {}
        return [self._listed(summary, seen.get(summary.episode, {})) for summary in summaries]

    def _listed(self, summary: EpisodeSummary, seen: Mapping[str, str]) -> Listed:
        if summary.seq == 0:
            return Listed(summary=summary)
        if summary.outcome is not None:
            return Listed(summary=summary, budgets=self._budgets_of(summary.episode))
        chronicle = self._chronicles.of(summary.episode)
        state = chronicle.newest().state
        return Listed(
            summary=summary,
            state=state,
            budgets=state.mission.budgets,
            robot_age_s=self._ages(summary.episode).get(f"robot:{state.robot.name}"),
            when=chronicle.written(),
            seen=seen,
            cause=chronicle.cause(),
        )

    def _budgets_of(self, episode: str) -> Budgets:
        """Of an ended episode, from its opening: read once, for it cannot change."""
        with self._lock:
            known = self._budgets.get(episode)
        if known is None:
            [entry] = self._reader.events(episode, limit=1)
            known = cast(EpisodeOpened, entry.recorded.event).mission.budgets
            with self._lock:
                self._budgets[episode] = known
        return known


def filters(show: Show) -> tuple[Choice, ...]:
    return tuple(Choice(value=value, label=label, chosen=value == show) for value, label in FILTERS)
