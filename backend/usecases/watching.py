"""The beginning of an episode at a table: its views and its demonstration, stored before they are named."""

from __future__ import annotations

from collections.abc import Callable

from backend.domain.demonstration.viewing import Viewing
from backend.domain.episode.demonstration_events import DemonstrationRecorded
from backend.domain.episode.events import Recorded
from backend.domain.mission.mission import Mission
from backend.usecases.framing import FrameKeeper
from backend.usecases.opening import opening
from backend.usecases.ports import Bridge, BridgeRefused, Hello, Picture

AT_ONCE = 32
"""Frames asked for in one message."""


def opened_with_pictures(
    episode: str,
    mission: Mission,
    hello: Hello,
    bridge: Bridge,
    keep: FrameKeeper | None,
    *,
    planner: str,
    seed: int,
    code_version: str,
    between: Callable[[], None] = lambda: None,
) -> list[Recorded]:
    """The first events of an episode: `episode.opened`, and the demonstration, if its world has one to show.

    `between` is called after each handful of its frames, for who holds a lease or feeds a watchdog meanwhile.
    Raises Unopenable, BridgeUnreachable, BridgeRefused and UnreadablePicture.
    """
    views = () if keep is None else keep.views(hello.views)
    first = opening(
        episode, mission, hello, planner=planner, seed=seed, code_version=code_version, views=views
    )
    switch = mission.memory.demonstration
    if keep is None or hello.demonstration == 0 or switch == "off" or planner == "operator":
        return [first]
    film = keep.film(_demonstration(bridge, hello.demonstration, between))
    viewing = Viewing(total=len(film), switch=switch)
    shown = DemonstrationRecorded(film=film, viewing=viewing)
    return [first, Recorded(seq=2, met_s=hello.met_s, actor="system", event=shown)]


def _demonstration(bridge: Bridge, total: int, between: Callable[[], None]) -> list[Picture]:
    pictures: list[Picture] = []
    while len(pictures) < total:
        more = bridge.demonstration(len(pictures), AT_ONCE)
        if not more:
            raise BridgeRefused(
                "bad_demonstration",
                f"The bridge gave {len(pictures)} of {total} frames of its demonstration.",
            )
        pictures += more
        between()
    return pictures[:total]
