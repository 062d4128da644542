"""The journal's events. An event carries results, never rules: a changed threshold cannot change history.

The tag is the event's kind, `subject.verb`. Fields may be added with a default; a change of meaning raises
the version in `VERSIONS` and adds an upcaster in `backend.persistence.upcasters`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from backend.domain.command.approval import Approval
from backend.domain.command.policy import Policy
from backend.domain.episode.conn_events import ConnAsked as ConnAsked
from backend.domain.episode.conn_events import ConnGivenUp as ConnGivenUp
from backend.domain.episode.conn_events import ConnKept as ConnKept
from backend.domain.episode.conn_events import ConnLapsed as ConnLapsed
from backend.domain.episode.conn_events import ConnRenewed as ConnRenewed
from backend.domain.episode.conn_events import ConnTaken as ConnTaken
from backend.domain.episode.demonstration_events import DemonstrationAnswered as DemonstrationAnswered
from backend.domain.episode.demonstration_events import DemonstrationRecorded as DemonstrationRecorded
from backend.domain.episode.demonstration_events import DemonstrationRefused as DemonstrationRefused
from backend.domain.episode.demonstration_events import DemonstrationShown as DemonstrationShown
from backend.domain.execution.frames import WatchedFrames
from backend.domain.execution.outcome import Outcome
from backend.domain.geometry import Pose
from backend.domain.memory.corrections import Correction
from backend.domain.memory.evidence import Evidence, Verdict
from backend.domain.memory.record import EntityRecord, Field, FieldChange, Source
from backend.domain.memory.retrieval import Retrieval
from backend.domain.mission.mission import Mission
from backend.domain.mission.site import GridMap, Site
from backend.domain.mission.table import Table
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Plan, Step
from backend.domain.plans.validity import Cause
from backend.domain.query.query import Attempt, Block


class EpisodeOpened(Struct, frozen=True, kw_only=True, tag="episode.opened"):
    """Embeds everything the episode rests on, so that the journal alone explains it.

    `held`: what was measured to be in the gripper already, by the robot's own id for it. `table`: of a world
    that sets a task at one; left out, in writing too, of any other.
    """

    episode: str
    mission: Mission
    site: Site
    catalogue: Catalogue
    robot: str
    robot_pose: Pose
    planner: str
    seed: int
    code_version: str
    held: str | None = None
    table: Table | UnsetType = UNSET


class EvidenceJudged(Struct, frozen=True, kw_only=True, tag="evidence.judged"):
    """`entity` is the record it was about, or the id it would have had. `times` counts coalesced repetitions.

    `unsupported`: refused before anything about the entity was ever accepted;
    the record shows it, the planner never.
    """

    entity: str
    evidence: Evidence
    verdict: Verdict
    reason: str
    changes: tuple[FieldChange, ...] = ()
    unsupported: bool = False
    times: int = 1


class StationAssigned(Struct, frozen=True, kw_only=True, tag="station.assigned"):
    cls: str
    station: str
    entity: str
    reason: str


class PlanRequested(Struct, frozen=True, kw_only=True, tag="plan.requested"):
    """A call to the planner: why, what was retrieved,
    and the blocks as sent (empty where nobody reads text)."""

    decision: int
    attempt: int
    cause: Cause
    retrieval: Retrieval
    context_units: int
    blocks: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()


class ExchangeRecorded(Struct, frozen=True, kw_only=True, tag="exchange.recorded"):
    decision: int
    attempt: int
    number: int
    exchange: Attempt


class NoteWritten(Struct, frozen=True, kw_only=True, tag="note.written"):
    decision: int
    author: str
    text: str


class PlanProposed(Struct, frozen=True, kw_only=True, tag="plan.proposed"):
    plan: Plan


class PlanRefused(Struct, frozen=True, kw_only=True, tag="plan.refused"):
    """The validator's findings, or the planner's failure, to one reply. Nothing of it is dispatched."""

    decision: int
    attempt: int
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    failure: str = ""
    will_repair: bool = False


class PlanInvalidated(Struct, frozen=True, kw_only=True, tag="plan.invalidated"):
    number: int
    cause: Cause


class PlanCompleted(Struct, frozen=True, kw_only=True, tag="plan.completed"):
    number: int


class PlanningWanted(Struct, frozen=True, kw_only=True, tag="planning.wanted"):
    """A plan is to be asked for although none just ended: a person said so, or a rejection left none."""

    cause: Cause


class ApprovalRequested(Struct, frozen=True, kw_only=True, tag="approval.requested"):
    approval: Approval


class ApprovalGranted(Struct, frozen=True, kw_only=True, tag="approval.granted"):
    approval_id: str
    by: str


class ApprovalRejected(Struct, frozen=True, kw_only=True, tag="approval.rejected"):
    approval_id: str
    by: str
    reason: str


class ApprovalEdited(Struct, frozen=True, kw_only=True, tag="approval.edited"):
    """A person changed the plan instead of deciding on it.
    What they made of it is proposed next, and asked anew."""

    approval_id: str
    by: str
    plan_digest: str


class ApprovalSuperseded(Struct, frozen=True, kw_only=True, tag="approval.superseded"):
    approval_id: str
    cause: Cause


class ApprovalExpired(Struct, frozen=True, kw_only=True, tag="approval.expired"):
    approval_id: str


class ApprovalConsumed(Struct, frozen=True, kw_only=True, tag="approval.consumed"):
    approval_id: str
    reason: str


class StepDispatched(Struct, frozen=True, kw_only=True, tag="step.dispatched"):
    """Intent becomes motion here alone.
    `goal` is the place the step was grounded to, from memory or the site."""

    dispatch_id: str
    epoch: int
    approval_id: str
    plan_number: int
    plan_digest: str
    index: int
    step: Step
    goal: Pose | None


class StepEnded(Struct, frozen=True, kw_only=True, tag="step.ended"):
    """The measured outcome, the record fields it advanced, and whether the plan had predicted them."""

    outcome: Outcome
    changes: tuple[FieldChange, ...] = ()
    predicted: bool = True


class StepCancelAsked(Struct, frozen=True, kw_only=True, tag="step.cancel_asked"):
    dispatch_id: str
    reason: str


class DispatchInDoubt(Struct, frozen=True, kw_only=True, tag="dispatch.in_doubt"):
    """The bridge's ledger is lost: only a person can say what became of the dispatch."""

    dispatch_id: str
    reason: str


