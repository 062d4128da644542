"""The execution log: one line per executed action,
written by the system and never by the model (LogLook, section 3.4)."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.execution.outcome import Measured, Result
from backend.domain.plans.plan import Step


class LogLine(Struct, frozen=True, kw_only=True):
    """`seq` is the journal position, `met_s` the mission time right after the action.

    `asked`: the step itself; None of a command that no dispatch is known of. `step`: of the world, right
    after it; None of a world whose time is told in seconds.
    """

    index: int
    seq: int
    met_s: float
    command: str
    result: Result
    reason: str
    measured: Measured
    asked: Step | None = None
    step: int | None = None


def sentence(line: LogLine) -> str:
    """The line as the planner reads it: asked, then measured, or NOT EXECUTED and why."""
    head = f"{line.index}. t={line.met_s:g} s {line.command}"
    if line.result is Result.NOT_EXECUTED:
        return f"{head}: NOT EXECUTED ({line.reason})"
    return f"{head}: {line.result.value} ({line.reason}); {_measured(line.measured)}"


def shown(lines: tuple[LogLine, ...], switch: str) -> tuple[LogLine, ...]:
    """The lines that the configuration's `log` switch lets the planner see."""
    if switch == "off":
        return ()
    return lines[-8:] if switch == "last_8" else lines


def hand(measured: Measured) -> list[str]:
    """The gripper as it was measured: open or closed, how far and how high, what it touches, what is held."""
    parts = []
    if measured.gripper_open is not None:
        parts.append("gripper open" if measured.gripper_open else "gripper closed")
    if measured.opening_m is not None:
        parts.append(f"fingers {1000 * measured.opening_m:.0f} mm apart")
    if measured.height_m is not None:
        parts.append(f"{1000 * measured.height_m:.0f} mm up")
    parts += measured.touches
    return [*parts, f"holding {measured.held or 'nothing'}"]


def _measured(measured: Measured) -> str:
    at = [] if measured.pose is None else [f"at ({measured.pose.x_m:g}, {measured.pose.y_m:g}) m"]
    return ", ".join([*at, *hand(measured)])
