"""What a line of the log says was done: read off what was asked and what was measured, by no picture."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.execution.log import LogLine
from backend.domain.execution.outcome import Result
from backend.domain.plans.motion import Motion
from backend.domain.plans.plan import motions
from backend.planners.surrogate.moves import PRESSED_M


def asked(line: LogLine) -> Sequence[Motion]:
    """The parts of a sequence; none of any other step."""
    return motions(line.asked.arguments.get("moves")) if line.asked is not None else ()


def ran(line: LogLine) -> bool:
    """Whether all that was asked was done, and each check held."""
    return line.result is Result.SUCCEEDED


def grasped(line: LogLine) -> bool:
    """The fingers closed, last, and a check held that they closed on something."""
    return ran(line) and _grips(line)[-1:] == ["close"] and any(part.check for part in asked(line))


def let_go(line: LogLine) -> bool:
    """The fingers did nothing but open: what they had held was let go of."""
    return ran(line) and _grips(line) == ["open"]


def pressed(line: LogLine) -> bool:
    return ran(line) and any(part.arguments.get("z_m") == PRESSED_M for part in asked(line))


def went_wrong(line: LogLine | None) -> bool:
    """Whether what was tried last has to be looked at anew: a grasp that closed on nothing, say."""
    return line is not None and not ran(line)


def _grips(line: LogLine) -> list[str]:
    return [str(part.arguments["gripper"]) for part in asked(line) if "gripper" in part.arguments]
