"""Reads what a page shows: the moment at a cursor, and for each panel the entries that its builder is
given."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from backend.domain.command.intents import STOPPING
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.plans import validity
from backend.usecases.reading import Entry, TelemetrySample
from backend.web.builders import bar, story
from backend.web.builders.annotations import with_annotations
from backend.web.builders.bar import replay, status_bar
from backend.web.builders.card import NOTHING, Typed, plan_card
from backend.web.builders.evidence import evidence
from backend.web.builders.map import map_data, map_shell
from backend.web.builders.moment import Moment, Now
from backend.web.builders.origin import origin_of, shadow_words
from backend.web.builders.readings import told
from backend.web.builders.score_chart import score_data
from backend.web.builders.timeline import timeline_view
from backend.web.chronicle import Chronicles, Newest
from backend.web.deps import Deps
from backend.web.errors import NotThere
from backend.web.gathering import Gathering
from backend.web.pages.bar import StatusBar
from backend.web.pages.chrome import Chrome, User
from backend.web.pages.episode import EpisodePage
from backend.web.pages.evidence import Evidence, TabName
from backend.web.pages.map import MapData
from backend.web.pages.memory import ScoreData
from backend.web.pages.parts import FieldError, Notice
from backend.web.pages.plan import PlanCard
from backend.web.pages.timeline import AbortSheet, TimelineData

REPLAYED = 128
"""States of replayed moments that are kept; they never change."""
SAMPLES_S = 10.0
"""How far before the cursor telemetry is looked for at least."""
LONGEST_S = 180.0

Ages = Callable[[str], Mapping[str, float | None]]
Readings = Callable[[str, str], Mapping[str, str]]


class Desk:
    """For any number of threads. `ages`: how old an episode's links are, for what somebody watches."""

    def __init__(
        self, deps: Deps, chronicles: Chronicles, ages: Ages, readings: Readings = lambda *_: {}
    ) -> None:
        self._deps = deps
        self._reader = deps.reader
        self._chronicles = chronicles
        self._ages = ages
        self._readings = readings
        self._lock = threading.Lock()
        self._gathering = Gathering(deps, chronicles, self.state_at)
        self._replayed: OrderedDict[tuple[str, int], Newest] = OrderedDict()

    def moment(self, episode: str, user: User, at: int | None = None) -> Moment:
        """Raises the store's error for an unknown episode, NotBegun, and NotThere for a cursor beyond its
        events."""
        summary = self._reader.episode(episode)
        newest = self._chronicles.of(episode).newest()
        intents, now_s = self._deps.inbox(episode).take()
        now = Now(
            now_s=now_s,
            ages_s=self._ages(episode),
            runner_is_up=bool(summary.held_by)
            or newest.state.ending is not None
            or summary.evaluated is not None,
            undecided_stop=any(isinstance(intent.action, STOPPING[:2]) for intent in intents),
        )
        shown = newest if at is None else self._at(episode, at, newest)
        robot = newest.state.robot.name
        readings = (
            self._readings(episode, robot) if at is None else self._then(episode, shown.state.met_s, robot)
        )
        return Moment(
            state=shown.state,
            head=newest.state,
            at=at,
            utc=shown.utc,
            viewer=user,
            now=now,
            readings=readings,
            evaluated=summary.evaluated,
        )

    def page(
        self,
        moment: Moment,
        chrome: Chrome,
        *,
        tab: TabName = "memory",
        chosen: str = "",
        query: Mapping[str, str] | None = None,
        notice: Notice | None = None,
        typed: Typed = NOTHING,
        aborting: AbortSheet | None = None,
        shown: Evidence | None = None,
    ) -> EpisodePage:
        """`shown`: the evidence panel where it was read already."""
        return EpisodePage(
            chrome=chrome,
            episode=moment.episode,
            head=moment.head.seq,
            replay=replay(moment),
            origin=origin_of(moment.evaluated),
            shadow=shadow_words(moment.state),
            bar=self.bar(moment),
            map=map_shell(moment),
            plan=self.plan(moment, notice, typed),
            evidence=shown or self.evidence(moment, tab, chosen, query),
            timeline=timeline_view(moment, aborting),
        )

    def bar(self, moment: Moment) -> StatusBar:
        entries = [entry for kind in bar.KINDS for entry in self._newest(moment, kind, 1)]
        return status_bar(moment, entries)

    def plan(self, moment: Moment, notice: Notice | None = None, typed: Typed = NOTHING) -> PlanCard:
        return plan_card(moment, self._story(moment), notice=notice, typed=typed)

    def evidence(
        self, moment: Moment, tab: TabName, chosen: str, query: Mapping[str, str] | None = None
    ) -> Evidence:
        """`query`: what else the tab is asked with, such as the fields of a filter."""
        return evidence(moment, self._gathering.rows(moment, tab, chosen, query or {}), tab, chosen)

    def remembered(
        self,
        moment: Moment,
        chosen: str,
        query: Mapping[str, str],
        notice: Notice | None,
        typed: Mapping[str, str] | None,
    ) -> Evidence:
        """The memory tab after a correction was posted. `typed`: it was refused, and is shown again."""
        rows = self._gathering.rows(moment, "memory", chosen, query)
        memory = replace(rows.memory, notice=notice, typed=typed)
        return evidence(moment, replace(rows, memory=memory), "memory", chosen)

    def annotated(
        self,
        moment: Moment,
        chosen: str,
        typed: Mapping[str, str],
        errors: tuple[FieldError, ...],
        notice: Notice | None,
    ) -> Evidence:
        """The tab of annotations after one was refused, with what was `typed`."""
        rows = self._gathering.rows(moment, "annotations", chosen, {})
        told = replace(rows.annotated, typed=typed or None, errors=errors, notice=notice)
        return evidence(moment, replace(rows, annotated=told), "annotations", chosen)

    def scores(self, moment: Moment, entities: Sequence[str]) -> ScoreData:
        samples = self._chronicles.of(moment.episode).samples(moment.state)
        return score_data(moment.state, samples, entities)

    def map(self, moment: Moment) -> MapData:
        return map_data(moment, self._cause(moment), self._samples(moment))

    def timeline(self, moment: Moment) -> TimelineData:
        data = self._chronicles.of(moment.episode).timeline()
        return with_annotations(data, self._deps.annotations.of(moment.episode))

    def state_at(self, episode: str, at: int) -> State:
        return self._at(episode, at, self._chronicles.of(episode).newest()).state

    def _at(self, episode: str, at: int, newest: Newest) -> Newest:
        if at == newest.state.seq:
            return newest
        if not 1 <= at < newest.state.seq:
            raise NotThere(
                f"Episode {episode} has no event {at}",
                text=f"Its events are 1 to {newest.state.seq}.",
                remedy="Choose one of those, or go back to live.",
            )
        with self._lock:
            known = self._replayed.get((episode, at))
        if known is None:
            known = self._chronicles.of(episode).at(at)
            with self._lock:
                self._replayed[episode, at] = known
                while len(self._replayed) > REPLAYED:
                    self._replayed.popitem(last=False)
        return known

    def _story(self, moment: Moment) -> Sequence[Entry]:
        """From the request for the plan before the last one."""
        proposed = self._seqs(moment, "plan.proposed", 2)
        first = 1
        if len(proposed) == 2:
            asked = self._chronicles.of(moment.episode).seqs("plan.requested", proposed[0], 1)
            first = asked[0] if asked else proposed[0]
        return self._span(moment, first, moment.state.seq, story.KINDS)

    def _cause(self, moment: Moment) -> validity.Cause | None:
        told = story.story_of(self._story(moment)).told
        if told is None or told.asked is None or moment.state.plan is None:
            return None
        event = told.asked.recorded.event
        return event.cause if isinstance(event, e.PlanRequested) else None

    def _then(self, episode: str, met_s: float, robot: str) -> Mapping[str, str]:
        """What the journal does not know of a moment and telemetry does."""
        found = self._reader.telemetry(episode, met_s - SAMPLES_S, met_s, robot)
        if not found:
            return {}
        extra = found[-1].extra if isinstance(found[-1].extra, dict) else {}
        kept = {key: extra.get(key) for key in ("battery", "arm", "progress", "trouble")}
        return told({"speed_m_s": found[-1].speed_m_s, **kept})

    def _samples(self, moment: Moment) -> list[TelemetrySample]:
        """Where robots were since the last measurement, up to the cursor's time; a while at least, a few
        minutes at most."""
        state = moment.state
        measured_s = state.log[-1].met_s if state.log else 0.0
        from_s = min(state.met_s - SAMPLES_S, max(measured_s, state.met_s - LONGEST_S))
        return self._reader.telemetry(moment.episode, from_s, state.met_s)

    def _newest(self, moment: Moment, kind: str, count: int) -> list[Entry]:
        return [
            entry for seq in self._seqs(moment, kind, count) for entry in self._span(moment, seq, seq, ())
        ]

    def _seqs(self, moment: Moment, kind: str, count: int) -> list[int]:
        return self._chronicles.of(moment.episode).seqs(kind, moment.state.seq, count)

    def _span(self, moment: Moment, first: int, last: int, kinds: Sequence[str]) -> list[Entry]:
        return self._reader.events(moment.episode, after=first - 1, until=last, kinds=kinds, limit=None)
