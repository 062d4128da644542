"""Episodes by text, `<task>/<difficulty>[/delegate][/refuse]`, such as `bin-fill/hard/delegate`."""

from __future__ import annotations

from typing import NamedTuple, get_args

from robot_bridge.tabletop.catalogue import Executor
from robot_bridge.tabletop.tasks import TASK_NAMES
from robot_bridge.tabletop.values import Difficulty

DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
DELEGATE, REFUSE = "delegate", "refuse"


class Scenario(NamedTuple):
    """`refuses`: a waypoint that is not reached is refused; else it ends the task, as in the benchmark."""

    task: str
    difficulty: Difficulty
    executor: Executor = "direct"
    refuses: bool = False

    @property
    def name(self) -> str:
        extras = [DELEGATE] * (self.executor == DELEGATE) + [REFUSE] * self.refuses
        return "/".join((self.task, self.difficulty, *extras))


SCENARIOS = {
    each.name: each
    for task in TASK_NAMES
    for difficulty in DIFFICULTIES
    for executor in get_args(Executor)
    for refuses in (False, True)
    for each in (Scenario(task, difficulty, executor, refuses),)
}


def scenario_named(text: str) -> Scenario:
    """Raises ValueError in the operator's words for a text that names none."""
    if text in SCENARIOS:
        return SCENARIOS[text]
    task, _, rest = text.partition("/")
    if task not in TASK_NAMES:
        raise ValueError(f"scenario {text} names no task. Choose one of {', '.join(TASK_NAMES)}.")
    if rest.partition("/")[0] not in DIFFICULTIES:
        known = ", ".join(DIFFICULTIES)
        raise ValueError(f"scenario {text} names no difficulty. Write {task}/ and one of {known}.")
    raise ValueError(f"scenario {text} is unknown. After the difficulty write /delegate, /refuse or nothing.")
