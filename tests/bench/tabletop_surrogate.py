"""How many test episodes of each tabletop task the surrogate solves, under a memory and at set rates of loss.

    python -m tests.bench.tabletop_surrogate [--episodes N] [--memory NAME] [--drop P] [--miscount P] [TASK …]

With full memory and no losses it solves them all: what it misses otherwise, the memory let it miss. Ends with
code 1 where one is not solved.
"""

from __future__ import annotations

import argparse
import sys
import time

from backend.domain.memory.configuration import NAMED
from backend.planners.surrogate.rewriting import Rates
from robot_bridge.tabletop.tasks import TASK_NAMES
from robot_bridge.tabletop.tasks.seeds import difficulty_of
from tests.planners.surrogate.playing import Play
from tests.planners.surrogate.simulated import SimulatedTable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tasks", nargs="*", default=TASK_NAMES, metavar="TASK")
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--memory", choices=NAMED, default="execution_grounded")
    parser.add_argument("--drop", type=float, default=0.0, help="share of facts lost at each rewrite")
    parser.add_argument("--miscount", type=float, default=0.0, help="share of rising counts missed at each")
    given = parser.parse_args()
    rates = Rates(drop=given.drop, miscount=given.miscount)
    solved = [_solve(task, given.episodes, given.memory, rates) for task in given.tasks]
    sys.exit(0 if all(solved) else 1)


def _solve(task: str, episodes: int, memory: str, rates: Rates) -> bool:
    began_s, calls, images, lost = time.process_time(), 0, 0, []
    for episode in range(episodes):
        played = Play(SimulatedTable(task, episode), NAMED[memory], rates, episode).to_its_end()
        calls += len(played.replies)
        images += played.images
        if not played.is_solved:
            ended = played.scene.ended or ("no verdict", f"after {len(played.log)} actions")
            lost.append(f"  {episode} ({difficulty_of(episode)}): {', '.join(ended)}\n")
    each_s = (time.process_time() - began_s) / episodes
    print(
        f"{task:18} {episodes - len(lost)}/{episodes} solved, {calls / episodes:.1f} calls and"
        f" {images / episodes:.0f} images, {each_s:.2f} s of one core each\n{''.join(lost)}",
        end="",
        flush=True,
    )
    return not lost


if __name__ == "__main__":
    main()
