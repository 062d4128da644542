"""Where the journals of released versions lie, and what must come out of them for ever."""

from __future__ import annotations

from pathlib import Path

from backend.domain.episode.state import State

JOURNALS = Path(__file__).parent


def story(state: State) -> dict[str, object]:
    """What must never come out otherwise; details of State may."""
    return {
        "seq": state.seq,
        "met_s": state.met_s,
        "outcome": state.ending.outcome if state.ending is not None else None,
        "delivered": dict(state.delivered),
        "robot_m": [state.robot.pose.x_m, state.robot.pose.y_m],
        "held": state.robot.held,
        "entities": {
            record.id: [record.status.value, record.pose.x_m, record.pose.y_m, record.confidence]
            for record in state.memory.ordered()
        },
        "plans": state.plans,
        "approvals": state.approvals,
        "dispatches": state.dispatches,
        "steps": state.spent.steps,
        "decisions": state.spent.decisions,
        "tokens": state.spent.tokens,
        "context_units": state.tally.context_units,
        "replans": state.tally.replans,
        "log": [line.command for line in state.log],
        "notes": [note.text for note in state.notes],
    }
