"""The first event of an episode: what it rests on, taken from the mission and the bridge's hello."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.episode.events import EpisodeOpened, Recorded
from backend.domain.mission.mission import Mission
from backend.usecases.ports import Hello


def opening(
    episode: str, mission: Mission, hello: Hello, *, planner: str, seed: int, code_version: str
) -> Recorded:
    """`episode.opened`, seq 1.

    What the mission leaves open (how many containers, how many steps) the world fills in.
    """
    steps = mission.budgets.steps if hello.budget_steps is None else hello.budget_steps
    filled = replace(
        mission, total=mission.total or hello.total, budgets=replace(mission.budgets, steps=steps)
    )
    event = EpisodeOpened(
        episode=episode,
        mission=filled,
        site=hello.site,
        catalogue=hello.catalogue,
        robot=hello.robot,
        robot_pose=hello.robot_pose,
        planner=planner,
        seed=seed,
        code_version=code_version,
        held=hello.held,
    )
    return Recorded(seq=1, met_s=hello.met_s, actor="system", event=event)
