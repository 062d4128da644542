"""How often a policy would have asked in a mission's last episodes: their journals, replayed and kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Struct

from backend.domain.command.policy import Policy, PolicyMode
from backend.domain.decide.preview import Occasion, Preview, occasions, preview
from backend.usecases.reading import EpisodeSummary, Reader

EPISODES = 10
LOOKED_AT = 200
LONGEST = 20_000
"""Events of an episode that is still replayed for a form."""
KEPT = 40


class Previewed(Struct, frozen=True, kw_only=True):
    """Over `episodes` of the mission: the policy itself, and the same rules under each mode."""

    episodes: int
    preview: Preview
    by_mode: tuple[tuple[PolicyMode, int], ...]


class Previews:
    """For any number of threads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], tuple[Occasion, ...]] = OrderedDict()

    def of(self, mission: str, policy: Policy) -> Previewed:
        """`mission`: by name; its newest episodes count, under way or over."""
        played = [self._occasions(each) for each in self._newest(mission)]
        modes: tuple[PolicyMode, ...] = ("every_skill", "every_plan", "on_risk", "auto")
        return Previewed(
            episodes=len(played),
            preview=preview(policy, played),
            by_mode=tuple(
                (mode, preview(Policy(mode=mode, risk=policy.risk), played).asked) for mode in modes
            ),
        )

    def _newest(self, mission: str) -> Sequence[EpisodeSummary]:
        found = [
            each
            for each in self._reader.episodes(search=mission, limit=LOOKED_AT)
            if each.mission == mission and 0 < each.seq <= LONGEST
        ]
        return sorted(found, key=lambda each: each.ordered_utc, reverse=True)[:EPISODES]

    def _occasions(self, summary: EpisodeSummary) -> tuple[Occasion, ...]:
        key = (summary.episode, summary.seq)
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            entries = self._reader.events(summary.episode, until=summary.seq, limit=None)
            known = occasions(entry.recorded for entry in entries)
            with self._lock:
                self._kept[key] = known
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return known