class FramesRecorded(Struct, frozen=True, kw_only=True, tag="frames.recorded"):
    dispatch_id: str
    watched: WatchedFrames


class StopAsked(Struct, frozen=True, kw_only=True, tag="stop.asked"):
    stop_id: str
    by: str
    reason: str
    abort: bool = False


class StopConfirmed(Struct, frozen=True, kw_only=True, tag="stop.confirmed"):
    stop_id: str
    pose: Pose | None


class StopUnconfirmed(Struct, frozen=True, kw_only=True, tag="stop.unconfirmed"):
    """No measured standstill within the bound: an alarm, not an answer."""

    stop_id: str
    waited_s: float


class StopReleased(Struct, frozen=True, kw_only=True, tag="stop.released"):
    stop_ids: tuple[str, ...]
    by: str


class RobotObserved(Struct, frozen=True, kw_only=True, tag="robot.observed"):
    """Where a robot that others drive has got to: in shadow no outcome of ours tells it."""

    pose: Pose


class SiteMapped(Struct, frozen=True, kw_only=True, tag="site.mapped"):
    """The robot maps the site as it goes: `map` is the site's from now on, other in `cells` cells. `version`:
    the site's, one more where a place that the plan goes to was blocked or freed."""

    map: GridMap
    cells: int
    version: int


class GuidanceGiven(Struct, frozen=True, kw_only=True, tag="guidance.given"):
    by: str
    text: str


class InstructionsChanged(Struct, frozen=True, kw_only=True, tag="instructions.changed"):
    by: str
    text: str


