"""What is true of every episode, whatever happens in it and in whatever order, under hypothesis.

Each rule puts something into the next tick, which decides all of it at once: one thing, or several together.
The watcher judges every event.
"""

from __future__ import annotations

import os
from typing import Any, get_args

import msgspec
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.conn import OnOperatorLoss
from backend.domain.command.intents import (
    Abort,
    Action,
    Approve,
    AskAgain,
    AskConn,
    GiveUpConn,
    Guide,
    HandOverConn,
    Hold,
    Intent,
    KeepConn,
    Propose,
    Reject,
    Release,
    RenewConn,
    Resolve,
    TakeConn,
)
from backend.domain.command.policy import RiskRules
from backend.domain.decide.turn import Doubt, StandstillReport
from backend.domain.digests import canonical
from backend.domain.episode.events import Recorded
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import Source
from backend.domain.plans.plan import Step
from backend.domain.query.build import query_of
from backend.domain.query.query import Attempt, Proposal, Reply, Usage
from backend.planners.policy import propose
from tests.domain.scripted import BOTTLES, CANS, Scripted, approving, collect, opened, report, step
from tests.domain.watcher import Watcher

HOMES = {"can_1": Pose(3.0, 4.0), "can_2": Pose(7.0, 2.0), "bottle_1": Pose(2.0, 8.0)}
ENTITIES = sorted(HOMES)
NAMELESS = (0.01, 0.01)
MOVES = st.sampled_from([(0.0, 0.0)] * 6 + [(0.03, 0.0), (0.0, 0.04), NAMELESS, (1.0, 0.0), (0.0, -2.0)])
ACTORS = st.sampled_from([("operator-1", "operator"), ("operator-2", "operator"), ("viewer-1", "viewer")])
REASONS = st.sampled_from(["arrived", "absent", "grasp_slipped", "latched"])
SAYINGS = [
    TakeConn(),
    TakeConn(over="operator-1"),
    TakeConn(over="operator-2"),
    AskConn(),
    HandOverConn(to="operator-1"),
    HandOverConn(to="operator-2"),
    KeepConn(asked_by="operator-2"),
    RenewConn(),
    GiveUpConn(),
    AskAgain(),
    Guide(text="Left."),
]
RARELY = st.sampled_from([False, False, True])
CELLS = ((1.0, 1.0), (2.0, 7.0))


def waits(state: State) -> bool:
    return state.approval is not None and state.approval.status is ApprovalStatus.PENDING


