"""Whatever people click, edit and decree, whatever is seen meanwhile, and wherever the runner dies: no step
reaches the robot without a live approval that matches it, and none twice.

The whole loop plays on the real grid; each life of the runner knows the journal alone. The watcher judges the
journal event by event, and the robot keeps its own account of what it was sent.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import (
    Approve,
    AskAgain,
    Edit,
    Guide,
    Hold,
    Instruct,
    Propose,
    Reject,
    Release,
    SetPolicy,
    TakeConn,
)
from backend.domain.command.policy import Policy, PolicyMode, RiskRules
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import ACTIVE, Source
from backend.domain.plans.plan import Step
from tests.domain.scripted import approving
from tests.domain.watcher import Watcher
from tests.usecases.crashing import POINTS, Mortal

MODES: tuple[PolicyMode, ...] = ("every_plan", "every_skill", "on_risk", "auto")
RULES = st.builds(
    RiskRules,
    confidence_below=st.sampled_from([None, 0.6, 0.95]),
    belief_older_s=st.sampled_from([None, 15.0]),
    skills=st.sampled_from([(), ("grasp",), ("garsp",)]),
)
POLICIES = st.builds(Policy, mode=st.sampled_from(MODES), risk=RULES)
WHO = st.sampled_from([("ada", "operator")] * 4 + [("bob", "operator"), ("watcher", "viewer")])

Change = Callable[[tuple[Step, ...]], tuple[Step, ...]]
CHANGES: dict[str, Change] = {
    "shorter": lambda steps: steps[:-1],
    "exchanged": lambda steps: (*steps[1:2], *steps[:1], *steps[2:]),
    "only the first": lambda steps: steps[:1],
    "a search first": lambda steps: (Step("explore", {"cell": (0.0, 0.0)}), *steps),
    "as it is": lambda steps: steps,
    "nonsense": lambda steps: (Step("grasp", {"target": "nobody"}),),
}


class Commanded(RuleBasedStateMachine):
    @initialize(
        policy=POLICIES, expires_s=st.sampled_from([None, None, 20.0]), seed=st.sampled_from([1, 2, 3])
    )
    def open(self, policy: Policy, expires_s: float | None, seed: int) -> None:
        mortal_policy = replace(policy, risk=replace(policy.risk, skills=()))
        self.runner = Mortal(mortal_policy, expires_s, seed)
        self.watcher = Watcher(self.runner.loop.state.site.metric)
        self.before = evolve(None, self.runner.episode.events[0])
        self.judged = 1
        self.page: Edit | None = None
        self.stops = 0

    @property
    def state(self) -> State:
        return self.runner.state

    @rule(times=st.sampled_from([1, 1, 2, 3, 8, 25]))
    def go_on(self, times: int) -> None:
        self.runner.tick(times)

    @rule(point=st.sampled_from(["now", *POINTS]))
    def die(self, point: str) -> None:
        if point == "now":
            self.runner.revive()
        else:
            self.runner.fuse.lit = point

    @rule(seconds=st.sampled_from([0.5, 1.0, 1.0, 3.0, 25.0]))
    def wait(self, seconds: float) -> None:
        self.runner.clock[0] += seconds

    @precondition(lambda self: any(r.status in ACTIVE for r in self.state.memory.records.values()))
    @rule(nth=st.integers(0, 5), moved_m=st.sampled_from([0.0, 1.0, 2.0]), q=st.sampled_from([0.4, 0.7, 1.0]))
    def see(self, nth: int, moved_m: float, q: float) -> None:
        records = [r for r in self.state.memory.ordered() if r.status in ACTIVE]
        record = records[nth % len(records)]
        sighting = Evidence(
            cls=record.cls,
            pose=replace(record.pose, x_m=max(0.0, record.pose.x_m - moved_m)),
            confidence=q,
            source=Source.ONBOARD,
            stamp_s=self.state.met_s,
            entity=record.id,
            sensed_by="rover",
        )
        self.runner.robot.sightings.append(sighting)

    @precondition(lambda self: self.state.approval is not None and self.state.plan is not None)
    @rule()
    def look(self) -> None:
        """A page is opened, and stays as it is."""
        approval, plan = self.state.approval, self.state.plan
        assert approval is not None
        assert plan is not None
        self.page = Edit(
            approval_id=approval.id,
            plan_digest=approval.pins.plan_digest,
            pins_digest=approval.pins_digest,
            steps=plan.steps[self.state.cursor :],
            seen_seq=self.state.seq,
        )

    @property
    def officer(self) -> str:
        """Whoever has the conn, or would be given it."""
        return self.state.conn.holder if self.state.conn is not None else "ada"

    @precondition(lambda self: self.waits())
    @rule(then=st.sampled_from([0, 1, 2]))
    def approve_what_waits(self, then: int) -> None:
        assert self.state.approval is not None
        self.runner.click(approving(self.state.approval), self.officer)
        self.runner.tick(then)

    @precondition(lambda self: self.waits())
    @rule(change=st.sampled_from(sorted(CHANGES)), then=st.sampled_from([0, 1, 2]))
    def edit_what_waits(self, change: str, then: int) -> None:
        self.look()
        self.edit_the_page((self.officer, "operator"), change)
        self.runner.tick(then)

    @rule(mode=st.sampled_from(MODES), then=st.sampled_from([0, 1, 1, 2]))
    def decree_anew(self, mode: PolicyMode, then: int) -> None:
        policy = replace(self.state.policy, mode=mode)
        self.runner.click(SetPolicy(policy=policy, shown=self.state.policy.digest), self.officer)
        self.runner.tick(then)

    @precondition(lambda self: bool(self.state.stops))
    @rule(then=st.sampled_from([0, 1, 2]))
    def release_what_is_held(self, then: int) -> None:
        self.runner.tick()
        self.runner.click(Release(stop_ids=tuple(each.id for each in self.state.stops)), self.officer)
        self.runner.tick(then)

    @precondition(lambda self: self.page is not None)
    @rule(who=WHO, late=st.sampled_from([10.0, 10.0, -1.0]))
    def approve_the_page(self, who: tuple[str, str], late: float) -> None:
        assert self.page is not None
        self.runner.click(approving_page(self.page), *who, late)

    @precondition(lambda self: self.page is not None)
    @rule(who=WHO, change=st.sampled_from(sorted(CHANGES)))
    def edit_the_page(self, who: tuple[str, str], change: str) -> None:
        assert self.page is not None
        self.runner.click(replace(self.page, steps=CHANGES[change](self.page.steps)), *who)

    @precondition(lambda self: self.state.request is not None or bool(self.state.asks_person))
    @rule(who=WHO)
    def plan_by_hand(self, who: tuple[str, str]) -> None:
        steps = (Step("explore", {"cell": (0.0, 0.0)}),)
        self.runner.click(Propose(steps=steps, seen_seq=self.state.seq), *who)

    @rule(who=WHO, policy=POLICIES, stale=st.sampled_from([False, False, False, True]))
    def decree(self, who: tuple[str, str], policy: Policy, stale: bool) -> None:
        shown = "" if stale else self.state.policy.digest
        self.runner.click(SetPolicy(policy=policy, shown=shown), *who)

    @rule(who=WHO, what=st.sampled_from(["hold", "deny", "deny the page", "release", "ask", "take", "say"]))
    def command(self, who: tuple[str, str], what: str) -> None:
        self.stops += 1
        stop, state = f"s{self.stops}", self.state
        approval = state.approval.id if state.approval is not None else ""
        shown = self.page.approval_id if self.page is not None else approval
        action = {
            "hold": Hold(stop_id=stop, reason="People"),
            "deny": Reject(approval_id=approval, reason="No.", stop_id=stop),
            "deny the page": Reject(approval_id=shown, reason="No.", stop_id=stop),
            "release": Release(stop_ids=tuple(each.id for each in state.stops)),
            "ask": AskAgain(),
            "take": TakeConn(over=state.conn.holder if state.conn is not None else None),
            "say": Instruct(text=f"Slowly {self.stops}.", shown=state.instructions)
            if self.stops % 2
            else Guide(text="Left."),
        }[what]
        self.runner.click(action, *who, -1.0 if what in ("hold", "deny") else 10.0)

    def waits(self) -> bool:
        approval = self.state.approval
        return approval is not None and approval.status is ApprovalStatus.PENDING

    @invariant()
    def the_journal_lets_nothing_go_that_nobody_let_go(self) -> None:
        if not hasattr(self, "runner"):
            return
        for recorded in self.runner.episode.events[self.judged :]:
            self.before = self.watcher.see(self.before, recorded)
        self.judged = len(self.runner.episode.events)
        assert self.before == self.state, "the runner believes something that the journal does not say"

    @invariant()
    def the_robot_was_sent_what_was_committed_and_nothing_twice(self) -> None:
        if not hasattr(self, "runner"):
            return
        robot = self.runner.robot
        assert len(set(robot.sent)) == len(robot.sent), "sent twice"
        assert all(robot.committed), "sent before it was committed"
        assert set(robot.sent) <= self.watcher.let_go, "sent though the journal never let it go"


def approving_page(page: Edit) -> Approve:
    return Approve(approval_id=page.approval_id, plan_digest=page.plan_digest, pins_digest=page.pins_digest)


TestCommanded = Commanded.TestCase
TestCommanded.settings = settings(
    max_examples=int(os.environ.get("QUARTERDECK_CRASHES", "80")),
    stateful_step_count=50,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
