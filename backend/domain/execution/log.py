"""The execution log: one line per executed action,
written by the system and never by the model (LogLook, section 3.4)."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.execution.outcome import Measured, Result, Traced
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
    when = f"t={line.met_s:g} s" if line.step is None else f"step {line.step}"
    head = f"{line.index}. {when} {line.command}"
    if line.result is Result.NOT_EXECUTED:
        return f"{head}: NOT EXECUTED ({line.reason})"
    return f"{head}: {line.result.value} ({line.reason}); {_measured(line.measured)}"


def shown(lines: tuple[LogLine, ...], switch: str) -> tuple[LogLine, ...]:
    """The lines that the configuration's `log` switch lets the planner see."""
    if switch == "off":
        return ()
    return lines[-8:] if switch == "last_8" else lines


def hand(measured: Measured) -> list[str]:
    """The gripper as it was measured: open or closed, how far and how high, what it touches, what is held.

    Of an arm at a table only how far and how high: what it holds, its planner is to see for itself.
    """
    parts = []
    if measured.tool:
        return [*_opening(measured), *_height(measured)]
    if measured.gripper_open is not None:
        parts.append("gripper open" if measured.gripper_open else "gripper closed")
    parts += [*_opening(measured), *_height(measured), *measured.touches]
    return [*parts, f"holding {measured.held or 'nothing'}"]


def _opening(measured: Measured) -> list[str]:
    return [] if measured.opening_m is None else [f"fingers {1000 * measured.opening_m:.0f} mm apart"]


def _height(measured: Measured) -> list[str]:
    return [] if measured.height_m is None else [f"{1000 * measured.height_m:.0f} mm up"]


def _measured(measured: Measured) -> str:
    return "; ".join(
        part
        for part in (
            ", ".join([*_place(measured), *hand(measured)]),
            _points(measured),
            *map(traced, measured.trace or ()),
        )
        if part
    )


def _place(measured: Measured) -> list[str]:
    tool, pose = measured.tool, measured.pose
    if tool:
        return [f"at {_point((tool.x_m, tool.y_m, tool.z_m))}"]
    return [] if pose is None else [f"at ({pose.x_m:g}, {pose.y_m:g}) m"]


def _points(measured: Measured) -> str:
    """What was located, one for each pixel asked for."""
    if not measured.points_m:
        return ""
    found = ["nothing" if point is None else _point(point) for point in measured.points_m]
    return f"found {', '.join(found)}"


def traced(part: Traced) -> str:
    """One part of a sequence, or one chunk, as it was measured right after it."""
    check = ""
    if part.check:
        held = "was not measured" if part.passed is None else "held" if part.passed else "failed"
        check = f", check {part.check} {held}"
    opening = f"fingers {1000 * part.opening_m:.0f} mm apart"
    return f"{part.what} by step {part.step}: {opening}, {1000 * part.height_m:.0f} mm up{check}"


def _point(point: tuple[float, float, float]) -> str:
    return f"({point[0]:.3f}, {point[1]:.3f}, {point[2]:.3f}) m"
