"""How many test episodes of each task a perfect script solves in the real physics, and how long they take.

    python -m tests.bench.tabletop_truth [--episodes N] [TASK …]

Ends with code 1 where one is not solved: layouts or physics are then at fault, never memory.
"""

from __future__ import annotations

import argparse
import sys
import time

from robot_bridge.tabletop.tasks import TASK_NAMES
from robot_bridge.tabletop.tasks.seeds import difficulty_of
from tests.tabletop.ideal import begun, solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tasks", nargs="*", default=TASK_NAMES, metavar="TASK")
    parser.add_argument("--episodes", type=int, default=10)
    arguments = parser.parse_args()
    results = [_solve(task, arguments.episodes) for task in arguments.tasks]
    sys.exit(0 if all(results) else 1)


def _solve(task: str, episodes: int) -> bool:
    began_s, steps, demonstrated, lost = time.process_time(), 0, 0, []
    for episode in range(episodes):
        world = begun(task, episode)
        demonstrated += len(world.shown)
        for _ in solved(world):
            pass
        steps += world.steps
        if world.verdict is None or world.verdict.status != "success":
            lost.append(f"  {episode} ({difficulty_of(episode)}): {world.verdict or 'not over'}")
    each_s = (time.process_time() - began_s) / episodes
    print(
        f"{task:18} {episodes - len(lost)}/{episodes} solved, {steps / episodes:.0f} steps and"
        f" {demonstrated / episodes:.0f} demonstrated, {each_s:.2f} s of one core each"
    )
    print("".join(f"{line}\n" for line in lost), end="", flush=True)
    return not lost


if __name__ == "__main__":
    main()
