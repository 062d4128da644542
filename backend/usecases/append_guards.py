"""What keeps an append out of the journal. Every journal asks these, in memory and on a database.

Ask while the head and the inbox cannot change: under the lock, in the transaction that would write.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from backend.domain.episode.events import Recorded, StepDispatched
from backend.domain.refusal import Refusal


class Head(Struct, frozen=True, kw_only=True):
    """Where an episode's journal stands and who may write it. `expires_s` is on the database's clock."""

    seq: int
    epoch: int
    expires_s: float


def refuse_fenced_append(head: Head, epoch: int, events: Sequence[Recorded], now_s: float) -> Refusal | None:
    """A runner writes nothing once its epoch or lease has passed, or where it does not follow the head."""
    if epoch != head.epoch:
        return Refusal(
            "fenced", f"A runner of epoch {head.epoch} holds this episode; this one is of epoch {epoch}."
        )
    if now_s >= head.expires_s:
        return Refusal("expired", "This runner's lease ran out or was given back.", "Start a runner anew.")
    for expected, recorded in enumerate(events, start=head.seq + 1):
        if recorded.seq != expected:
            return Refusal(
                "seq", f"Event {recorded.seq} was to follow, and the journal's next is {expected}."
            )
    return None


def refuse_dispatch_over_stop(events: Sequence[Recorded], stops: Collection[str]) -> Refusal | None:
    """Nothing is dispatched while `stops`, ids of holds, aborts and denies, stand undecided in the inbox."""
    if stops and dispatches(events):
        return Refusal(
            "stop_pending", "A stop arrived while the step was being dispatched.", "Take the inbox again."
        )
    return None


def dispatches(events: Sequence[Recorded]) -> bool:
    return any(isinstance(recorded.event, StepDispatched) for recorded in events)
