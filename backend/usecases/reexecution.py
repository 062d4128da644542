"""An episode run again from its journal: the same decider, the recorded answers of planner and people at
their places, and, where the world can be run again, the world itself.

Without a world, what it reported is taken from the journal, and what was decided is decided again. Each tick
must make the very events that the journal has; the first that differs is told, and nothing is run past it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.decide.recorded import GIVEN, Commit, inputs_of
from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Inputs
from backend.domain.episode import events as e
from backend.domain.episode.difference import Difference, first_difference, is_same
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Outcome
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, Query, Reply
from backend.usecases.ports import Planner
from backend.usecases.rerun_world import WorldAgain

Asked = tuple[int, int]
"""Decision and attempt."""


class Again(Struct, frozen=True, kw_only=True):
    """`events`: what was made again, up to the first difference. `difference` None: all of it, the same."""

    events: tuple[e.Recorded, ...]
    difference: Difference | None


def run_again(commits: Sequence[Commit], planner: Planner, world: WorldAgain | None = None) -> Again:
    """`planner` gives the recorded answers; `world` is the episode's, as it was at its beginning."""
    return _Rerun(commits, planner, world).run()


def run_to(
    commits: Sequence[Commit], planner: Planner, seq: int, world: WorldAgain | None = None
) -> State | Difference:
    """The state right after the tick that made event `seq`, come about again, with `world` at that moment."""
    rerun = _Rerun(commits, planner, world)
    return rerun.run_to(seq)


class _Rerun:
    def __init__(self, commits: Sequence[Commit], planner: Planner, world: WorldAgain | None) -> None:
        self._commits = commits
        self._planner = planner
        self._world = world
        self._render = _was_rendered(commits)
        self._broken = _broken(commits)
        self._state: State | None = None
        self._made: list[e.Recorded] = []
        self._queries: dict[Asked, Query] = {}
        self._replies: dict[Asked, Reply] = {}

    def run(self) -> Again:
        for commit in self._commits:
            rest: Commit | None = commit
            while rest is not None:
                difference, count = self._follow(rest)
                if difference is not None:
                    return Again(events=tuple(self._made), difference=difference)
                rest = rest.after(count)
        return Again(events=tuple(self._made), difference=None)

    def run_to(self, seq: int) -> State | Difference:
        for commit in self._commits:
            rest: Commit | None = commit
            while rest is not None:
                difference, count = self._follow(rest)
                if difference is not None:
                    return difference
                if self._state is not None and self._state.seq >= seq:
                    return self._state
                rest = rest.after(count)
        raise ValueError(f"The journal ends before event {seq}.")

    def _follow(self, commit: Commit) -> tuple[Difference | None, int]:
        """Make the commit again, or its first events where it was several; how many were made."""
        if isinstance(commit.events[0].event, GIVEN):
            return self._begin(commit.events[0]), 1
        assert self._state is not None, "a journal begins with episode.opened"
        if self._world is None:
            return self._decide(commit, None)
        early = self._world.run_to(self._state, commit)
        while not early.is_due:
            quiet = tick(self._state, early.inputs, render=self._render)
            if quiet.events:
                return first_difference(commit.events, quiet.events), 0
            early = self._world.run_to(self._state, commit)
        return self._decide(commit, early.inputs)

    def _begin(self, given: e.Recorded) -> Difference | None:
        """What the runner wrote by itself. Where the world is run again, it must say the same of itself."""
        made = given
        if self._world is not None and isinstance(given.event, e.EpisodeOpened):
            made = self._world.opened(given.event)
            if not is_same(given, made):
                return first_difference([given], [made])
        self._took(evolve(self._state, made), (made,))
        return None

    def _decide(self, commit: Commit, measured: Inputs | None) -> tuple[Difference | None, int]:
        """Most commits are one tick. One that was several, of a single moment, is tried as its first ones."""
        assert self._state is not None
        attempts: list[tuple[e.Recorded, ...]] = []
        for count in range(len(commit.events), 0, -1):
            part = commit.first(count)
            inputs = inputs_of(self._state, part, self._answers(part))
            if measured is not None:
                inputs = _as_measured(inputs, measured)
            made = tick(self._state, inputs, render=self._render)
            if len(made.events) == count and all(map(is_same, part.events, made.events)):
                if self._world is not None:
                    self._world.decided(made.state, made.events)
                self._took(made.state, made.events)
                return None, count
            attempts.append(made.events)
        nearest = max(attempts, key=lambda made: _alike(commit.events, made))
        return first_difference(commit.events, nearest), 0

    def _took(self, state: State, made: Sequence[e.Recorded]) -> None:
        asked = self._state.request if self._state is not None else None
        self._state = state
        self._made += made
        request = state.request
        if request is not None and request is not asked:
            self._queries[request.decision, request.attempt] = query_of(state, request)

    def _answers(self, commit: Commit) -> tuple[Reply, ...]:
        """The planner's answers that came in this commit, each asked for once."""
        return tuple([self._reply(asked) for asked in self._answered(commit)])

    def _answered(self, commit: Commit) -> Iterator[Asked]:
        told: list[Asked] = []
        for each in commit.events:
            if isinstance(each.event, e.ExchangeRecorded):
                told.append((each.event.decision, each.event.attempt))
            elif each.actor == "planner" and not told and self._queries:
                told.append(max(self._queries))
        return (asked for asked in dict.fromkeys(told) if asked in self._queries)

    def _reply(self, asked: Asked) -> Reply:
        if asked not in self._replies:
            broken = self._broken.get(asked)
            self._replies[asked] = broken or self._planner.propose(self._queries[asked])
        return self._replies[asked]


def _alike(then: Sequence[e.Recorded], now: Sequence[e.Recorded]) -> int:
    """How many events the two begin with in common."""
    count = 0
    for old, new in zip(then, now, strict=False):
        if not is_same(old, new):
            break
        count += 1
    return count


def _as_measured(recorded: Inputs, measured: Inputs) -> Inputs:
    """People, planner, clocks and pictures as recorded; what the world says as it says it now."""
    then = {each.dispatch_id: each for each in recorded.outcomes}
    return replace(
        recorded,
        met_s=measured.met_s,
        evidence=measured.evidence,
        times=(),
        outcomes=tuple([_pictured(each, then.get(each.dispatch_id)) for each in measured.outcomes]),
        standstills=measured.standstills,
        doubts=(),
    )


def _pictured(now: Outcome, then: Outcome | None) -> Outcome:
    return replace(now, frames=None) if then is None else replace(now, frames=then.frames, views=then.views)


def _was_rendered(commits: Sequence[Commit]) -> bool:
    """An evaluation whose planner reads no text writes none."""
    for commit in commits:
        for each in commit.events:
            if isinstance(each.event, e.PlanRequested):
                return bool(each.event.blocks)
    return True


def _broken(commits: Sequence[Commit]) -> Mapping[Asked, Reply]:
    """A planner that broke is no model's answer, and stands in no recording: it breaks again."""
    tries: dict[Asked, list[Attempt]] = defaultdict(list)
    for commit in commits:
        for each in commit.events:
            if isinstance(each.event, e.ExchangeRecorded):
                tries[each.event.decision, each.event.attempt].append(each.event.exchange)
    return {
        asked: Reply(decision=asked[0], attempt=asked[1], proposal=None, attempts=tuple(made))
        for asked, made in tries.items()
        if made[-1].verdict == "failed" and not made[-1].request_digest
    }
