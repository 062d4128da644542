"""The one episode loop: gather, decide, commit, then act. Missions and evaluation run it alike.

Only the ports differ: a journal in memory or in a database, a world in process or behind a bridge, a planner
that answers at once or in a while. The loop is synchronous and never waits for a planner; whoever runs it
calls `tick` again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future

from msgspec.structs import replace

from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Inputs, StandstillReport
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Outcome
from backend.domain.memory.evidence import Evidence
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, Reply
from backend.usecases.coalescing import Key, Said, coalesce
from backend.usecases.failpoints import failpoint
from backend.usecases.framing import FrameKeeper
from backend.usecases.helm import Helm
from backend.usecases.ports import Bridge, Inbox, IntentWithdrawn, Journal, Planner, Reports, StopPending


class EpisodeLoop:
    """Drives one episode from `state`. Not thread-safe: one thread calls `tick`."""

    def __init__(
        self,
        state: State,
        journal: Journal,
        inbox: Inbox,
        planner: Planner,
        bridge: Bridge,
        executor: Executor,
        *,
        monotonic: Callable[[], float],
        keep_frames: FrameKeeper | None = None,
        render: bool = True,
        on_commit: Callable[[Sequence[e.Recorded], State], None] | None = None,
    ) -> None:
        self.state = state
        self._journal = journal
        self._inbox = inbox
        self._planner = planner
        self._helm = Helm(bridge, state, monotonic)
        self._executor = executor
        self._keep_frames = keep_frames
        self._render = render
        self._on_commit = on_commit
        self._answer: Future[Reply] | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self._said: Mapping[Key, Said] = {}
        self._coalesces = state.mission.world.clock == "runs"

    def begin(self, initial: tuple[Evidence, ...]) -> None:
        """Offer the world's initial records to the first tick."""
        self._evidence = initial

    def resume(self, latched: tuple[str, ...] = (), ledger_id: str = "") -> None:
        """Take up an episode that another process left: what was in flight is unsure until the bridge says.

        `latched`: the stops that the bridge says are in force; one that the journal does not know holds too.
        `ledger_id`: the bridge's memory. If it is not the one that the step was sent to, a person is asked.
        """
        self._helm.poll()
        self._helm.take_up(latched, ledger_id)
        self._ask_planner()

    def tick(self) -> bool:
        """One pass. True when something was committed. Raises JournalError when nothing may go on."""
        inputs, through, said = self._gather()
        result = tick(self.state, inputs, render=self._render)
        if result.events or result.settled:
            failpoint("before-commit")
            try:
                self._journal.append(result.events, result.settled)
            except (StopPending, IntentWithdrawn):
                return True
            failpoint("after-commit")
        self._evidence = ()
        self._said = said
        self._took_reply(inputs.replies)
        asked, self.state = self.state.request, result.state
        self._helm.committed(result.state)
        self._helm.act(result.events)
        if result.state.request is not asked:
            self._ask_planner()  # last: an answer at once must find everything else done
        if through:
            self._helm.acknowledge(through)
        if result.events and self._on_commit is not None:
            self._on_commit(result.events, result.state)
        self._helm.heartbeat()
        return bool(result.events)

    def _gather(self) -> tuple[Inputs, int, Mapping[Key, Said]]:
        intents, now_s = self._inbox.take()
        report = self._helm.gather()
        evidence = self._evidence + report.evidence if self._evidence else report.evidence
        times: tuple[int, ...] = ()
        said = self._said
        if self._coalesces:
            told = coalesce(said, evidence, self.state.memory, self.state.site.metric, report.met_s)
            evidence, times, said = told.evidence, told.times, told.said
        answer = self._answer
        inputs = Inputs(
            met_s=report.met_s,
            now_s=now_s,
            intents=tuple(intents),
            outcomes=self._with_frames(report) if report.pictures or report.views else report.outcomes,
            standstills=_standstills(report) if report.stopped else (),
            evidence=evidence,
            times=times,
            replies=(self._reply_in(answer),) if answer is not None and answer.done() else (),
            doubts=self._helm.doubts,
            stop_waits_s=self._helm.stop_waits_s() if self.state.stops else {},
            robot_pose=report.robot_pose,
            map=report.map,
        )
        return inputs, report.through, said

    def _with_frames(self, report: Reports) -> tuple[Outcome, ...]:
        """The outcomes, each with what is kept of the pictures that came with it."""
        return tuple([self._framed(each, report) for each in report.outcomes])

    def _framed(self, outcome: Outcome, report: Reports) -> Outcome:
        dispatch, keeper = self.state.dispatch, self._keep_frames
        if keeper is None or dispatch is None:
            return outcome
        pictures = report.pictures.get(outcome.dispatch_id)
        if pictures:
            watched = keeper(pictures, dispatch.step.watch, self.state.mission.memory.frames)
            outcome = replace(outcome, frames=watched)
        views = keeper.views(report.views.get(outcome.dispatch_id, ()))
        return replace(outcome, views=views) if views else outcome

    def _reply_in(self, answer: Future[Reply]) -> Reply:
        """A planner that breaks is a planner that failed: a person is asked, the loop goes on."""
        error = answer.exception()
        if error is None:
            return answer.result()
        request = self.state.request
        broke = Attempt(verdict="failed", detail=f"The planner broke: {type(error).__name__}: {error}")
        return Reply(
            decision=request.decision if request is not None else 0,
            attempt=request.attempt if request is not None else 0,
            proposal=None,
            attempts=(broke,),
        )

    def _took_reply(self, replies: tuple[Reply, ...]) -> None:
        if replies:
            self._answer = None

    def _ask_planner(self) -> None:
        request = self.state.request
        if request is None or self.state.planner == "operator":
            return
        failpoint("before-ask")
        self._answer = self._executor.submit(self._planner.propose, query_of(self.state, request))


def _standstills(report: Reports) -> tuple[StandstillReport, ...]:
    return tuple(
        [
            StandstillReport(stop_id=stop.stop_id, pose=stop.measured.pose, by=stop.by)
            for stop in report.stopped
        ]
    )
