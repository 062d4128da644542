"""A mission: what is to be achieved, in which world, with which memory, policy and budgets."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from backend.domain.command.conn import OnOperatorLoss
from backend.domain.command.policy import Policy
from backend.domain.execution.budgets import Budgets
from backend.domain.memory.configuration import MemoryConfiguration
from backend.domain.mission.survey import Survey
from backend.domain.mission.task_notes import Level


class World(Struct, frozen=True, kw_only=True):
    """Which world the bridge runs.
    `clock`: `waits` for planner and people, or `runs`, a tick each `tick_s`."""

    name: str
    scenario: str = ""
    clock: Literal["waits", "runs"] = "waits"
    tick_s: float = 1.0


LONGEST_INSTRUCTIONS = 4000
"""Characters; more is a manual, which no planner reads well."""


class Mission(Struct, frozen=True, kw_only=True):
    """`total` containers must stand at their assigned stations;
    `approval_expires_s` None: an approval waits for ever.
    `instructions`: standing words of people to the planner, which they may change while it runs.
    `site`: what people know of the place besides. `version`: which edit in the console this is, 0 for a file.
    `on_operator_loss`: what happens when the page of who has the conn falls silent.
    `shadow`: the planner proposes and people decide, and no step is ever sent to the robot.
    `task_notes`: how much of the note on its task the planner is told; all of it where left out."""

    name: str
    title: str
    goal: str
    completion: str
    world: World
    total: int = 0
    memory: MemoryConfiguration = MemoryConfiguration()
    policy: Policy = Policy()
    budgets: Budgets = Budgets()
    task_note: str = ""
    instructions: str = ""
    approval_expires_s: float | None = None
    on_operator_loss: OnOperatorLoss = "go_on"
    site: Survey | None = None
    version: int = 0
    shadow: bool = False
    task_notes: Level | UnsetType = UNSET
