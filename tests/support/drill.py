"""An episode driven by hand through the real `tick`, without world, planner or runner.

Every move is possible at any time; what makes no sense just then is refused by `decide` or changes nothing.
So any list of moves is a valid journal, which is what property tests need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import (
    Abort,
    Action,
    Approve,
    AskAgain,
    Correct,
    Edit,
    GiveUpConn,
    Guide,
    Hold,
    Instruct,
    Intent,
    Reject,
    Release,
    Resolve,
    SetPolicy,
    Settlement,
    TakeConn,
)
from backend.domain.command.policy import Policy, PolicyMode, RiskRules
from backend.domain.decide.blast import Blast
from backend.domain.decide.correcting import rehearse
from backend.domain.decide.tick import tick
from backend.domain.decide.turn import Doubt, Inputs, StandstillReport
from backend.domain.episode.events import EpisodeOpened, Recorded, RunnerStarted
from backend.domain.episode.evolve import fold
from backend.domain.episode.state import State
from backend.domain.execution.frames import Frame, WatchedFrames
from backend.domain.execution.outcome import Measured, Outcome, Result
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.corrections import (
    Add,
    Correction,
    Lock,
    Merge,
    Move,
    Reclass,
    Remove,
    SetStatus,
    Split,
    Undo,
    Unlock,
    named,
)
from backend.domain.memory.evidence import Evidence
from backend.domain.memory.record import ACTIVE, Source, Status
from backend.domain.mission.mission import Mission, World
from backend.domain.mission.site import GridMap, Site, Station
from backend.domain.plans.catalogue import Argument, ArgumentType, Catalogue, Skill
from backend.domain.plans.plan import Step, Watch
from backend.domain.query.query import Attempt, AttemptMeta, Proposal, Reply, Usage

NOW_S = 1_800_000_000.0
ENTITY, STATION, CELL = ArgumentType.ENTITY, ArgumentType.STATION, ArgumentType.CELL

SITE = Site(
    name="yard",
    map=GridMap(width=8, height=8, cell_m=1.0, occupied=((3, 3),)),
    metric=Metric(kind="manhattan", length_m=1.0, tolerance_m=0.0),
    stations=(
        Station(id="station_west", pose=Pose(0.0, 7.0), accepts=("bottle",)),
        Station(id="station_east", pose=Pose(7.0, 7.0), accepts=("can",)),
    ),
)
CATALOGUE = Catalogue(
    skills=(
        Skill(
            name="navigate",
            description="Drive.",
            arguments=(Argument(name="to", types=(ENTITY, STATION, CELL)),),
        ),
        Skill(name="grasp", description="Pick up.", arguments=(Argument(name="target", types=(ENTITY,)),)),
        Skill(
            name="deliver",
            description="Set down.",
            arguments=(Argument(name="object", types=(ENTITY,)), Argument(name="station", types=(STATION,))),
        ),
        Skill(
            name="explore",
            description="Look.",
            arguments=(Argument(name="cell", types=(CELL,)),),
            may_watch=True,
        ),
    ),
    cameras=("overhead",),
)
MISSION = Mission(
    name="drill",
    title="Drill",
    goal="Every container stands at its station.",
    completion="All containers delivered and nothing held.",
    world=World(name="grid", scenario="drill"),
    total=3,
)
ENTITIES = (("bottle_1", "bottle"), ("can_1", "can"), ("bottle_2", "bottle"))
TEXTS = ("ok", "", "zwölf ⚓ \U0001f6a2", "nul \x00 inside", "<script>alert(1)</script>", "a\nb\t\u2028c")


@dataclass(frozen=True)
class Commit:
    """What one tick gives a journal: the intents it saw, its events, what became of the intents."""

    intents: tuple[Intent, ...]
    events: tuple[Recorded, ...]
    settled: tuple[Settlement, ...]


@dataclass
class Drill:
    """Call moves by name: `drill.move("evidence", 3)`; the number picks one of the move's variants."""

    episode: str = "drill"
    mission: Mission = MISSION
    epoch: int = 1
    commits: list[Commit] = field(default_factory=list)
    met_s: float = 0.0
    moves: int = 0

    def __post_init__(self) -> None:
        opened = EpisodeOpened(
            episode=self.episode, mission=self.mission, site=SITE, catalogue=CATALOGUE, robot="rover",
            robot_pose=Pose(1.0, 1.0), planner="policy", seed=7, code_version="test",
        )  # fmt: skip
        started = RunnerStarted(epoch=self.epoch, code_version="test")
        first = (
            Recorded(seq=1, met_s=0.0, actor="system", event=opened),
            Recorded(seq=2, met_s=0.0, actor="system", event=started),
        )
        self.state: State = fold(first)
        self.commits.append(Commit((), first, ()))

    @property
    def events(self) -> list[Recorded]:
        return [recorded for commit in self.commits for recorded in commit.events]

    def move(self, name: str, n: int = 0) -> None:
        self.moves += 1
        self.met_s += 1.0
        MOVES[name](self, n)

    def run(self, moves: Sequence[tuple[str, int]]) -> Drill:
        for name, n in moves:
            self.move(name, n)
        return self

    def tick(self, **arrived: object) -> None:
        inputs = Inputs(met_s=self.met_s, now_s=NOW_S + self.met_s, **arrived)
        result = tick(self.state, inputs)
        self.state = result.state
        if result.events or result.settled:
            self.commits.append(Commit(inputs.intents, result.events, result.settled))

    def intent(self, action: Action, *, actor: str = "ada", role: str = "operator") -> None:
        intent = Intent(
            id=f"{self.episode}-i{self.moves}",
            actor=actor,
            role=role,
            action=action,
            not_after_s=NOW_S + self.met_s + 10,
        )
        self.tick(intents=(intent,))


