"""How many refused commands of one person an episode takes: each is kept, so a script could fill its journal.

What was accepted is never counted, HOLD never looked at; denies and aborts are bounded where no hand comes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from backend.domain.command.intents import STOPPING, Action, Hold
from backend.domain.refusal import Refusal

WITHIN_S = 60.0
MOST = 30
MOST_STOPS = 300


def refuse_flood(refused_s: Sequence[float], action: Action, now_s: float) -> Refusal | None:
    """`refused_s`: when this person's commands to the episode were refused, oldest first, on the clock of
    `now_s`."""
    if isinstance(action, Hold):
        return None
    most = MOST_STOPS if isinstance(action, STOPPING) else MOST
    recent = [at_s for at_s in refused_s if now_s - at_s < WITHIN_S]
    if len(recent) < most:
        return None
    wait_s = math.ceil(WITHIN_S - (now_s - recent[-most]))
    return Refusal(
        "too_many",
        f"{most} commands of yours were refused within a minute.",
        f"Look at what they were refused for; wait {wait_s} s.",
    )
