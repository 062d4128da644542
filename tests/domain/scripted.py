"""An episode in the hands of a test: what happens is said in a line, and every tick is held to its own rules.

script = Scripted(opened(policy="auto"))
script.see("can_1", 3, 0)              # a report; the planner is asked
script.answer(*collect("can_1"))       # its plan; the first step is dispatched
script.end()                           # the step succeeds
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.command.approval import Approval
from backend.domain.command.conn import OnOperatorLoss
from backend.domain.command.intents import Action, Approve, Intent, Settlement
from backend.domain.command.policy import Policy, RiskRules
from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Doubt, Inputs, StandstillReport, Tick
from backend.domain.digests import canonical
from backend.domain.episode.events import EpisodeOpened, Event, Recorded, StepDispatched
from backend.domain.episode.evolve import evolve, fold
from backend.domain.episode.state import State
from backend.domain.execution.budgets import Budgets
from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.configuration import NAMED
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import EntityRecord, Source
from backend.domain.mission.mission import Mission, World
from backend.domain.mission.site import GridMap, Site, Station
from backend.domain.plans.plan import Step, Value, Watch
from backend.domain.query.query import Attempt, Proposal, Reply
from tests.domain.plans.samples import MOBILE

CANS, BOTTLES = "station_cans", "station_bottles"
SITE = Site(
    name="yard",
    map=GridMap(width=10, height=10, cell_m=1.0, occupied=((5, 5),)),
    metric=Metric("euclidean", 1.0, 0.05),
    stations=(
        Station(id=CANS, pose=Pose(0.0, 0.0), accepts=("can",)),
        Station(id=BOTTLES, pose=Pose(9.0, 9.0), accepts=("bottle",)),
    ),
    rules=("Keep clear of the gate.",),
)
OPERATOR, OTHER, VIEWER = "operator-1", "operator-2", "viewer-1"
START_S = 1000.0
"""The database's clock when a script begins."""


def opened(
    *,
    policy: str = "every_plan",
    risk: RiskRules | None = None,
    memory: str = "attention",
    total: int = 2,
    site: Site = SITE,
    budgets: Budgets | None = None,
    approval_expires_s: float | None = None,
    on_operator_loss: OnOperatorLoss = "go_on",
    **switches: Any,
) -> State:
    """The state right after `episode.opened`. `switches` override the memory configuration's."""
    mission = Mission(
        name="yard",
        title="Yard",
        goal="Bring every container to its station.",
        completion="All containers stand at their stations and nothing is held.",
        world=World(name="grid"),
        total=total,
        memory=replace(NAMED[memory], **switches),
        policy=Policy(mode=policy, risk=risk or RiskRules()),  # type: ignore[arg-type]
        budgets=budgets or Budgets(steps=None, decisions=None, tokens=None),
        approval_expires_s=approval_expires_s,
        on_operator_loss=on_operator_loss,
    )
    event = EpisodeOpened(
        episode="e1",
        mission=mission,
        site=site,
        catalogue=MOBILE,
        robot="rover",
        robot_pose=Pose(1.0, 1.0),
        planner="policy",
        seed=1,
        code_version="test",
    )
    return evolve(None, Recorded(seq=1, met_s=0.0, actor="system", event=event))


def step(skill: str, watch: Watch | None = None, **arguments: Value) -> Step:
    return Step(skill, arguments, watch)


def collect(entity: str, station: str = CANS) -> tuple[Step, ...]:
    return (
        step("navigate", to=entity),
        step("approach", target=entity),
        step("grasp", target=entity),
        step("navigate", to=station),
        step("deliver", object=entity, station=station),
    )


def report(
    entity: str | None,
    x_m: float,
    y_m: float,
    *,
    q: float = 0.9,
    source: Source = Source.AERIAL,
    stamp_s: float = 0.0,
    cls: str = "can",
    frame_id: str = "map",
) -> Evidence:
    return Evidence(
        cls=cls,
        pose=Pose(float(x_m), float(y_m), 0.0, frame_id),
        confidence=q,
        source=source,
        stamp_s=stamp_s,
        entity=entity,
        sensed_by="drone",
    )


