"""State at a cursor: the fold of the journal up to it.
Frozen, so that a replayed moment cannot differ from a live one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from backend.domain.command.approval import Approval
from backend.domain.command.conn import Conn
from backend.domain.command.hold import Stop
from backend.domain.command.policy import Policy
from backend.domain.demonstration.film import Film
from backend.domain.demonstration.viewing import View as SegmentView
from backend.domain.demonstration.viewing import Viewing
from backend.domain.execution.budgets import Spent
from backend.domain.execution.frames import View, WatchedFrames
from backend.domain.execution.log import LogLine
from backend.domain.execution.notes import Note
from backend.domain.execution.outcome import Judgement, Outcome, Subgoal, Tool
from backend.domain.geometry import Pose
from backend.domain.memory.corrected import Corrected
from backend.domain.memory.record import Field
from backend.domain.memory.retrieval import Retrieval
from backend.domain.memory.store import Memory
from backend.domain.mission.mission import Mission
from backend.domain.mission.site import Site
from backend.domain.mission.table import Table
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Plan, Step
from backend.domain.plans.validity import Cause
from backend.domain.query.query import Block

STATE_VERSION = 5
"""Raised when the shape or the fold changes: snapshots of another version are thrown away."""


class Robot(Struct, frozen=True, kw_only=True):
    """As last measured by an outcome or a confirmed stop, and in shadow as its drivers move it.

    `held` is the entity in the gripper,
    `arrived` the entity or station it last went to and reached, while it stands there.
    """

    name: str
    pose: Pose
    held: str | None = None
    arrived: str | None = None


class Request(Struct, frozen=True, kw_only=True):
    """A plan that has been asked for and not answered yet.
    `attempt` counts from 1; the second is the repair.

    `view`: what is shown of a demonstration. Its answer is no plan, `decision` 0, and `attempt` counts views.
    """

    seq: int
    decision: int
    attempt: int
    cause: Cause
    retrieval: Retrieval
    findings: tuple[Finding, ...] = ()
    blocks: tuple[Block, ...] = ()
    view: SegmentView | None = None


class Dispatch(Struct, frozen=True, kw_only=True):
    """The one step in flight. `ledger_id`: the memory of the bridge that it was sent to."""

    id: str
    seq: int
    met_s: float
    epoch: int
    approval_id: str
    index: int
    step: Step
    goal: Pose | None
    ledger_id: str = ""
    cancel_asked: bool = False
    in_doubt: bool = False


class Guidance(Struct, frozen=True, kw_only=True):
    seq: int
    by: str
    text: str


class ActionFrames(Struct, frozen=True, kw_only=True):
    """What was recorded of an action, by its number in the execution log."""

    action: int
    watched: WatchedFrames


class Ending(Struct, frozen=True, kw_only=True):
    outcome: Literal["completed", "budget", "aborted", "failed"]
    message: str


class Tally(Struct, frozen=True, kw_only=True):
    """What an episode is measured by. `context_units` is the paper's proxy 48 + 18 n,
    summed over calls (section V-A)."""

    context_units: int = 0
    stale_visits: int = 0
    replans: int = 0
    refusals: int = 0
    path_m: float = 0.0


class AtTable(Struct, frozen=True, kw_only=True):
    """What is known of a task at a table besides: all of it measured or told by its world.

    `tool`, `opening_m`, `views`: as of the last action that said so. `shown`: the frames of the decision that
    was asked for last. `verdict`: the world's, once the task is over. `film`, `viewing`: the demonstration
    and how far it was watched; `views_asked` counts the calls for that.
    """

    table: Table
    tool: Tool | None = None
    opening_m: float | None = None
    views: tuple[View, ...] = ()
    subgoal: Subgoal | None = None
    shown: tuple[ActionFrames, ...] = ()
    verdict: Judgement | None = None
    film: Film | None = None
    viewing: Viewing | None = None
    views_asked: int = 0


class State(Struct, frozen=True, kw_only=True):
    """`need`: why a plan must be asked for, None while there is one or a request is out.

    `cursor`: index of the plan's next step.
    `excused`: changes the plan's own steps predicted, as (entity, field, seq).
    `owes_answer`: number of the plan that no policy may let run, since it waited for a person when the policy
    changed, or a person edited it.
    `ruled`, `told`: policy and standing instructions as changed since the start; None: the mission's.
    `asks_person`: what only a person can decide now, in words, beyond a pending approval.
    `swept`: cells entered since exploration first began; None before.
    `unreachable`: cells that the search set out for and no way led to, until it begins anew.
    `delivered`: entity -> station, in the order of delivery.
    `corrections`: people's, the newest, as far as they can be undone.
    `frames`: of the actions since the last decision; each is shown once, in the next.
    `at_table`: None of a mobile robot.
    `hold_owed`: who was lost, where the mission is to hold for that and has not yet.
    """

    seq: int = 0
    met_s: float = 0.0
    epoch: int = 0
    ledger_id: str = ""
    episode: str = ""
    mission: Mission
    site: Site
    catalogue: Catalogue
    catalogue_digest: str
    planner: str
    seed: int
    code_version: str
    robot: Robot
    memory: Memory = Memory()
    assignments: Mapping[str, str] = {}
    delivered: Mapping[str, str] = {}
    need: Cause | None = None
    request: Request | None = None
    plan: Plan | None = None
    cursor: int = 0
    excused: tuple[tuple[str, Field, int], ...] = ()
    plans: int = 0
    approval: Approval | None = None
    approvals: int = 0
    owes_answer: int | None = None
    ruled: Policy | None = None
    dispatch: Dispatch | None = None
    dispatches: int = 0
    last_outcome: Outcome | None = None
    after_failure: bool = False
    asks_person: str = ""
    stops: tuple[Stop, ...] = ()
    conn: Conn | None = None
    hold_owed: str = ""
    told: str | None = None
    guidance: tuple[Guidance, ...] = ()
    log: tuple[LogLine, ...] = ()
    notes: tuple[Note, ...] = ()
    frames: tuple[ActionFrames, ...] = ()
    swept: frozenset[tuple[int, int]] | None = None
    unreachable: frozenset[tuple[int, int]] = frozenset()
    spent: Spent = Spent()
    tally: Tally = Tally()
    corrections: tuple[Corrected, ...] = ()
    at_table: AtTable | None = None
    ending: Ending | None = None

    @property
    def policy(self) -> Policy:
        return self.ruled or self.mission.policy

    @property
    def instructions(self) -> str:
        return self.mission.instructions if self.told is None else self.told

    @property
    def is_held(self) -> bool:
        return bool(self.stops)
