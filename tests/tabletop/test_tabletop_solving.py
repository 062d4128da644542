"""Every task can be solved: a perfect script plays an episode of each through the real physics."""

from collections.abc import Iterator

import numpy as np
import pytest

from robot_bridge.tabletop.catalogue import FRONT, PHRASES, WATCHED_PX
from robot_bridge.tabletop.demonstrating import play
from robot_bridge.tabletop.deprojecting import pixel_of
from robot_bridge.tabletop.kinematics import HOME, Kinematics
from robot_bridge.tabletop.physics import OPENING_M, Physics
from robot_bridge.tabletop.tasks import SUITES, TASK_NAMES
from robot_bridge.tabletop.tasks.sensing import PICKED
from robot_bridge.tabletop.tasks.video_repick import VideoRepick
from robot_bridge.tabletop.values import Layout, Progress, Snapshot, Task
from robot_bridge.tabletop.world import REST
from tests.tabletop.ideal import Blind, begun, solved

EPISODE = {"easy": 4, "medium": 6, "hard": 7}
HARD = {"pick-xtimes", "video-unmask-swap", "route-stick"}
"""The others play their easy episode, which is shorter."""


@pytest.fixture(scope="module", params=TASK_NAMES)
def world(request: pytest.FixtureRequest) -> Blind:
    return begun(request.param, EPISODE["hard" if request.param in HARD else "easy"])


def test_all_stands_in_the_front_camera_s_view(world: Blind) -> None:
    calibration = world.cameras.calibration(world.physics.look(), FRONT)

    for each in world.task.layout.things:
        pixel = pixel_of((each.pose.x_m, each.pose.y_m, each.pose.z_m), calibration)
        assert pixel is not None, each.name
        assert all(10 < each < WATCHED_PX - 10 for each in pixel)


def test_the_truth_s_next_subgoals_solve_it(world: Blind) -> None:
    phrases = set()

    for snap in solved(world):
        ideal = world.task.ideal(world.progress, snap)
        phrases |= {ideal.phrase} if ideal is not None else set()

    assert world.verdict is not None
    assert world.verdict.status == "success", world.verdict.message
    unspoken = {each for each in phrases if not any(p.fullmatch(each) for p in PHRASES.values())}
    assert unspoken <= {"wait"}, "the executor takes every other phrase"


class Watching(Physics):
    """Keeps what is measured after each step."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.seen: list[Snapshot] = []

    def advance(self) -> bool:
        is_sound = super().advance()
        self.seen.append(self.snapshot(len(self.seen) + 1))
        return is_sound


def shown(task: Task) -> Iterator[Snapshot]:
    physics = Watching(task.layout)
    kinematics = Kinematics(physics.model)
    posture = kinematics.joints_for(REST, np.array(HOME))
    assert posture is not None
    physics.stand(posture, OPENING_M)
    play(physics, kinematics, task)
    yield from physics.seen


def judged(task: Task) -> Progress:
    progress = task.begin()
    for snap in shown(task):
        progress = task.judge(progress, snap)
    return progress


@pytest.mark.parametrize("name", SUITES["imitation"])
def test_a_demonstration_is_itself_what_it_asks_for(name: str) -> None:
    verdict = judged(begun(name, EPISODE["medium"]).task).verdict

    assert verdict is not None
    assert verdict.status == "success", verdict.message


def test_the_cube_that_a_demonstration_picks_is_the_one_that_is_meant() -> None:
    task = begun("video-repick", EPISODE["medium"]).task
    assert isinstance(task, VideoRepick)

    assert judged(task).named(PICKED) == (task.cube,)
