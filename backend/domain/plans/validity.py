"""Whether a plan still stands: replan exactly when C ∩ D(P) ≠ ∅, a skill failed, or there is no plan (section IV-B)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.geometry import Pose
from backend.domain.memory.record import Field, Source

CauseKind = Literal[
    "first", "completed", "changed", "failed", "stopped", "rejected", "refused", "expired", "lapsed", "asked", "guidance"
]


class Cause(Struct, frozen=True, kw_only=True):
    """Why a plan is asked for. `changed` names the field, its old and new value and who reported it."""

    kind: CauseKind
    message: str
    entity: str | None = None
    field: Field | None = None
    old: Pose | str | float | None = None
    new: Pose | str | float | None = None
    source: Source | None = None

    @property
    def is_replan(self) -> bool:
        """The first plan, and one after a plan that ran to its end, replace nothing."""
        return self.kind not in ("first", "completed")