def _evidence(drill: Drill, n: int) -> None:
    entity, cls = ENTITIES[n % 3]
    source = (Source.INITIAL, Source.ONBOARD, Source.AERIAL, Source.AERIAL)[n % 4]
    drill.tick(
        evidence=(
            Evidence(
                cls=cls,
                pose=Pose(float(n % 7), float(n // 7 % 6)),
                confidence=(1.0, 0.9, 0.7, 0.3)[n % 4],
                source=source,
                stamp_s=max(0.0, drill.met_s - n % 5),
                entity=entity,
                sensed_by="drone" if source is Source.AERIAL else "rover",
            ),
        )
    )


def _reply(drill: Drill, n: int) -> None:
    """A plan for what the planner may see; every fifth is nonsense, every seventh no answer at all."""
    request = drill.state.request
    if request is None:
        return drill.tick()
    attempt = Attempt(
        verdict="failed" if n % 7 == 6 else "ok",
        detail=TEXTS[n % len(TEXTS)],
        model="test",
        request={"input": [TEXTS[n % len(TEXTS)]], "n": n},
        usage=Usage(input_tokens=100, output_tokens=20, total_tokens=120),
        cost_usd=0.001,
    )
    proposal = Proposal(
        rationale=TEXTS[n % len(TEXTS)], note=TEXTS[(n + 1) % len(TEXTS)], steps=_steps(drill, n)
    )
    reply = Reply(
        decision=request.decision,
        attempt=request.attempt,
        proposal=None if n % 7 == 6 else proposal,
        attempts=(attempt,),
        metas=(AttemptMeta(latency_s=0.25 * n, request_id=f"r{n}"),),
    )
    return drill.tick(replies=(reply,))


def _steps(drill: Drill, n: int) -> tuple[Step, ...]:
    state = drill.state
    if n % 5 == 4:
        return (Step("grasp", {"target": "nobody"}), Step("dance", {}))
    held = state.robot.held
    target = held or _visible(drill)
    if target is None:
        return (Step("explore", {"cell": (float(n % 8), 0.0)}, Watch(((10.0, 20.0),), "overhead")),)
    station = state.assignments[state.memory.records[target].cls]
    put = (Step("navigate", {"to": station}), Step("deliver", {"object": target, "station": station}))
    return put if held else (Step("navigate", {"to": target}), Step("grasp", {"target": target}), *put)


def _visible(drill: Drill) -> str | None:
    state = drill.state
    exposed = state.request.retrieval.exposed if state.request else ()
    return next((entity for entity in exposed if state.memory.records[entity].status in ACTIVE), None)


def _outcome(drill: Drill, n: int) -> None:
    """How the step in flight ended: mostly as it should."""
    dispatch, state = drill.state.dispatch, drill.state
    if dispatch is None:
        return drill.tick()
    result = (Result.SUCCEEDED, Result.SUCCEEDED, Result.SUCCEEDED, Result.FAILED, Result.STOPPED)[n % 5]
    done, skill = result is Result.SUCCEEDED, dispatch.step.skill
    held = state.robot.held
    if done and skill == "grasp":
        held = str(dispatch.step.arguments["target"])
    elif done and skill == "deliver":
        held = None
    pose = dispatch.goal if done and dispatch.goal is not None else state.robot.pose
    frames = None
    if n % 2:
        shots = tuple(
            Frame(
                sha256=f"{i:064x}",
                width_px=512,
                height_px=512,
                camera="overhead",
                step=i,
                share=i / 10,
                returned=i > 1,
            )
            for i in range(3)
        )
        frames = WatchedFrames(camera="overhead", watch=dispatch.step.watch, frames=shots, withheld=1)
    outcome = Outcome(
        dispatch_id=dispatch.id,
        skill=skill,
        result=result,
        reason="arrived" if done else ("absent" if n % 2 else "slipped"),
        message=TEXTS[n % len(TEXTS)],
        started_s=dispatch.met_s,
        ended_s=drill.met_s,
        measured=Measured(pose=pose, held=held, path_m=((pose.x_m, pose.y_m),), moves=n % 4),
        frames=frames,
    )
    return drill.tick(outcomes=(outcome,))


def _approve(drill: Drill, n: int) -> None:
    """The plan that is shown; every fourth click is for a page gone stale."""
    approval = drill.state.approval
    if approval is None or approval.status is not ApprovalStatus.PENDING:
        return drill.tick()
    digest = approval.pins.plan_digest if n % 4 else "stale"
    return drill.intent(
        Approve(approval_id=approval.id, plan_digest=digest, pins_digest=approval.pins_digest)
    )


def _stop_id(drill: Drill) -> str:
    return f"stop-{drill.moves}"


def _reject(drill: Drill, n: int) -> None:
    approval = drill.state.approval
    drill.intent(
        Reject(
            approval_id=approval.id if approval else "none",
            reason=TEXTS[n % len(TEXTS)],
            stop_id=_stop_id(drill),
        )
    )


def _standstill(drill: Drill, n: int) -> None:
    stop_id = drill.state.stops[0].id if drill.state.stops else f"watchdog-{drill.moves}"
    drill.tick(standstills=(StandstillReport(stop_id=stop_id, pose=Pose(2.0, 2.0), by="watchdog"),))


def _unconfirmed(drill: Drill, n: int) -> None:
    drill.tick(stop_waits_s={stop.id: 1.5 for stop in drill.state.stops})


def _doubt(drill: Drill, n: int) -> None:
    dispatch = drill.state.dispatch
    drill.tick(
        doubts=() if dispatch is None else (Doubt(dispatch_id=dispatch.id, reason="The ledger is lost."),)
    )


def _resolve(drill: Drill, n: int) -> None:
    dispatch = drill.state.dispatch
    drill.intent(
        Resolve(
            dispatch_id=dispatch.id if dispatch else "none",
            executed=bool(n % 2),
            account=TEXTS[n % len(TEXTS)],
        )
    )


def _edit(drill: Drill, n: int) -> None:
    """What is left of the plan without its last step, or with another place to go first."""
    approval, plan = drill.state.approval, drill.state.plan
    if approval is None or plan is None:
        return drill.tick()
    left = plan.steps[drill.state.cursor :]
    steps = left[:-1] if n % 2 else (Step("navigate", {"to": "station_west"}), *left)
    return drill.intent(
        Edit(
            approval_id=approval.id,
            plan_digest=approval.pins.plan_digest,
            pins_digest=approval.pins_digest,
            steps=steps,
            seen_seq=drill.state.seq,
            rationale=TEXTS[n % 6],
        )
    )


def _set_policy(drill: Drill, n: int) -> None:
    modes: tuple[PolicyMode, ...] = ("every_plan", "every_skill", "on_risk", "auto")
    rules = RiskRules(confidence_below=n / 10 % 1, skills=("grasp", "dance")[n % 5 // 4 :][:1])
    policy = Policy(mode=modes[n % 4], risk=rules)
    drill.intent(SetPolicy(policy=policy, shown=drill.state.policy.digest if n % 7 else "stale"))


def _correct(drill: Drill, n: int) -> None:
    """What a person says of memory, confirmed as it was shown; every ninth from a page gone stale."""
    entity, cls = ENTITIES[n % 3]
    other = ENTITIES[(n + 2) % 3][0]
    place = {"x_m": float(n % 7), "y_m": float(n // 7 % 6)}
    last = drill.state.corrections[-1].seq if drill.state.corrections else 1
    said: tuple[Correction, ...] = (
        Move(entity=entity, **place, lock=bool(n % 2)),
        Reclass(entity=entity, cls=("bottle", "can")[n % 2]),
        SetStatus(entity=entity, status=(Status.LOST, Status.OBSERVED, Status.DELIVERED)[n % 3]),
        Undo(seq=last),
        Add(cls=cls, **place),
        Lock(entity=entity, field="pose"),
        Merge(entity=entity, absorbed=other),
        Split(entity=entity, cls=cls, **place),
        Unlock(entity=entity, field="pose"),
        Remove(entity=entity),
    )
    correction, records = said[n % len(said)], drill.state.memory.records
    blast = rehearse(drill.state, correction, "ada", drill.met_s)
    seen = {each: records[each].revision for each in named(correction) if each in records}
    drill.intent(
        Correct(
            correction=correction,
            seen=seen if n % 9 else {},
            blast=blast.digest if isinstance(blast, Blast) else "",
            reason=TEXTS[n % 6],
        )
    )


MOVES: Mapping[str, Callable[[Drill, int], None]] = {
    "evidence": _evidence,
    "reply": _reply,
    "approve": _approve,
    "outcome": _outcome,
    "wait": lambda drill, n: drill.tick(),
    "hold": lambda drill, n: drill.intent(Hold(stop_id=_stop_id(drill), reason=TEXTS[n % 6]), role="viewer"),
    "release": lambda drill, n: drill.intent(Release(stop_ids=tuple(stop.id for stop in drill.state.stops))),
    "reject": _reject,
    "standstill": _standstill,
    "unconfirmed": _unconfirmed,
    "doubt": _doubt,
    "resolve": _resolve,
    "edit": _edit,
    "set_policy": _set_policy,
    "instruct": lambda drill, n: drill.intent(Instruct(text=TEXTS[n % 6], shown=drill.state.instructions)),
    "correct": _correct,
    "guide": lambda drill, n: drill.intent(Guide(text=TEXTS[n % 6])),
    "take": lambda drill, n: drill.intent(TakeConn(over="ada"), actor=("ada", "bob")[n % 2]),
    "give_up": lambda drill, n: drill.intent(GiveUpConn()),
    "ask_again": lambda drill, n: drill.intent(AskAgain()),
    "abort": lambda drill, n: drill.intent(Abort(stop_id=_stop_id(drill), reason="enough")),
}

CYCLE = (("reply", 0), ("approve", 1), ("outcome", 1), ("outcome", 0), ("outcome", 2), ("outcome", 1))
"""Plans, approves and executes one delivery of four steps."""

WHOLE = (
    ("evidence", 0), ("evidence", 1), ("evidence", 3), ("evidence", 5), *CYCLE, ("reply", 4),
    ("reply", 0), ("guide", 2), ("approve", 0), ("take", 0), ("approve", 1), ("hold", 1), ("outcome", 4),
    ("unconfirmed", 0), ("standstill", 0), ("release", 0), ("reply", 1), ("reject", 3), ("ask_again", 0),
    ("release", 0), ("reply", 2), ("approve", 3), ("outcome", 3), ("reply", 6), ("ask_again", 0),
    ("evidence", 8), *CYCLE, ("reply", 1), ("approve", 1), ("doubt", 0), ("resolve", 1), ("release", 0),
    ("ask_again", 0), ("evidence", 2), ("reply", 0), ("evidence", 29), ("take", 0), ("give_up", 0),
    ("reply", 0), ("approve", 1), ("abort", 0), ("standstill", 0), ("outcome", 4), ("standstill", 0),
    ("wait", 0),
)  # fmt: skip
"""A long episode with something of everything in it."""


def whole(episode: str = "drill", policy: Policy = MISSION.policy) -> Drill:
    return Drill(episode=episode, mission=replace(MISSION, policy=policy)).run(WHOLE)
