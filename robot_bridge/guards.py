"""The bridge's safety rules, one function each: a refusal, or None when the rule has nothing against it.

`docs/safety.md` numbers them, and `make mutants` switches each off by replacing its body with `return None`.
"""

from __future__ import annotations

from collections.abc import Sequence

from robot_bridge.ledger import Dispatch
from robot_bridge.world import Clock, Refusal

SILENCE_S = 2.0
"""How long the decision loop may be silent while a skill may run."""


def refuse_stale_epoch(epoch: int, highest: int) -> Refusal | None:
    """A runner whose lease another has taken over commands nothing."""
    if epoch < highest:
        return Refusal(
            "stale_epoch",
            "epoch",
            f"is {epoch}, and epoch {highest} has commanded this robot since",
            "Another runner holds the robot now. Exit.",
        )
    return None


def refuse_unannounced_epoch(epoch: int, highest: int) -> Refusal | None:
    """An epoch fences from its hello on; a command under one that was never announced would fence nobody."""
    if epoch > highest:
        return Refusal(
            "unannounced_epoch", "epoch", f"is {epoch}, and the last hello said {highest}", "Say hello first."
        )
    return None


def refuse_known_dispatch(known: Dispatch | None) -> Dispatch | None:
    """A dispatch runs at most once: an id in the ledger is answered with what is recorded of it."""
    if known is not None:
        return known
    return None


def refuse_while_latched(latched: Sequence[str]) -> Refusal | None:
    """Nothing moves between a stop and its release."""
    if latched:
        return Refusal(
            "latched", "dispatch_id", f"comes while stop {latched[0]} is in force", "Release the stop first."
        )
    return None


def refuse_while_running(running: str | None) -> Refusal | None:
    """One skill at a time."""
    if running is not None:
        return Refusal(
            "busy",
            "dispatch_id",
            f"comes while dispatch {running} is running",
            "Wait for its outcome, or cancel it first.",
        )
    return None


def refuse_silence(clock: Clock, running: str | None, silent_s: float) -> Refusal | None:
    """The watchdog: no skill goes on without a living decision loop. A world that waits needs none."""
    if clock == "runs" and running is not None and silent_s > SILENCE_S:
        return Refusal(
            "watchdog",
            "heartbeat",
            f"has not come for {silent_s:.1f} s while dispatch {running} is running",
            "The robot was stopped. Release the stop once the runner is back.",
        )
    return None
