"""What a planner at a table sees, as values: for one that computes rather than reads.

It tells no more than the blocks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.domain.demonstration.viewing import View as SegmentView
from backend.domain.execution.frames import Frame, View, WatchedFrames
from backend.domain.execution.log import LogLine
from backend.domain.execution.notes import Note
from backend.domain.execution.outcome import Subgoal, Tool


class Returned(Struct, frozen=True, kw_only=True):
    """Of an action since the last decision: `watched.frames` holds those returned alone; `action` is its
    index in the log."""

    action: int
    watched: WatchedFrames


class Viewed(Struct, frozen=True, kw_only=True):
    """What is shown of the demonstration now. `frames` are the pictures of `view.frames`, in their order.

    `view.summary` is the planner's own so far, `view.told` what its last answer asked for and did not get.
    """

    instruction: str
    task: str
    view: SegmentView
    frames: tuple[Frame, ...]


class Seen(Struct, frozen=True, kw_only=True):
    """`log`, `notes` and `frames` as the memory configuration shows them. `step`: of the world.

    `last`: the last action's line, whatever the log shows. `told`: what was refused of what the planner asked
    for, in words. `subgoal`: the next by the truth, None unless the world tells it.
    """

    instruction: str
    task: str
    executor: Literal["direct", "delegate"]
    step: int
    steps_left: int | None
    tool: Tool | None
    opening_m: float | None
    views: tuple[View, ...]
    log: tuple[LogLine, ...] = ()
    notes: tuple[Note, ...] = ()
    frames: tuple[Returned, ...] = ()
    last: LogLine | None = None
    subgoal: Subgoal | None = None
    told: tuple[str, ...] = ()
