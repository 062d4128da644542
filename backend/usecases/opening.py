"""The first event of an episode: what it rests on, taken from the mission and the bridge's hello."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from backend.domain.episode.events import EpisodeOpened, Recorded
from backend.domain.execution.frames import View
from backend.domain.mission.mission import Mission
from backend.domain.mission.survey import surveyed
from backend.domain.refusal import Refusal
from backend.usecases.ports import Hello


class Unopenable(Exception):
    """The episode cannot begin as it was ordered; the message says why and what to do."""


def opening(
    episode: str,
    mission: Mission,
    hello: Hello,
    *,
    planner: str,
    seed: int,
    code_version: str,
    views: tuple[View, ...] = (),
) -> Recorded:
    """`episode.opened`, seq 1. `views`: those of `hello`, stored.

    What the mission leaves open (how many containers, how many steps) the world fills in; what people know of
    the site is laid over what the bridge declares. Raises Unopenable where the two do not go together.
    """
    site = hello.site if mission.site is None else surveyed(hello.site, mission.site)
    if isinstance(site, Refusal):
        raise Unopenable(str(site))
    steps = mission.budgets.steps if hello.budget_steps is None else hello.budget_steps
    filled = replace(
        mission, total=mission.total or hello.total, budgets=replace(mission.budgets, steps=steps)
    )
    event = EpisodeOpened(
        episode=episode,
        mission=filled,
        site=site,
        catalogue=hello.catalogue,
        robot=hello.robot,
        robot_pose=hello.robot_pose,
        planner=planner,
        seed=seed,
        code_version=code_version,
        held=hello.held,
        table=UNSET if hello.table is None else replace(hello.table, views=views),
    )
    return Recorded(seq=1, met_s=hello.met_s, actor="system", event=event)
