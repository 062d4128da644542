"""Moments for the builders' tests: an episode driven by hand, read back from memory as the store would give
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from backend.bridge.pictures import pixels_of
from backend.domain.command.intents import Intent
from backend.domain.episode.events import Recorded, kind_of
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.usecases.reading import Entry, EpisodeSummary
from backend.web.builders.moment import Moment
from backend.web.chronicle import Chronicles
from backend.web.deps import Deps, Settings
from backend.web.desk import Desk
from backend.web.pages.chrome import User
from tests.support.checkout import ROOT
from tests.support.drill import NOW_S, Drill

ADA = User(name="ada", initials="AD", role="operator")
BOB = User(name="bob", initials="BO", role="operator")
WATCHER = User(name="watcher", initials="WA", role="viewer")


def entry_of(recorded: Recorded) -> Entry:
    """Written at `NOW_S` plus its mission time."""
    utc = datetime.fromtimestamp(NOW_S + recorded.met_s, UTC).isoformat(timespec="milliseconds")
    return Entry(
        recorded=recorded,
        kind=kind_of(recorded.event),
        version=1,
        utc=utc.replace("+00:00", "Z"),
        payload_digest="",
    )


@dataclass
class MemoryReader:
    """One episode's events up to `head`, and whether somebody runs it."""

    recorded: Sequence[Recorded]
    held_by: str = "runner"

    def episode(self, episode: str) -> EpisodeSummary:
        return EpisodeSummary(
            episode=episode,
            ordered_by="ada",
            ordered_utc="2027-01-15T08:00:00Z",
            request={},
            held_by=self.held_by,
            address="",
            seq=len(self.recorded),
        )

    def events(
        self,
        episode: str,
        *,
        after: int = 0,
        until: int | None = None,
        kinds: Sequence[str] = (),
        limit: int | None = 500,
    ) -> list[Entry]:
        last = len(self.recorded) if until is None else until
        found = [entry_of(each) for each in self.recorded if after < each.seq <= last]
        found = [entry for entry in found if not kinds or entry.kind in kinds]
        return found if limit is None else found[:limit]

    def state(self, episode: str, at: int | None = None) -> State:
        return fold(self.recorded[:at])

    def telemetry(self, episode: str, from_s: float, to_s: float, robot: str | None = None) -> list[Any]:
        return []


@dataclass
class QuietInbox:
    now_s: float
    waiting: tuple[Intent, ...] = ()

    def take(self) -> tuple[Sequence[Intent], float]:
        return self.waiting, self.now_s


class NothingWritten:
    """Nobody annotated the episode."""

    def of(self, episode: str) -> Sequence[object]:
        return ()

    def versions(self, episode: str) -> Mapping[str, Sequence[object]]:
        return {}


@dataclass
class Screen:
    """What a page shows of a drill: `head` events of it, at the time of the last one, or `later_s`."""

    drill: Drill
    head: int | None = None
    held_by: str = "runner"
    ages_s: Mapping[str, float | None] | None = None
    waiting: tuple[Intent, ...] = ()
    later_s: float = 0.0

    @property
    def desk(self) -> Desk:
        recorded = self.drill.events[: self.head]
        reader = MemoryReader(recorded, self.held_by)
        now_s = NOW_S + recorded[-1].met_s + self.later_s
        deps = Deps(
            settings=Settings(templates=ROOT / "frontend", static=ROOT / "static"),
            reader=reader,  # type: ignore[arg-type]
            inbox=lambda _: QuietInbox(now_s, self.waiting),  # type: ignore[arg-type, return-value]
            frames=None,  # type: ignore[arg-type]
            attempts=None,  # type: ignore[arg-type]
            registry=None,  # type: ignore[arg-type]
            replies=None,  # type: ignore[arg-type]
            pixels=pixels_of,
            accounts=None,  # type: ignore[arg-type]
            acknowledgements=None,  # type: ignore[arg-type]
            alarms=None,  # type: ignore[arg-type]
            preferences=None,  # type: ignore[arg-type]
            annotations=NothingWritten(),  # type: ignore[arg-type]
            search=None,  # type: ignore[arg-type]
            storage=None,  # type: ignore[arg-type]
            orders=None,  # type: ignore[arg-type]
            missions=None,  # type: ignore[arg-type]
            sites=None,  # type: ignore[arg-type]
            endpoints=None,  # type: ignore[arg-type]
            studies=None,  # type: ignore[arg-type]
            experiments=None,  # type: ignore[arg-type]
            stop_directly=lambda *_: True,
            clock_s=lambda: now_s,
        )
        return Desk(deps, Chronicles(reader), lambda _: self.ages_s or {})  # type: ignore[arg-type]

    def moment(self, at: int | None = None, user: User = ADA) -> Moment:
        return self.desk.moment(self.drill.episode, user, at)

    def plan(self, at: int | None = None, user: User = ADA, **more: Any) -> Any:
        desk = self.desk
        return desk.plan(desk.moment(self.drill.episode, user, at), **more)

    def bar(self, at: int | None = None, user: User = ADA) -> Any:
        desk = self.desk
        return desk.bar(desk.moment(self.drill.episode, user, at))

    def evidence(self, tab: Any, chosen: str = "", at: int | None = None) -> Any:
        desk = self.desk
        return desk.evidence(desk.moment(self.drill.episode, ADA, at), tab, chosen)

    def map(self, at: int | None = None) -> Any:
        desk = self.desk
        return desk.map(desk.moment(self.drill.episode, ADA, at))


def said(phrase: Sequence[Any]) -> str:
    """A phrase as it is read."""
    return "".join(span.text for span in phrase)
