"""An episode's stored journal as pages to look things up in: kinds are placed, the rest is read."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.events import Recorded
from backend.usecases.reading import Reader
from backend.web.chronicle import Chronicle
from backend.web.errors import NotThere


class EpisodePages:
    """`backend.domain.lineage.pages.Pages` of one episode, for one request."""

    def __init__(self, reader: Reader, chronicle: Chronicle, episode: str) -> None:
        self._reader = reader
        self._chronicle = chronicle
        self._episode = episode
        self._head = chronicle.newest().state.seq
        self._read: dict[int, Recorded] = {}

    @property
    def head(self) -> int:
        return self._head

    def one(self, seq: int) -> Recorded:
        """Raises NotThere for a seq that the episode does not have."""
        if not 1 <= seq <= self._head:
            raise NotThere(
                f"Episode {self._episode} has no event {seq}", text=f"Its events are 1 to {self._head}."
            )
        if seq not in self._read:
            [entry] = self._reader.events(self._episode, after=seq - 1, until=seq)
            self._read[seq] = entry.recorded
        return self._read[seq]

    def span(self, first: int, last: int, kinds: Sequence[str] = ()) -> Sequence[Recorded]:
        found = self._reader.events(
            self._episode, after=first - 1, until=min(last, self._head), kinds=kinds, limit=None
        )
        return [entry.recorded for entry in found]

    def seqs(self, kind: str) -> Sequence[int]:
        return self._chronicle.seqs(kind, self._head, self._head)
