"""Reads what an evidence tab is made of: calls to the planner, frames, log and audit, up to the cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.deprojection import Depth
from backend.domain.execution.frames import WatchedFrames
from backend.usecases.framing import UnreadablePicture
from backend.usecases.reading import Entry
from backend.usecases.regating import Unwatched, regated
from backend.web.builders import audit, demonstration, exchange, frames, log, record_history
from backend.web.builders.annotations import Annotated
from backend.web.builders.audit_filter import Wanted, wanted_of
from backend.web.builders.calls import Call
from backend.web.builders.chosen import read_chosen
from backend.web.builders.evidence import Rows
from backend.web.builders.gate_form import Tried, is_asked, read_gate
from backend.web.builders.hindsight import known_table
from backend.web.builders.memory_asked import asked_of
from backend.web.builders.memory_panel import Remembered
from backend.web.builders.moment import Moment
from backend.web.builders.record_sheet import HISTORY
from backend.web.builders.table_probe import Asked as Probed
from backend.web.builders.table_probe import probed
from backend.web.chronicle import Chronicles
from backend.web.deps import Deps
from backend.web.looking_back import LookingBack
from backend.web.pages.evidence import TabName
from backend.web.pictures import depth_of

CHUNK = 500
LOOKED_AT = 5_000
"""Events that one page of a filtered audit reads at most."""

StateAt = Callable[[str, int], State]


class Gathering:
    """For any number of threads. `state_at`: the state of an episode after an event of it."""

    def __init__(self, deps: Deps, chronicles: Chronicles, state_at: StateAt) -> None:
        self._reader = deps.reader
        self._frames = deps.frames
        self._pixels = deps.pixels
        self._unseen: tuple[type[Exception], ...] = (*deps.missing, UnreadablePicture)
        self._chronicles = chronicles
        self._annotations = deps.annotations
        self._registry = deps.registry
        self._state_at = state_at
        self._back = LookingBack(deps, chronicles)

    def rows(self, moment: Moment, tab: TabName, chosen: str, query: Mapping[str, str]) -> Rows:
        films = frames.films_of(moment.state, self._recorded(moment))
        wanted = wanted_of(query)
        return Rows(
            call=self._call(moment, tab, chosen if tab in ("context", "exchange") else ""),
            films=films,
            tried=self._tried(films, chosen, query) if tab == "frames" else None,
            logged=self._logged(moment, chosen) if tab == "log" else (),
            wanted=wanted,
            page=self._page(moment, chosen, wanted) if tab == "audit" else audit.Page(),
            memory=self.remembered(moment, chosen, query) if tab == "memory" else Remembered(),
            annotated=self._annotated(moment, tab),
            probed=self._probed(moment, query) if tab == "table" else Probed(camera=""),
            watched=self._watched(moment) if tab == "demonstration" else (),
        )

    def remembered(self, moment: Moment, chosen: str, query: Mapping[str, str]) -> Remembered:
        """How memory is looked at, with the history of the record that is open."""
        asked = asked_of(query, chosen)
        if asked.view == "known" and not moment.is_live and not chosen:
            looked = self._back.of(moment.episode, moment.evaluated)
            table = known_table(moment.state, looked.hindsight, looked.misled)
            return Remembered(asked=asked, known=table)
        if chosen not in moment.state.memory.records:
            return Remembered(asked=asked)
        return Remembered(asked=asked, history=self._history(moment, chosen))

    def _annotated(self, moment: Moment, tab: TabName) -> Annotated:
        """What people wrote, as it is now: whatever the cursor, for most of it is written afterwards."""
        found = self._annotations.of(moment.episode)
        if tab != "annotations":
            return Annotated(found=found)
        is_any_mentioned = any("@" in each.text for each in found)
        return Annotated(
            found=found,
            versions=self._annotations.versions(moment.episode),
            accounts={user.name for user in self._registry.users()} if is_any_mentioned else (),
            ticks=self._chronicles.of(moment.episode).timeline().ticks,
        )

    def _history(self, moment: Moment, entity: str) -> Sequence[Entry]:
        """The newest changes of a record, as far back as LOOKED_AT events."""
        found: list[Entry] = []
        first = moment.state.seq + 1
        end = max(0, moment.state.seq - LOOKED_AT)
        while first - 1 > end and len(found) <= HISTORY:
            begins = max(end + 1, first - CHUNK)
            read = self._span(moment, begins, first - 1, record_history.KINDS)
            told = [each for each in read if record_history.changes_of(each, entity)]
            found, first = [*told, *found], begins
        return found

    def _call(self, moment: Moment, tab: TabName, chosen: str) -> Call | None:
        """The call that is named and was asked by the cursor, else the newest."""
        seqs = self._seqs(moment, "plan.requested", moment.state.seq)
        if not seqs:
            return None
        named = read_chosen(chosen).call
        place = seqs.index(named) if named in seqs else len(seqs) - 1
        around = [self._one(moment, seq) for seq in seqs[max(0, place - 1) : place + 3]]
        before = around[: min(1, place)]
        request, after = around[len(before)], around[len(before) + 1 :]
        first = before[0] if _is_repair(request) and before else request
        ends = next((entry.recorded.seq - 1 for entry in after if not _is_repair(entry)), moment.state.seq)
        return Call(
            request=request,
            previous=before[0] if before else None,
            state=self._state_at(moment.episode, request.recorded.seq) if tab == "context" else None,
            earlier=seqs[place - 1] if place else None,
            later=seqs[place + 1] if place + 1 < len(seqs) else None,
            exchanges=self._span(moment, first.recorded.seq, ends, exchange.KINDS),
        )

    def _probed(self, moment: Moment, query: Mapping[str, str]) -> Probed:
        there = moment.state.at_table
        return Probed(camera="") if there is None else probed(query, there.views, self._depth)

    def _depth(self, sha256: str) -> Depth | None:
        try:
            return depth_of(self._frames.get(sha256))
        except self._unseen:
            return None

    def _watched(self, moment: Moment) -> Sequence[Entry]:
        first = self._seqs(moment, demonstration.KINDS[0], moment.state.seq)
        return self._span(moment, first[0], moment.state.seq, demonstration.KINDS) if first else ()

    def _recorded(self, moment: Moment) -> Sequence[Entry]:
        kind = "frames.recorded"
        first = self._seqs(moment, kind, moment.state.seq)
        return self._span(moment, first[0], moment.state.seq, (kind,)) if first else ()

    def _tried(
        self, films: Mapping[int, WatchedFrames], chosen: str, query: Mapping[str, str]
    ) -> Tried | None:
        action = frames.chosen_action(films, chosen)
        if action is None or not is_asked(query):
            return None
        tried = read_gate(query)
        if tried.errors:
            return tried
        try:
            gated = regated(
                films[action], tried.settings, lambda sha256: self._pixels(self._frames.get(sha256))
            )
        except self._unseen as error:
            return Tried(typed=tried.typed, why_not=f"{error} Without every frame nothing can be compared.")
        if isinstance(gated, Unwatched):
            return Tried(typed=tried.typed, why_not=gated.reason)
        return Tried(typed=tried.typed, settings=tried.settings, gated=gated)

    def _logged(self, moment: Moment, chosen: str) -> Sequence[Entry]:
        """From the dispatch of the first shown line to the end of the last."""
        first, last = log.window(moment.state, chosen)
        lines = moment.state.log
        if first == last:
            return ()
        begins = lines[first - 1].seq + 1 if first else 1
        return self._span(moment, begins, lines[last - 1].seq, log.KINDS)

    def _page(self, moment: Moment, chosen: str, wanted: Wanted) -> audit.Page:
        """The newest wanted events before the one chosen. Where few are wanted it looks back LOOKED_AT events
        and says so, rather than reading a long journal whole."""
        before = read_chosen(chosen).part
        last = moment.state.seq if before is None else max(1, min(moment.state.seq, before - 1))
        if wanted.is_everything:
            first = max(1, last - audit.PAGE + 1)
            found = [each for each in self._span(moment, first, last, ()) if wanted.takes(each)]
            return audit.Page(entries=found, first=first)
        found, first = [], last + 1
        end = max(0, last - LOOKED_AT)
        while first - 1 > end and len(found) < audit.PAGE:
            begins = max(end + 1, first - CHUNK)
            read = self._span(moment, begins, first - 1, wanted.kinds)
            found, first = [*(each for each in read if wanted.takes(each)), *found], begins
        if len(found) > audit.PAGE:
            found = found[-audit.PAGE :]
            first = found[0].recorded.seq
        return audit.Page(entries=found, first=first)

    def _one(self, moment: Moment, seq: int) -> Entry:
        [entry] = self._span(moment, seq, seq, ())
        return entry

    def _seqs(self, moment: Moment, kind: str, count: int) -> list[int]:
        return self._chronicles.of(moment.episode).seqs(kind, moment.state.seq, count)

    def _span(self, moment: Moment, first: int, last: int, kinds: Sequence[str]) -> list[Entry]:
        return self._reader.events(moment.episode, after=first - 1, until=last, kinds=kinds, limit=None)


def _is_repair(entry: Entry) -> bool:
    event = entry.recorded.event
    return isinstance(event, e.PlanRequested) and event.attempt > 1
