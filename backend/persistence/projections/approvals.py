"""Each change in the life of an approval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backend.domain.command.approval import ApprovalStatus
from backend.domain.episode.events import (
    ApprovalConsumed,
    ApprovalEdited,
    ApprovalExpired,
    ApprovalGranted,
    ApprovalRejected,
    ApprovalRequested,
    ApprovalSuperseded,
)
from backend.persistence.codec import json_text
from backend.persistence.projections.row import Passage, Row, Values, row
from backend.persistence.tables.plans import approvals

_EMPTY: Values = {
    "plan_number": None, "first_step": None, "last_step": None, "pins": None, "pins_digest": None,
    "expires_s": None, "by": None, "reason": "", "cause": None,
}  # fmt: skip


def rows(passage: Passage) -> Iterator[Row]:
    event: Any = passage.recorded.event
    if isinstance(event, ApprovalRequested):
        approval = event.approval
        asked = {
            "approval_id": approval.id,
            "change": approval.status.value,
            "plan_number": approval.plan_number,
            "first_step": approval.first_step,
            "last_step": approval.last_step,
            "pins": json_text(approval.pins),
            "pins_digest": approval.pins_digest,
            "expires_s": approval.expires_s,
            "by": approval.decided_by,
            "reason": approval.reason,
        }
        yield row(approvals, {**passage.anchor, **_EMPTY, **asked})
    change = _change(event)
    if change is not None:
        yield row(approvals, {**passage.anchor, **_EMPTY, "approval_id": event.approval_id, **change})


def _change(event: Any) -> Values | None:
    if isinstance(event, ApprovalGranted):
        return {"change": ApprovalStatus.APPROVED.value, "by": event.by}
    if isinstance(event, ApprovalRejected):
        return {"change": ApprovalStatus.REJECTED.value, "by": event.by, "reason": event.reason}
    if isinstance(event, ApprovalEdited):
        return {"change": ApprovalStatus.EDITED.value, "by": event.by}
    if isinstance(event, ApprovalSuperseded):
        cause = event.cause
        return {"change": ApprovalStatus.SUPERSEDED.value, "reason": cause.message, "cause": json_text(cause)}
    if isinstance(event, ApprovalExpired):
        return {"change": ApprovalStatus.EXPIRED.value}
    if isinstance(event, ApprovalConsumed):
        return {"change": ApprovalStatus.CONSUMED.value, "reason": event.reason}
    return None
