"""An approval is bound to exactly what was shown:
the plan, the beliefs it rests on, the site, the skills, the risks."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from backend.domain.command.policy import Risk
from backend.domain.digests import digest
from backend.domain.memory.record import Field


class ApprovalStatus(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EDITED = "edited"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    CONSUMED = "consumed"


OPEN = (ApprovalStatus.PENDING, ApprovalStatus.APPROVED)
"""Under these something may still run, now or after a click."""


UNANSWERED = (ApprovalStatus.PENDING, ApprovalStatus.EXPIRED)
"""Asked, and no person has said anything yet."""


class Pin(Struct, frozen=True):
    """One field of D(P) as it was when approval was asked. `entity` None stands for any entity."""

    entity: str | None
    field: Field
    version: int


class Pins(Struct, frozen=True, kw_only=True):
    plan_digest: str
    fields: tuple[Pin, ...]
    site_version: int
    catalogue_digest: str
    held: str | None
    risks: tuple[Risk, ...]

    @property
    def digest(self) -> str:
        return digest(self)


class Approval(Struct, frozen=True, kw_only=True):
    """`first_step`, `last_step`: the inclusive range of steps it covers;
    `used`: steps already dispatched under it. `by_policy`: no person said yes, the policy did.
    """

    id: str
    plan_number: int
    first_step: int
    last_step: int
    pins: Pins
    pins_digest: str
    status: ApprovalStatus
    asked_seq: int
    asked_s: float
    expires_s: float | None = None
    decided_by: str | None = None
    by_policy: bool = False
    reason: str = ""
    used: tuple[int, ...] = ()

    def covers(self, step: int) -> bool:
        return self.first_step <= step <= self.last_step
