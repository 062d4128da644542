"""What the rules' thresholds look like to a planner, measured on episodes of the train split.

    python -m tests.bench.tabletop_notes [--episodes N]

A planner is told the tool's height and the distance between the fingers, and no truth. For each task and each
thing that its rules see happen, this prints the ranges of both at that step, and for buttons the heights
between which a press begins to count. The task notes quote these.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import NamedTuple

from robot_bridge.tabletop.tasks import TASK_NAMES
from robot_bridge.tabletop.tasks.sensing import PRESSED_BEYOND_M, apart_m
from tests.tabletop.ideal import begun, solved


class Seen(NamedTuple):
    """Centimetres. `off`: from the tool to the thing that it happened to, horizontally; -1 of nothing."""

    height: float
    opening: float
    off: float


def measured(task: str, episodes: int) -> dict[str, list[Seen]]:
    """By what happened; `cap down` and `cap up` are the steps with a button pushed far enough, and not."""
    found: dict[str, list[Seen]] = defaultdict(list)
    for episode in range(episodes):
        world = begun(task, episode, "train")
        known = 0
        for snap in solved(world):
            height, opening = snap.tcp[2] * 100, snap.opening_m * 100
            for event in world.progress.events[known:]:
                thing = snap.objects.get(event.name)
                off = -1.0 if thing is None else apart_m(snap.tcp, thing) * 100
                found[event.what].append(Seen(height, opening, off))
            known = len(world.progress.events)
            for name, depth_m in snap.buttons.items():
                if 0.0005 < depth_m < 0.02 and apart_m(snap.tcp, snap.objects[name]) < 0.02:
                    what = "cap down" if depth_m > PRESSED_BEYOND_M else "cap up"
                    found[what].append(Seen(height, opening, 0.0))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--episodes", type=int, default=12)
    episodes = parser.parse_args().episodes
    for task in TASK_NAMES:
        print(task)
        for what, rows in sorted(measured(task, episodes).items()):
            columns = zip(Seen._fields, zip(*rows, strict=True), strict=True)
            told = ", ".join(f"{name} {min(values):.1f} to {max(values):.1f}" for name, values in columns)
            print(f"  {what:10} {len(rows):4} times: {told} cm")


if __name__ == "__main__":
    main()
