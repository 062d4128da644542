"""What passes between the tabletop's physics and its tasks: layouts, what is measured, how far a task is.

Lengths are metres and angles radians in frame `map`; z is over the table top. A step is one control step.
Sizes are full extents; an object's pose is that of its middle. No physics here: tasks judge what they hear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, cast

Difficulty = Literal["easy", "medium", "hard"]
Suite = Literal["counting", "permanence", "reference", "imitation"]
Status = Literal["success", "fail", "timeout", "error"]
Gripper = Literal["open", "close", "keep"]
Kind = Literal[
    "cube",  # free; may be grasped
    "container",  # free, open below, a hollow box that hides a cube; may be grasped
    "button",  # fixed; its cap yields by BUTTON_TRAVEL_M
    "bin",  # fixed, open above
    "target",  # a flat disc without contact; size: diameter, diameter, thickness
    "node",  # as a target, smaller
    "peg",  # free, along its own x; `colour` is the half towards +x, `second_colour` the other
    "hole_box",  # fixed; an opening through it along y, as `opening_m` wide and high, around its middle
    "stick",  # a fixed upright cylinder; size: diameter, diameter, height
    "hook",  # free: a handle along its own x, a bar across at its +x end as long as size[1]
]

BUTTON_TRAVEL_M = 0.012


class Pose(NamedTuple):
    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float = 0.0


class Thing(NamedTuple):
    """An object of a layout. `name` is unique in it; `colour` is one of robot_bridge.tabletop.colours."""

    name: str
    kind: Kind
    colour: str
    pose: Pose
    size: tuple[float, float, float]
    second_colour: str = ""
    opening_m: float = 0.0


class Waypoint(NamedTuple):
    """Where the tcp goes, and what the gripper does on arrival, as the skill `move` has it.

    Fingers point down and close along y at yaw 0. `over_steps`: how long it takes to get there, if more than
    it would. `wait_steps` pass after it; where `stays` is set nothing moves and only they pass.
    """

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0
    gripper: Gripper = "keep"
    start_step: int | None = None
    over_steps: int = 0
    wait_steps: int = 0
    stays: bool = False


class Cue(NamedTuple):
    """One piece of a demonstration: the arm's waypoint, or `steps` in which the world alone does something.

    While it lasts, `Task.shown(cue, step)` says what, `step` counted from its begin; `happens` names it.
    """

    waypoint: Waypoint | None = None
    steps: int = 0
    happens: str = ""


class Change(NamedTuple):
    """What the world itself does to an object in this step; None and False leave it as it is.

    With `pose` it stands exactly there, unmoved by contact and moving nothing. `colour` and `gone` hold for
    this step alone: an object that no change names has its layout's colour and is there.
    """

    name: str
    pose: Pose | None = None
    colour: str | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """An episode as it begins. `instruction` is all that a planner is told of the task."""

    things: tuple[Thing, ...]
    instruction: str
    demonstration: tuple[Cue, ...] = ()

    def thing(self, name: str) -> Thing:
        """Raises KeyError for a name that is none."""
        for each in self.things:
            if each.name == name:
                return each
        raise KeyError(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What is measured right after control step `step`, the first being 1.

    `grasped`: what both fingers hold. `buttons`: how far each cap is pushed down. `fingers_open`: the gripper
    stands open, whatever is between. `objects`: every thing of the layout that was not taken off the table.
    """

    step: int
    tcp: tuple[float, float, float]
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)
    opening_m: float = 0.08
    fingers_open: bool = True
    grasped: str | None = None
    objects: Mapping[str, Pose] = field(default_factory=dict)
    buttons: Mapping[str, float] = field(default_factory=dict)


class Verdict(NamedTuple):
    """How a task ended. `reason` is stable and short, `message` an operator's sentence."""

    status: Status
    reason: str
    message: str


class Event(NamedTuple):
    """What the rules saw happen: `picked`, `dropped`, `pressed`, `visited`, … and to what."""

    step: int
    what: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a task is: folded over snapshots, and never undone.

    `up`: what is picked now; `down`: the buttons pushed now; `armed`: whether the next visit may count;
    `tcp`: where it was in the snapshot before; `mark`: where what the task follows was when last noted.
    """

    events: tuple[Event, ...] = ()
    up: str | None = None
    down: tuple[str, ...] = ()
    armed: bool = True
    tcp: tuple[float, float, float] | None = None
    mark: tuple[float, float, float] | None = None
    verdict: Verdict | None = None

    def named(self, what: str) -> tuple[str, ...]:
        """To what it happened, in order."""
        return tuple(each.name for each in self.events if each.what == what)

    def first_step(self, what: str, name: str | None = None) -> int | None:
        """When it first happened, None if it has not."""
        steps = (each.step for each in self.events if each.what == what and name in (None, each.name))
        return next(steps, None)


class Subgoal(NamedTuple):
    """What is to be done next, by the truth.

    `phrase` in the words of the executor's vocabulary, `at_m` the point that is meant, and `waypoints` that
    do it, one after the other.
    """

    phrase: str
    at_m: tuple[float, float, float]
    waypoints: tuple[Waypoint, ...]


class Task(Protocol):
    """One episode of a task: made by `robot_bridge.tabletop.tasks.task_named`. Every method is pure."""

    @property
    def name(self) -> str: ...

    @property
    def layout(self) -> Layout: ...

    def shown(self, cue: Cue, step: int) -> tuple[Change, ...]:
        """What the world does by itself in a demonstration, `step` steps into `cue` (1 to its length)."""

    def begin(self) -> Progress: ...

    def judge(self, progress: Progress, snap: Snapshot) -> Progress:
        """After each control step. Once there is a verdict it stays."""

    def happenings(self, progress: Progress, step: int) -> tuple[Change, ...]:
        """What the world does by itself in control step `step`, given all that was judged before it."""

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        """The next subgoal by the truth; None once nothing is left to be done."""


def progress_to_json(progress: Progress) -> dict[str, Any]:
    return {
        "events": [list(each) for each in progress.events],
        "up": progress.up,
        "down": list(progress.down),
        "armed": progress.armed,
        "tcp": None if progress.tcp is None else list(progress.tcp),
        "mark": None if progress.mark is None else list(progress.mark),
        "verdict": None if progress.verdict is None else list(progress.verdict),
    }


def progress_from_json(saved: Mapping[str, Any]) -> Progress:
    """What `progress_to_json` gave."""
    verdict = saved["verdict"]
    return Progress(
        events=tuple(Event(*each) for each in saved["events"]),
        up=saved["up"],
        down=tuple(saved["down"]),
        armed=saved["armed"],
        tcp=_point(saved["tcp"]),
        mark=_point(saved["mark"]),
        verdict=None if verdict is None else Verdict(*verdict),
    )


def _point(saved: list[float] | None) -> tuple[float, float, float] | None:
    return None if saved is None else cast(tuple[float, float, float], tuple(saved))
