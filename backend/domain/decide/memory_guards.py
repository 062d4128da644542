"""The safety rules that stand before a person's correction of memory, and after it.
One rule a function: a refusal, or None. docs/safety.md numbers them."""

from __future__ import annotations

from collections.abc import Mapping

from backend.domain.decide.blast import Blast, told
from backend.domain.episode.grounding import ground_of
from backend.domain.episode.state import State
from backend.domain.memory.corrections import Correction, SetStatus, kind_of, named
from backend.domain.memory.record import VERIFIED, EntityRecord, Status
from backend.domain.plans.validator import validate
from backend.domain.refusal import Refusal

STALE = "stale_record"
UNSEEN = "unseen_blast"


def refuse_stale_record(
    records: Mapping[str, EntityRecord], correction: Correction, seen: Mapping[str, int]
) -> Refusal | None:
    """A correction counts only for the records as its page showed them."""
    for entity in named(correction):
        record = records.get(entity)
        if record is None:
            return Refusal(
                "unknown_record", f"Memory has no record {entity[:60]!r}.", "Choose one that the table shows."
            )
        if seen.get(entity) != record.revision:
            return Refusal(
                STALE,
                f"{entity} has changed since the page showed it: {record.status.value} at "
                f"({record.pose.x_m:g}, {record.pose.y_m:g}) m, revision {record.revision}.",
                "Look at the record again, then correct it.",
            )
    return None


def refuse_unseen_blast(blast: Blast, shown: str) -> Refusal | None:
    """A correction counts only with the consequences that its author was shown and confirmed."""
    if blast.digest == shown:
        return None
    return Refusal(
        UNSEEN,
        f"This correction would now do: {told(blast)}",
        f"Confirm exactly that, with blast {blast.digest}.",
    )


def refuse_measured(record: EntityRecord, correction: Correction) -> Refusal | None:
    """What the robot measured, no word takes back; and no word claims a grasp."""
    if isinstance(correction, SetStatus) and correction.status is Status.GRASPED:
        return Refusal(
            "measured_only",
            "That something is held is measured, never said.",
            "Choose observed, reconsider, lost or delivered.",
        )
    if record.status not in VERIFIED:
        return None
    if record.status is Status.GRASPED and kind_of(correction) in ("reclass", "lock", "unlock"):
        return None
    if record.status is Status.DELIVERED:
        return Refusal(
            "delivered",
            f"{record.id} is delivered, and a delivery is not corrected.",
            "A delivery that a person said can be undone; for one that the robot measured, tell the planner.",
        )
    return Refusal(
        "held",
        f"The robot holds {record.id}: where it is, is measured.",
        "Re-class it if it is another kind; else wait until it is set down.",
    )


def refuse_delivery_under_way(state: State, correction: Correction) -> Refusal | None:
    """Nobody says that something is delivered while the robot moves: it may be on its way to it."""
    delivers = isinstance(correction, SetStatus) and correction.status is Status.DELIVERED
    if not delivers or state.dispatch is None:
        return None
    return Refusal(
        "in_flight",
        f"Step {state.dispatch.index + 1} has not ended yet.",
        "Hold, or wait for its outcome; then say that it is delivered.",
    )


def refuse_rest_of_plan(state: State) -> Refusal | None:
    """After a correction the rest of the plan is checked in full, for a person may change what no report can:
    a class, or that there is such a thing at all."""
    if state.plan is None or state.cursor >= len(state.plan.steps):
        return None
    findings = validate(state.plan.steps[state.cursor :], ground_of(state, None))
    if not findings:
        return None
    return Refusal("impossible", findings[0].message, findings[0].remedy)
