"""What every task's episode has in common: how a step is judged, and a world that does nothing by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from robot_bridge.tabletop.tasks.sensing import sense
from robot_bridge.tabletop.values import Change, Cue, Event, Layout, Progress, Snapshot, Subgoal, Verdict


@dataclass(frozen=True, kw_only=True)
class Episode(ABC):
    """A task gives `verdict`, and `notice` where it sees more happen than all tasks do."""

    name: ClassVar[str]
    layout: Layout

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        return ()

    def begin(self) -> Progress:
        return Progress()

    def judge(self, progress: Progress, snap: Snapshot) -> Progress:
        if progress.verdict is not None:
            return progress
        seen = self.notice(sense(progress, snap, self.layout), snap)
        fresh = seen.events[len(progress.events) :]
        return replace(seen, tcp=snap.tcp, verdict=self.verdict(seen, fresh, snap))

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        return progress

    @abstractmethod
    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        """`fresh`: what happened in this very step, the last of the progress's events."""

    def happenings(self, progress: Progress, step: int) -> tuple[Change, ...]:
        return ()

    @abstractmethod
    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None: ...


def success(message: str) -> Verdict:
    return Verdict("success", "done", message)


def failure(reason: str, message: str) -> Verdict:
    return Verdict("fail", reason, message)
