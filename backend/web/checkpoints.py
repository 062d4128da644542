"""Checkpoints of an episode that is followed, so that an earlier state costs a short fold.

A checkpoint leaves out what only ever grows, execution log and notes: of an earlier state they are the first
lines of the newest one's. So it weighs the same however long the episode is.
"""

from __future__ import annotations

from bisect import bisect_right

from msgspec.structs import replace

from backend.domain.episode.state import State

EVERY = 100
"""Events between two checkpoints: the most that is ever folded."""


class Checkpoints:
    """Of one episode, from its first event on. Belongs to whoever feeds it; not for several threads."""

    def __init__(self) -> None:
        self._seqs: list[int] = []
        self._kept: list[tuple[State, int, int]] = []

    def add(self, state: State) -> None:
        """The state after the next event."""
        if state.seq % EVERY == 1:
            self._seqs.append(state.seq)
            self._kept.append((replace(state, log=(), notes=()), len(state.log), len(state.notes)))

    def before(self, seq: int, newest: State) -> State:
        """The state at the nearest checkpoint up to event `seq`, which is at least 1."""
        bare, lines, notes = self._kept[bisect_right(self._seqs, seq) - 1]
        return replace(bare, log=newest.log[:lines], notes=newest.notes[:notes])
