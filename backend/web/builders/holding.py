"""What the robot holds, in words: at a table no sensor tells, and none is claimed."""

from __future__ import annotations

from backend.domain.episode.state import State


def holding(state: State) -> str:
    """A sentence."""
    if state.at_table is not None:
        return "What the fingers hold is not measured."
    return f"The robot holds {state.robot.held or 'nothing'}."
