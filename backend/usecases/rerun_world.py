"""A world that is run again beside a journal: it goes on, step by step, to where the journal says that
something happened, and is told what was decided then."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.decide.recorded import Commit, bridge_stops
from backend.domain.decide.turn import Inputs, StandstillReport
from backend.domain.episode import events as e
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.memory.evidence import Evidence
from backend.usecases.helm import Helm
from backend.usecases.opening import opening
from backend.usecases.ports import Bridge, Reports


class Seen(Struct, frozen=True, kw_only=True):
    """`is_due`: the next commit is of now, or is overtaken; not due, a tick of these must decide nothing."""

    inputs: Inputs
    is_due: bool


class WorldAgain:
    """`bridge`: the world of the episode's scenario and seed, in which nothing has happened yet."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._hello = bridge.hello(1)
        self._helm: Helm | None = None
        self._met_s = self._hello.met_s
        self._initial: tuple[Evidence, ...] = self._hello.initial
        self._gathered = Inputs(met_s=self._met_s)
        self._told: set[str] = set()

    def opened(self, then: e.EpisodeOpened) -> e.Recorded:
        """`episode.opened` as it would be written now, its pictures as recorded. Raises Unopenable."""
        made = opening(
            then.episode,
            then.mission,
            self._hello,
            planner=then.planner,
            seed=then.seed,
            code_version=then.code_version,
            views=then.table.views if then.table else (),
        )
        self._helm = Helm(self._bridge, evolve(None, made), _stands_still)
        return made

    def run_to(self, state: State, commit: Commit) -> Seen:
        """One step of the world, if a skill runs, towards the moment of `commit`."""
        assert self._helm is not None, "a journal begins with episode.opened"
        self._helm.state = state
        self._stop_directly(commit)
        before_s = self._met_s
        report = self._helm.gather()
        self._met_s = report.met_s
        inputs = Inputs(
            met_s=report.met_s,
            evidence=self._initial + report.evidence,
            outcomes=report.outcomes,
            standstills=_standstills(report),
        )
        goes_on = report.met_s > before_s or report.met_s >= commit.met_s
        has_come = report.met_s >= commit.met_s and not self._awaits_stop(commit)
        if inputs.is_quiet and goes_on and not has_come:
            self._helm.committed(state)
            return Seen(inputs=inputs, is_due=False)
        return Seen(inputs=inputs, is_due=True)

    def decided(self, state: State, events: Sequence[e.Recorded]) -> None:
        """What follows from a tick that came out as recorded."""
        assert self._helm is not None
        self._initial = ()
        self._helm.committed(state)
        self._helm.act(events)

    def _stop_directly(self, commit: Commit) -> None:
        """A hold goes to the robot past the runner too, and may have arrived there first."""
        if self._met_s < commit.met_s:
            return
        for event in bridge_stops(commit):
            if event.stop_id not in self._told:
                self._told.add(event.stop_id)
                self._bridge.stop(event.stop_id, event.by)

    def _awaits_stop(self, commit: Commit) -> bool:
        return any(event.stop_id not in self._told for event in bridge_stops(commit))


def _standstills(report: Reports) -> tuple[StandstillReport, ...]:
    return tuple(
        [
            StandstillReport(stop_id=stop.stop_id, pose=stop.measured.pose, by=stop.by)
            for stop in report.stopped
        ]
    )


def _stands_still() -> float:
    return 0.0