class PolicyChanged(Struct, frozen=True, kw_only=True, tag="policy.changed"):
    by: str
    old: Policy
    new: Policy


class IntentRefused(Struct, frozen=True, kw_only=True, tag="intent.refused"):
    """The attempt is kept: who wanted what, and why it was refused."""

    intent_id: str
    by: str
    action: str
    code: str
    message: str
    remedy: str


class RecordCorrected(Struct, frozen=True, kw_only=True, tag="record.corrected"):
    """A person said otherwise than memory did: the records as they are from then on, and what changed.

    `reason`: the person's own; `judged`: by which rule it was taken. `evidence`: what was said of a place or
    class. `station`: where something was delivered by hand. `origin`: what a new record was split from.
    `undoes`: the correction that it takes back.
    """

    by: str
    correction: Correction
    reason: str
    judged: str
    records: tuple[EntityRecord, ...]
    changes: tuple[FieldChange, ...] = ()
    evidence: Evidence | None = None
    station: str = ""
    origin: str = ""
    undoes: int | None = None


class RecordDisputed(Struct, frozen=True, kw_only=True, tag="record.disputed"):
    """A source says otherwise than `by` did. `kept`: the person's word stands, for the `reason` given."""

    entity: str
    field: Field
    by: str
    claim: Pose | str
    source: Source
    sensed_by: str
    kept: bool
    reason: str


class RecordSettled(Struct, frozen=True, kw_only=True, tag="record.settled"):
    """The source that disputed the field now says the same."""

    entity: str
    field: Field
    reason: str


class RunnerStarted(Struct, frozen=True, kw_only=True, tag="runner.started"):
    """`ledger_id` is the bridge's: another one later means that the bridge has lost its memory."""

    epoch: int
    code_version: str
    ledger_id: str = ""


Ended = Literal["completed", "budget", "aborted", "failed"]


class EpisodeEnded(Struct, frozen=True, kw_only=True, tag="episode.ended"):
    """`held` says what the robot still holds. `failed`: the world judged its task so."""

    outcome: Ended
    message: str
    held: str | None
    delivered: int
    total: int


Event = (
    EpisodeOpened
    | EvidenceJudged
    | StationAssigned
    | PlanRequested
    | ExchangeRecorded
    | NoteWritten
    | PlanProposed
    | PlanRefused
    | PlanInvalidated
    | PlanCompleted
    | PlanningWanted
    | ApprovalRequested
    | ApprovalGranted
    | ApprovalRejected
    | ApprovalEdited
    | ApprovalSuperseded
    | ApprovalExpired
    | ApprovalConsumed
    | StepDispatched
    | StepEnded
    | StepCancelAsked
    | DispatchInDoubt
    | FramesRecorded
    | StopAsked
    | StopConfirmed
    | StopUnconfirmed
    | StopReleased
    | RobotObserved
    | SiteMapped
    | ConnTaken
    | ConnRenewed
    | ConnGivenUp
    | ConnAsked
    | ConnKept
    | ConnLapsed
    | GuidanceGiven
    | InstructionsChanged
    | PolicyChanged
    | IntentRefused
    | RecordCorrected
    | RecordDisputed
    | RecordSettled
    | DemonstrationRecorded
    | DemonstrationShown
    | DemonstrationAnswered
    | DemonstrationRefused
    | RunnerStarted
    | EpisodeEnded
)

VERSIONS: Mapping[str, int] = {}
"""Kinds whose payload is past version 1."""


class Recorded(Struct, frozen=True, kw_only=True):
    """An event in its place. Order is `seq` alone; `met_s` is the world's clock.

    `actor`: planner, robot, policy, system, or operator:NAME. `meta` (latencies, provider ids; the wall clock
    is added by the journal) differs between runs of the same episode and stays outside the content digest.
    """

    seq: int
    met_s: float
    actor: str
    event: Event
    meta: Mapping[str, Any] | None = None


def kind_of(event: Event) -> str:
    return str(type(event).__struct_config__.tag)
