"""The ROS side's own safety rule: a refusal in words, or None. docs/safety.md numbers it."""

from __future__ import annotations

SILENCE_S = 2.0
"""How long the bridge process may be silent while a skill runs."""


def refuse_silent_parent(silent_s: float, running: bool) -> str | None:
    """No skill goes on without the bridge process, whatever became of it."""
    if running and silent_s > SILENCE_S:
        return f"Nothing was heard of the bridge process for {silent_s:.1f} s; the robot is stopped."
    return None
