"""The two things that the sandbox is given, and all that it can touch.

Neither knows an episode's robot: a planner is asked, and a simulated world is a value in this process that is
saved and restored. There is no address in either, and no hello by which a bridge would count who commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from backend.domain.execution.outcome import Outcome
from backend.domain.geometry import Pose
from backend.domain.memory.evidence import Evidence
from backend.domain.plans.plan import Step
from backend.domain.query.query import Query, Reply


class Planner(Protocol):
    """Answers a query. May block until its own deadline; never raises for what a model does wrong."""

    def propose(self, query: Query) -> Reply: ...


class Happened(Struct, frozen=True, kw_only=True):
    """What a simulated world had to say since it was last looked at, at its time `met_s`."""

    met_s: float
    evidence: tuple[Evidence, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


class SimulatedWorld(Protocol):
    """A world that waits: time passes in it while it is looked at and a skill runs, and at no other time."""

    def save(self) -> Mapping[str, Any]:
        """All that `restore` needs to be at this moment again."""

    def restore(self, saved: Mapping[str, Any]) -> None: ...

    def begin(self, dispatch_id: str, step: Step, goal: Pose | None) -> None:
        """Begin a skill. One that cannot be begun is an outcome, not executed, when next looked at."""

    def halt(self) -> None:
        """End the running skill; its outcome is there when next looked at."""

    def look(self) -> Happened:
        """Let one step pass while a skill runs, and tell what is new."""