class Episode(RuleBasedStateMachine):
    watching = Watcher
    """Who looks over its shoulder."""

    @initialize(
        policy=st.sampled_from(["every_plan", "every_skill", "on_risk", "auto"]),
        memory=st.sampled_from(["attention", "attention", "unfiltered", "static", "none"]),
        expires_s=st.sampled_from([None, 5.0]),
        decisions=st.sampled_from([None, None, 6]),
        together=st.sampled_from([1, 1, 2, 4]),
        loss=st.sampled_from(get_args(OnOperatorLoss)),
    )
    def open(
        self,
        policy: str,
        memory: str,
        expires_s: float | None,
        decisions: int | None,
        together: int,
        loss: OnOperatorLoss,
    ) -> None:
        self.opening = opened(
            policy=policy,
            memory=memory,
            risk=RiskRules(confidence_below=0.6, belief_older_s=20.0),
            budgets=Budgets(steps=None, decisions=decisions, tokens=None),
            approval_expires_s=expires_s,
            total=3,
            on_operator_loss=loss,
        )
        self.script = Scripted(self.opening, to_the_byte=False)
        self.watcher = self.watching()
        self.together = together
        self.inputs: dict[str, list[Any]] = {}
        self.stops = 0
        self.page: Approve | None = None

    @property
    def state(self) -> State:
        return self.script.state

    def put(self, name: str, value: Any) -> None:
        self.inputs.setdefault(name, []).append(value)
        if sum(map(len, self.inputs.values())) >= self.together:
            self.tick()

    def new_stop(self) -> str:
        self.stops += 1
        return f"s{self.stops}"

    @property
    def officer(self) -> tuple[str, str]:
        """Whoever has the conn, or would be given it."""
        conn = self.state.conn
        return ("operator-1" if conn is None else conn.holder), "operator"

    @rule()
    def tick(self) -> None:
        before = self.state
        result = self.script.tick(**{name: tuple(values) for name, values in self.inputs.items()})
        self.inputs = {}
        for recorded in result.events:
            before = self.watcher.see(before, recorded)
        self.watcher.look(self.state)

    @rule(seconds=st.sampled_from([0.5, 1.0, 4.0, 25.0]))
    def wait(self, seconds: float) -> None:
        self.script.met_s += seconds
        self.script.now_s += seconds

    @rule(
        entity=st.sampled_from(ENTITIES),
        moved=MOVES,
        q=st.sampled_from([0.3, 0.58, 0.9, 1.0]),
        source=st.sampled_from([Source.AERIAL, Source.ONBOARD, Source.INITIAL]),
        late_s=st.sampled_from([0.0, 0.0, 0.0, 2.0, 30.0, -3.0]),
    )
    def report(
        self, entity: str, moved: tuple[float, float], q: float, source: Source, late_s: float
    ) -> None:
        """Where it is believed to be, a creep away, or elsewhere; sometimes by one who knows no ids."""
        record = self.state.memory.records.get(entity)
        place = record.pose if record is not None else HOMES[entity]
        evidence: Evidence = report(
            None if moved == NAMELESS else entity,
            place.x_m + moved[0],
            place.y_m + moved[1],
            q=q,
            source=source,
            stamp_s=self.script.met_s - late_s,
            cls=entity.partition("_")[0],
        )
        self.put("evidence", evidence)

    @precondition(lambda self: self.state.request is not None and "replies" not in self.inputs)
    @rule(choice=st.sampled_from(["policy", "policy", "search", "both", "wrong", "silence"]))
    def answer(self, choice: str) -> None:
        request = self.state.request
        assert request is not None
        steps = self.plan(choice)
        proposal = Proposal(rationale="", note="n", steps=steps) if steps else None
        attempts = (
            Attempt(verdict="ok" if steps else "timeout", detail="late", usage=Usage(total_tokens=9)),
        )
        self.put(
            "replies",
            Reply(decision=request.decision, attempt=request.attempt, proposal=proposal, attempts=attempts),
        )

    def plan(self, choice: str) -> tuple[Step, ...]:
        request = self.state.request
        assert request is not None
        search = tuple(step("explore", cell=cell) for cell in CELLS)
        if choice == "policy":
            return propose(query_of(self.state, request).facts).steps[:8]
        if choice == "both":
            exposed = [entity for entity in request.retrieval.exposed if not entity.startswith("bottle")]
            return (*collect(exposed[0], CANS), *search) if exposed else search
        return {"search": search, "wrong": collect("can_1", BOTTLES)}.get(choice, ())

    @precondition(lambda self: self.state.dispatch is not None and "outcomes" not in self.inputs)
    @rule(
        result=st.sampled_from([Result.SUCCEEDED] * 6 + list(Result)),
        reason=REASONS,
        drops=st.sampled_from([False] * 5 + [True]),
    )
    def end(self, result: Result, reason: str, drops: bool) -> None:
        dispatch = self.state.dispatch
        assert dispatch is not None
        self.script.met_s += 1.0
        pose, held = self.state.robot.pose, self.state.robot.held
        if result is Result.SUCCEEDED:
            pose = dispatch.goal or pose
            effects: dict[str, Any] = {"grasp": dispatch.step.arguments.get("target"), "deliver": None}
            held = effects.get(dispatch.step.skill, held)
        outcome = Outcome(
            dispatch_id=dispatch.id,
            skill=dispatch.step.skill,
            result=result,
            reason=reason,
            message="",
            started_s=dispatch.met_s,
            ended_s=self.script.met_s,
            measured=Measured(pose=pose, held=None if drops else held, moves=1),
        )
        self.put("outcomes", outcome)

    def click(self, action: Action, who: tuple[str, str], in_s: float = 10.0) -> None:
        intent: Intent = self.script.intent(action, *who, in_s)
        self.put("intents", intent)

    @rule(times=st.integers(1, 8))
    def go_on(self, times: int) -> None:
        """What a person at the console and a robot in good order would do next, and next."""
        for _ in range(times):
            if self.state.dispatch is not None and self.state.dispatch.in_doubt:
                self.account_for_it(executed=False)
            elif self.state.dispatch is not None and "outcomes" not in self.inputs:
                self.end(Result.SUCCEEDED, "arrived", drops=False)
            elif self.state.stops and not self.state.dispatch:
                self.release_what_is_latched()
            elif self.state.request is not None and "replies" not in self.inputs:
                self.answer("policy")
            elif waits(self.state):
                self.approve_what_waits()
            elif self.state.asks_person:
                self.ask_again()

    @precondition(lambda self: self.state.approval is not None)
    @rule()
    def look_at_the_card(self) -> None:
        self.page = approving(self.script.approval)

    @precondition(lambda self: self.page is not None)
    @rule(who=ACTORS, in_s=st.sampled_from([10.0, 10.0, -1.0]))
    def approve(self, who: tuple[str, str], in_s: float) -> None:
        assert self.page is not None
        self.click(self.page, who, in_s)

    @precondition(lambda self: waits(self.state))
    @rule()
    def approve_what_waits(self) -> None:
        self.click(approving(self.script.approval), self.officer)

    @precondition(lambda self: bool(self.state.stops))
    @rule()
    def release_what_is_latched(self) -> None:
        ids = tuple(stop.id for stop in self.state.stops if not stop.abort)
        self.click(Release(stop_ids=ids), self.officer)

    @precondition(lambda self: bool(self.state.stops))
    @rule(who=ACTORS)
    def release_one(self, who: tuple[str, str]) -> None:
        self.click(Release(stop_ids=(self.state.stops[0].id,)), who)

    @rule(
        who=ACTORS,
        trouble=st.sampled_from(["hold", "hold", "reject", "watchdog", "ledger", "abort"]),
        rarely=RARELY,
    )
    def interrupt(self, who: tuple[str, str], trouble: str, rarely: bool) -> None:
        approval, dispatch = self.state.approval, self.state.dispatch
        if trouble == "hold" and rarely:
            self.click(Hold(stop_id=self.new_stop(), reason="People"), who, -9.0)
        elif trouble == "watchdog" and rarely:
            self.put("standstills", StandstillReport(stop_id=self.new_stop(), by="watchdog"))
        elif trouble == "reject" and approval is not None:
            self.click(Reject(approval_id=approval.id, reason="No.", stop_id=self.new_stop()), who, -9.0)
        elif trouble == "ledger" and rarely and dispatch is not None:
            self.put("doubts", Doubt(dispatch_id=dispatch.id, reason="The ledger is lost."))
        elif trouble == "abort" and rarely and self.stops > 3:
            self.click(Abort(stop_id=self.new_stop()), who)

    @rule(who=ACTORS, action=st.sampled_from(SAYINGS))
    def say(self, who: tuple[str, str], action: Action) -> None:
        self.click(action, who)

    @precondition(lambda self: bool(self.state.asks_person))
    @rule()
    def ask_again(self) -> None:
        self.click(AskAgain(), self.officer)

    @precondition(lambda self: self.state.request is not None)
    @rule(who=ACTORS, behind=st.sampled_from([0, 0, 3]))
    def plan_by_hand(self, who: tuple[str, str], behind: int) -> None:
        steps = self.plan("policy")
        self.click(Propose(steps=steps, seen_seq=max(1, self.state.seq - behind)), who)

    @precondition(lambda self: any(not stop.confirmed for stop in self.state.stops))
    @rule()
    def stand_still(self) -> None:
        stop = next(stop for stop in self.state.stops if not stop.confirmed)
        self.put("standstills", StandstillReport(stop_id=stop.id, pose=self.state.robot.pose))

    @precondition(lambda self: self.state.dispatch is not None and self.state.dispatch.in_doubt)
    @rule(executed=st.booleans())
    def account_for_it(self, executed: bool) -> None:
        assert self.state.dispatch is not None
        action = Resolve(dispatch_id=self.state.dispatch.id, executed=executed, account="I saw it.")
        self.click(action, self.officer)

    @invariant()
    def every_step_that_went_and_ended_is_in_the_log(self) -> None:
        if not hasattr(self, "script"):
            return
        assert len(self.state.log) == self.state.dispatches - (self.state.dispatch is not None)

    def teardown(self) -> None:
        """The journal as stored, read back and folded, is the state to the byte."""
        if not hasattr(self, "script"):
            return
        stored = [msgspec.json.encode(recorded) for recorded in self.script.events]
        read = [msgspec.json.decode(line, type=Recorded) for line in stored]
        assert canonical(fold(read, self.opening)) == canonical(self.state)


TestEpisode = Episode.TestCase
TestEpisode.settings = settings(
    max_examples=int(os.environ.get("QUARTERDECK_EPISODES", "60")),
    stateful_step_count=50,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
