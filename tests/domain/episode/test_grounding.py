"""Where a step leads, and the place of the active task."""

import pytest

from backend.domain.episode.grounding import goal_of, ground_of, task_place
from backend.domain.geometry import Pose
from backend.domain.plans.plan import Step
from tests.domain.scripted import BOTTLES, CANS, Scripted, collect, opened, step


@pytest.fixture
def script() -> Scripted:
    script = Scripted(opened(policy="auto"))
    script.see("can_1", 3, 4)
    return script


GOALS = {
    "an entity's believed place": (step("navigate", to="can_1"), Pose(3, 4)),
    "a station": (step("navigate", to=BOTTLES), Pose(9, 9)),
    "a target's believed place": (step("grasp", target="can_1"), Pose(3, 4)),
    "a delivery's station, not its object": (step("deliver", object="can_1", station=CANS), Pose(0, 0)),
    "a cell": (step("explore", cell=(2.0, 7.0)), Pose(2, 7)),
    "a pose": (step("navigate", to=Pose(1, 2, 0.5)), Pose(1, 2, 0.5)),
    "nobody it knows": (step("navigate", to="can_9"), None),
    "no place at all": (step("wait", seconds=3), None),
    "a search without a cell": (step("explore"), None),
}


@pytest.mark.parametrize(("one", "goal"), GOALS.values(), ids=GOALS.keys())
def test_goals_are_copied_from_memory_and_the_site(script: Scripted, one: Step, goal: Pose | None) -> None:
    assert goal_of(script.state, one) == goal


def test_the_active_task_is_where_the_robot_is_until_there_is_one(script: Scripted) -> None:
    assert task_place(script.state) == Pose(1, 1)

    script.answer(*collect("can_1"))
    assert task_place(script.state) == Pose(3, 4)

    for _ in range(3):
        script.end()
    assert task_place(script.state) == Pose(0, 0)


def test_a_plan_is_grounded_in_what_its_author_was_shown(script: Scripted) -> None:
    ground = ground_of(script.state, ("can_1",))

    assert ground.exposed == {"can_1"}
    assert (ground.held, ground.arrived, ground.robot) == (None, None, Pose(1, 1))
    assert ground.assignments == {"can": CANS, "bottle": BOTTLES}
    assert ground_of(script.state, None).exposed is None
