"""What the bridge core asks of a world, simulated or real, and the values that pass between the two.

A world executes one skill at a time, in steps of its own clock. It holds no socket and no thread and reads
no clock: the bridge tells it when to move. Values are tuples, since a sweep makes millions of them;
`robot_bridge.wire` turns them into the contract's JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

Clock = Literal["waits", "runs"]


class Pose(NamedTuple):
    """A planar pose expressed in the frame `frame_id`."""

    x_m: float
    y_m: float
    yaw_rad: float = 0.0
    frame_id: str = "map"


class Sighting(NamedTuple):
    """One piece of evidence. `stamp_s` is when it was sensed; a late report is handed out later than that.

    `clocks`: that moment by the robot's own clock and in UTC, seconds since 1970; None where it has none.
    """

    entity: str | None
    cls: str
    pose: Pose
    confidence: float
    source: str
    stamp_s: float
    sensed_by: str
    clocks: tuple[float, float] | None = None


class Step(NamedTuple):
    """What a runner dispatched. `goal`: where its memory says the target is; `cameras`: to be recorded."""

    skill: str
    arguments: Mapping[str, Any]
    goal: Pose | None = None
    watch: Mapping[str, Any] | None = None
    cameras: tuple[str, ...] = ()


class Calibration(NamedTuple):
    """A pinhole camera. `map_from_camera`: 4 × 4, row by row; the camera's x right, y down, z forward."""

    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    map_from_camera: tuple[float, ...]


class Frame(NamedTuple):
    """A picture that `camera` took at world step `step`, as PNG.

    `depth_png`: of the same size, 16 bits a pixel, millimetres along z, 0 where there is none.
    """

    camera: str
    step: int
    png: bytes
    depth_png: bytes | None = None
    calibration: Calibration | None = None


class Tool(NamedTuple):
    """The end-effector, between the fingertips, in frame map; z over the table."""

    x_m: float
    y_m: float
    z_m: float
    roll_rad: float = 0.0
    pitch_rad: float = 0.0
    yaw_rad: float = 0.0


class Traced(NamedTuple):
    """A part of a sequence, or a chunk of a delegated subgoal, and what was measured right after it.

    `height_m`: of a chunk the lowest in it. `check`: in words, empty where there was none.
    """

    what: str
    step: int
    opening_m: float
    height_m: float
    check: str = ""
    passed: bool | None = None


class Measured(NamedTuple):
    """Read from the robot. `path`: the places entered, (x_m, y_m); `moves`: the world steps taken.

    `opening_m`: between the fingers; `touches`: what each finger touches, in words; `height_m`: of the
    end-effector over what it works on; `points_m`: what was located, one for each pixel. None, and nothing,
    where nothing measures them.
    """

    pose: Pose
    held: str | None
    gripper_open: bool
    path: tuple[tuple[float, float], ...] = ()
    moves: int = 0
    opening_m: float | None = None
    touches: tuple[str, ...] = ()
    height_m: float | None = None
    tool: Tool | None = None
    points_m: tuple[tuple[float, float, float] | None, ...] = ()
    trace: tuple[Traced, ...] = ()


class Verdict(NamedTuple):
    """What a world that judges its task says once it is over: success, fail, timeout, or error, which is the
    motion planner's.
    """

    status: str
    reason: str
    message: str


class Subgoal(NamedTuple):
    """The next by the truth. `pixel`: in the front view, scaled to a longer side of 512."""

    phrase: str
    pixel: tuple[float, float]


class Outcome(NamedTuple):
    """How a skill ended. `result` and `reason` are the contract's codes, `message` says it in words.

    `views`: what each camera sees right after it. `subgoal`: only of a world that tells the truth.
    """

    skill: str
    result: str
    reason: str
    message: str
    started_s: float
    ended_s: float
    measured: Measured
    frames: tuple[Frame, ...] = ()
    views: tuple[Frame, ...] = ()
    verdict: Verdict | None = None
    subgoal: Subgoal | None = None


class Refusal(NamedTuple):
    """Why something may not go ahead. `code` is stable and short, `field` names the command's field."""

    code: str
    field: str
    problem: str
    remedy: str


class NotReady(Exception):
    """A world that cannot be described yet, and why: nobody is told hello until it can be."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.field} {refusal.problem}. {refusal.remedy}")
        self.refusal = refusal


class World(Protocol):
    """One robot and what surrounds it. The bridge alone calls it, from one thread."""

    clock: Clock
    tick_s: float

    @property
    def met_s(self) -> float: ...

    def describe(self) -> dict[str, Any]:
        """The world's part of the reply to `hello`, as JSON: site, catalogue, robots, cameras, …

        Raises NotReady while the robot has not been heard.
        """

    def check(self, step: Step) -> Refusal | None:
        """Why this step can never be executed here, such as for an unknown skill or a missing argument."""

    def start(self, step: Step) -> Outcome | None:
        """Begin a skill that `check` let pass. An outcome at once where the skill takes no step."""

    def advance(self) -> Outcome | None:
        """Let one step pass: the running skill's next primitive, then whatever else happens in the world."""

    def elapse(self, now_s: float) -> Outcome | None:
        """Let real time pass up to `now_s` on the monotonic clock. A world that waits does nothing."""

    def observe(self) -> list[Sighting]:
        """The evidence that became due since the last call. Each piece is handed out once."""

    def halt(self, reason: str) -> Outcome | None:
        """Stop at once. The running skill's outcome: `cancelled` when that is the reason, else `stopped`."""

    def measure(self) -> Measured:
        """The robot's pose and what it holds, now."""

    def is_still(self) -> bool:
        """Whether the robot is measured to stand still."""

    def telemetry(self) -> list[dict[str, Any]]:
        """Each robot's present state, as the contract's ROBOT_NOW."""

    def truth(self, met_s: float) -> Sequence[Mapping[str, Any]]:
        """Where everything was at that time, for replay and evaluation; empty where nobody can know."""

    def save(self) -> dict[str, Any]:
        """Everything that `restore` needs to go on, as JSON."""

    def restore(self, saved: dict[str, Any]) -> None: ...


@runtime_checkable
class KeepsHistory(Protocol):
    """A world whose past grows: each row of it is written once, apart from what `save` gives each time."""

    def take_history(self) -> list[Any]:
        """What became history since the last call, as JSON."""

    def restore_history(self, rows: list[Any]) -> None:
        """All that was ever taken, in order; `restore` follows."""


@runtime_checkable
class EndsLater(Protocol):
    """A world whose robot takes time to stop: then `halt` gives None while `is_ending`, and `elapse` gives
    the outcome once the end was measured.
    """

    @property
    def is_ending(self) -> bool: ...


@runtime_checkable
class Maps(Protocol):
    """A world whose map changes while it is worked in."""

    def take_map(self) -> dict[str, Any] | None:
        """The contract's MAP, where it has changed since it was described or taken last."""


@runtime_checkable
class Demonstrates(Protocol):
    """A world whose task was shown before the robot acts."""

    def demonstration(self, first: int, count: int) -> tuple[int, Sequence[Frame]]:
        """How many frames it has, and those from `first` on, `count` at most."""