class Scripted:
    """Ticks a state on. `now_s` is the database's clock, `met_s` the world's; both stand until moved."""

    def __init__(self, state: State, now_s: float = START_S, to_the_byte: bool = True) -> None:
        self.to_the_byte = to_the_byte
        self.state = state
        self.met_s = state.met_s
        self.now_s = now_s
        self.events: list[Recorded] = []
        self.told = 0

    def tick(self, **inputs: Any) -> Tick:
        given = Inputs(met_s=self.met_s, now_s=self.now_s, **inputs)
        result = tick(self.state, given)
        hold_to_the_rules(self.state, given, result, self.to_the_byte)
        self.state = result.state
        self.events += result.events
        return result

    def wait(self, seconds: float) -> Tick:
        """Both clocks go on."""
        self.met_s += seconds
        self.now_s += seconds
        return self.tick()

    def see(self, entity: str | None, x_m: float, y_m: float, **rest: Any) -> Tick:
        rest.setdefault("stamp_s", self.met_s)
        return self.tick(evidence=(report(entity, x_m, y_m, **rest),))

    def answer(self, *steps: Step, note: str = "", attempts: tuple[Attempt, ...] = ()) -> Tick:
        """The planner's reply to the request that is out; without a step, it failed."""
        request = self.state.request
        assert request is not None, "no plan is asked for"
        proposal = Proposal(rationale="Nearest first.", note=note, steps=steps) if steps else None
        reply = Reply(
            decision=request.decision, attempt=request.attempt, proposal=proposal, attempts=attempts
        )
        return self.tick(replies=(reply,))

    def click(
        self, action: Action, actor: str = OPERATOR, role: str = "operator", in_s: float = 10.0
    ) -> Settlement:
        """What becomes of the click."""
        return self.tick(intents=(self.intent(action, actor, role, in_s),)).settled[0]

    def intent(
        self, action: Action, actor: str = OPERATOR, role: str = "operator", in_s: float = 10.0
    ) -> Intent:
        self.told += 1
        return Intent(
            id=f"i{self.told}", actor=actor, role=role, action=action, not_after_s=self.now_s + in_s
        )

    def approve(self, actor: str = OPERATOR) -> Settlement:
        return self.click(approving(self.approval), actor)

    def end(
        self,
        result: Result = Result.SUCCEEDED,
        reason: str = "done",
        *,
        held: str | None = "as it should be",
        moves: int = 1,
        frames: WatchedFrames | None = None,
    ) -> Tick:
        """The step in flight ends `moves` seconds later. `held`: what is measured to be held then."""
        dispatch = self.state.dispatch
        assert dispatch is not None, "no step is in flight"
        before, self.met_s = self.met_s, self.met_s + moves
        went = result is Result.SUCCEEDED and dispatch.goal is not None
        pose = dispatch.goal if went else self.state.robot.pose
        holds = self._holds(dispatch.step, result) if held == "as it should be" else held
        measured = Measured(pose=pose, held=holds, gripper_open=holds is None, moves=moves)
        outcome = Outcome(
            dispatch_id=dispatch.id,
            skill=dispatch.step.skill,
            result=result,
            reason=reason,
            message="",
            started_s=before,
            ended_s=self.met_s,
            measured=measured,
            frames=frames,
        )
        return self.tick(outcomes=(outcome,))

    def _holds(self, ended: Step, result: Result) -> str | None:
        if result is Result.SUCCEEDED and ended.skill == "grasp":
            return str(ended.arguments["target"])
        return None if result is Result.SUCCEEDED and ended.skill == "deliver" else self.state.robot.held

    def stand_still(self, stop_id: str, by: str = "") -> Tick:
        report = StandstillReport(stop_id=stop_id, pose=self.state.robot.pose, by=by)
        return self.tick(standstills=(report,))

    def lose_the_ledger(self) -> Tick:
        assert self.state.dispatch is not None
        return self.tick(doubts=(Doubt(dispatch_id=self.state.dispatch.id, reason="The ledger is lost."),))

    @property
    def approval(self) -> Approval:
        assert self.state.approval is not None, "no approval was asked for"
        return self.state.approval

    def record(self, entity: str) -> EntityRecord:
        return self.state.memory.records[entity]

    def all(self, kind: type) -> list[Any]:
        """Every event of a kind so far."""
        return [recorded.event for recorded in self.events if isinstance(recorded.event, kind)]

    def last(self, kind: type) -> Any:
        return self.all(kind)[-1]


def approving(approval: Approval) -> Approve:
    """What a page posts that showed this approval."""
    return Approve(
        approval_id=approval.id, plan_digest=approval.pins.plan_digest, pins_digest=approval.pins_digest
    )


def kinds(result: Tick) -> list[str]:
    """The events of a tick by name, in order."""
    return [type(recorded.event).__name__ for recorded in result.events]


def event(result: Tick, kind: type) -> Any:
    """The one event of that kind in a tick."""
    (found,) = [recorded.event for recorded in result.events if isinstance(recorded.event, kind)]
    return found


def hold_to_the_rules(before: State, inputs: Inputs, result: Tick, to_the_byte: bool) -> None:
    """What is true of every tick, whatever happens in it."""
    assert [r.seq for r in result.events] == list(range(before.seq + 1, before.seq + 1 + len(result.events)))
    folded = fold(result.events, before)
    assert folded == result.state
    assert not to_the_byte or canonical(folded) == canonical(result.state)
    assert tick(before, inputs) == result
    assert sorted(s.intent_id for s in result.settled) == sorted(i.id for i in inputs.intents)
    dispatched: list[Event] = [r.event for r in result.events if isinstance(r.event, StepDispatched)]
    assert len(dispatched) <= 1
