"""Hand-made snapshots, without physics: what a task would be told if this had happened."""

from collections.abc import Sequence
from typing import Any, Self

from robot_bridge.tabletop.values import Pose, Snapshot, Task

HIGH_M = 0.16
"""Above what counts as picked, below what counts as lifted by the fingers' height."""


class Play:
    """Each method is one step of the world, and gives itself back."""

    def __init__(self, task: Task, step: int = 0) -> None:
        self.task, self.step = task, step
        self.progress = task.begin()
        self.poses = {each.name: each.pose for each in task.layout.things}
        self.tcp = (-0.1, 0.0, 0.3)
        self.grasped: str | None = None
        self.fingers_open = True
        self.pushed: dict[str, float] = {}

    @property
    def reason(self) -> str | None:
        """The verdict's, None while there is none."""
        verdict = self.progress.verdict
        return None if verdict is None else verdict.reason

    @property
    def next_phrase(self) -> str | None:
        """What the truth would have done next."""
        ideal = self.task.ideal(self.progress, self.snap())
        return None if ideal is None else ideal.phrase

    def snap(self) -> Snapshot:
        buttons = {each.name: 0.0 for each in self.task.layout.things if each.kind == "button"}
        return Snapshot(
            step=self.step,
            tcp=self.tcp,
            grasped=self.grasped,
            fingers_open=self.fingers_open,
            objects=dict(self.poses),
            buttons=buttons | self.pushed,
        )

    def tick(self, **changed: Any) -> Self:
        for name, value in changed.items():
            setattr(self, name, value)
        self.step += 1
        for change in self.task.happenings(self.progress, self.step):
            if change.gone:
                self.poses.pop(change.name, None)
            elif change.pose is not None:
                self.poses[change.name] = change.pose
        self.progress = self.task.judge(self.progress, self.snap())
        return self

    def wait(self, steps: int) -> Self:
        for _ in range(steps):
            self.tick()
        return self

    def at(self, x_m: float, y_m: float, z_m: float) -> Self:
        """The tcp, and what it holds."""
        if self.grasped is not None:
            self.poses[self.grasped] = self.poses[self.grasped]._replace(x_m=x_m, y_m=y_m, z_m=z_m)
        return self.tick(tcp=(x_m, y_m, z_m))

    def over(self, name: str, z_m: float, dx_m: float = 0.0) -> Self:
        pose = self.task.layout.thing(name).pose
        return self.at(pose.x_m + dx_m, pose.y_m, z_m)

    def hold(self, name: str, z_m: float) -> Self:
        """Grasped, with its middle at this height."""
        self.grasped, self.fingers_open = name, False
        return self.at(*self.poses[name][:2], z_m)

    def pick(self, name: str) -> Self:
        return self.hold(name, HIGH_M)

    def lift(self, name: str) -> Self:
        return self.hold(name, 0.2)

    def drop(self, at: Sequence[float] | None = None, z_m: float = 0.02) -> Self:
        """Let go of, to come to rest there, or right below."""
        name = self.grasped
        assert name is not None
        x_m, y_m = (at or self.poses[name])[:2]
        self.poses[name] = Pose(x_m, y_m, z_m)
        return self.tick(grasped=None, fingers_open=True)

    def press(self, name: str = "button", depth_m: float = 0.008) -> Self:
        return self.tick(pushed={name: depth_m}).tick(pushed={})


def beside(pose: Pose, off_m: float) -> tuple[float, float]:
    """So far away from it along x."""
    return pose.x_m + off_m, pose.y_m
