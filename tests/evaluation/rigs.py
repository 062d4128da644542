"""What tests hand to workers, so all of it picklable: rigs that break on purpose, above all."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from backend.rig import grid_rig
from backend.usecases.ports import Bridge, Planner
from backend.usecases.results import Arm


@dataclass(frozen=True)
class Counting:
    """Leaves a mark for every episode that was begun."""

    marks: Path

    def __call__(self, arm: Arm, seed: int) -> tuple[Bridge, Planner]:
        with (self.marks / "begun").open("a") as file:
            file.write(f"{arm.method} {seed}\n")
        return grid_rig(arm, seed)

    def begun(self) -> list[str]:
        return (self.marks / "begun").read_text().splitlines()


@dataclass(frozen=True)
class Deadly:
    """Kills its own process at seed `seed`, as often as `times` says."""

    marks: Path
    seed: int
    times: int = 1

    def __call__(self, arm: Arm, seed: int) -> tuple[Bridge, Planner]:
        if seed == self.seed:
            for number in range(self.times):
                try:
                    (self.marks / f"died-{number}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return grid_rig(arm, seed)

    def deaths(self) -> int:
        return len(list(self.marks.glob("died-*")))


def pid_after(seconds: float) -> int:
    """Of the worker that ran it; long enough for its neighbour to take the next call."""
    time.sleep(seconds)
    return os.getpid()
