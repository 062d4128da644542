"""StopCube: press the button as the moving cube passes the target for the k-th time.

The cube slides to and fro on a straight track over the target, one pass each way. Pressed within 6 cm and
within pass k it is stopped; any other press fails, and so does the end of pass k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from robot_bridge.tabletop.tasks import placing, ways
from robot_bridge.tabletop.tasks.episode import Episode, failure, success
from robot_bridge.tabletop.tasks.sensing import PRESSED, apart_m, happened
from robot_bridge.tabletop.tasks.words import ordinal
from robot_bridge.tabletop.values import (
    Change,
    Difficulty,
    Event,
    Layout,
    Pose,
    Progress,
    Snapshot,
    Subgoal,
    Verdict,
    Waypoint,
)

PASSED = "passed"
PASS_STEPS: Mapping[Difficulty, int] = {"easy": 60, "medium": 80, "hard": 120}
TIMES = (2, 5)
WITHIN_M = 0.06
TRACK_M = 0.40
COLOURS = ("red", "green", "blue")
PRESS_STEPS = 4
"""From just over the button until it counts."""
LEAD_STEPS = 24
"""So long before a press is told of, for an executor that has yet to close its fingers."""
HOVER_M, NEAR_M = 0.03, 0.02


@dataclass(frozen=True, kw_only=True)
class StopCube(Episode):
    name: ClassVar[str] = "stop-cube"
    pass_steps: int
    due: int
    """The pass in which to press, the first being 1."""
    starts_right: bool

    @classmethod
    def drawn(cls, rng: Random, difficulty: Difficulty) -> StopCube:
        due, colour = rng.randint(*TIMES), rng.choice(COLOURS)
        middle = round(rng.uniform(0.06, 0.12), 3), round(rng.uniform(-0.04, 0.04), 3)
        button = round(rng.uniform(-0.12, -0.08), 3), round(rng.uniform(-0.12, 0.12), 3)
        starts_right = rng.random() < 0.5
        begin = middle[0], middle[1] + (-1 if starts_right else 1) * TRACK_M / 2
        layout = Layout(
            things=(
                placing.target("target", middle),
                placing.button(button),
                placing.cube("cube", colour, begin),
            ),
            instruction=(
                f"Press the button just as the moving {colour} cube passes the target"
                f" for the {ordinal(due)} time."
            ),
        )
        return cls(layout=layout, pass_steps=PASS_STEPS[difficulty], due=due, starts_right=starts_right)

    def cube_at(self, step: int) -> Pose:
        """Where the cube is in step `step`, as long as nothing has stopped it."""
        passes, within = divmod(step, self.pass_steps)
        share = within / self.pass_steps
        from_start = share if passes % 2 == 0 else 1 - share
        target = self.layout.thing("target").pose
        offset_m = (from_start - 0.5) * TRACK_M * (1 if self.starts_right else -1)
        return Pose(target.x_m, target.y_m + offset_m, placing.CUBE_M / 2)

    def notice(self, progress: Progress, snap: Snapshot) -> Progress:
        if (snap.step - self.pass_steps // 2) % self.pass_steps == 0:
            return happened(progress, snap, PASSED, "cube")
        return progress

    def verdict(self, progress: Progress, fresh: Sequence[Event], snap: Snapshot) -> Verdict | None:
        last_step = self.due * self.pass_steps
        if not any(each.what == PRESSED for each in fresh):
            return failure("missed", f"pass {self.due} ended unpressed") if snap.step > last_step else None
        if snap.step <= last_step - self.pass_steps:
            return failure("early_press", f"pressed before pass {self.due}")
        if snap.step > last_step:
            return failure("missed", f"pressed after pass {self.due}")
        off_m = apart_m(snap.objects["cube"], self.layout.thing("target").pose)
        if off_m > WITHIN_M:
            return failure("off_target", f"pressed while the cube was {off_m * 100:.1f} cm from the target")
        return success(f"the cube was stopped {off_m * 100:.1f} cm from the target on pass {self.due}")

    def happenings(self, progress: Progress, step: int) -> tuple[Change, ...]:
        pressed = progress.first_step(PRESSED)
        return (Change("cube", self.cube_at(step if pressed is None else min(step, pressed))),)

    def ideal(self, progress: Progress, snap: Snapshot) -> Subgoal | None:
        """Over the button, then waiting, then down in time."""
        if progress.verdict is not None:
            return None
        button = self.layout.thing("button")
        x_m, y_m, top_m = button.pose.x_m, button.pose.y_m, button.size[2]
        middle = (self.due - 1) * self.pass_steps + self.pass_steps // 2
        if apart_m(snap.tcp, button.pose) > NEAR_M:
            near = Waypoint(x_m, y_m, top_m + HOVER_M, gripper="close")
            return Subgoal("move to the button", (x_m, y_m, top_m), (near,))
        if snap.step < middle - LEAD_STEPS:
            return ways.wait_subgoal(button.pose, middle - LEAD_STEPS - snap.step)
        down = Waypoint(x_m, y_m, ways.pressed_z_m(button), start_step=middle - PRESS_STEPS)
        return Subgoal("press the button", (x_m, y_m, top_m), (down,))
