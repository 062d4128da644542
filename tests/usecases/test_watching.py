"""An episode at a table begins with its pictures stored: the views, and the whole demonstration."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import pytest
from PIL import Image

from backend.bridge.pictures import pixels_of
from backend.domain.episode.events import DemonstrationRecorded, EpisodeOpened
from backend.domain.episode.evolve import fold
from backend.domain.execution.deprojection import Calibration
from backend.domain.geometry import Pose
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import Mission, World
from backend.domain.mission.table import Table
from backend.usecases.framing import FrameKeeper, UnreadablePicture, size_of
from backend.usecases.ports import BridgeRefused, Hello, Picture
from backend.usecases.watching import opened_with_pictures
from tests.domain.plans.table import DIRECT, SITE

STRAIGHT = Calibration(fx_px=8, fy_px=8, cx_px=8, cy_px=8, map_from_camera=(1.0,) * 16)


def png(size_px: int = 16, mode: str = "RGB", shade: int = 0) -> bytes:
    file = io.BytesIO()
    colour: Any = (shade, 0, 0) if mode == "RGB" else shade
    Image.new(mode, (size_px, size_px), colour).save(file, "PNG")
    return file.getvalue()


class Store:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        self.kept[name] = data
        return name


class Showing:
    """A bridge with a demonstration and nothing else."""

    def __init__(self, film: list[bytes]) -> None:
        self.film = film
        self.asked: list[tuple[int, int]] = []

    def demonstration(self, first: int, count: int) -> tuple[Picture, ...]:
        self.asked.append((first, count))
        frames = enumerate(self.film[first : first + count], start=first)
        return tuple(Picture(camera="front", step=step, png=each) for step, each in frames)


def hello(film: int, *views: Picture) -> Hello:
    table = Table(instruction="Do it.", task="bin-fill", difficulty="easy", executor="direct", step_s=0.05)
    return Hello(
        robot="arm", robot_pose=Pose(0, 0), held=None, met_s=0.0, catalogue=DIRECT, site=SITE, initial=(),
        total=0, budget_steps=1300, ledger_id="", table=table, views=views, demonstration=film,
    )  # fmt: skip


def opened(bridge: Any, told: Hello, store: Store, memory: str = "execution_grounded") -> list[Any]:
    mission = Mission(
        name="m", title="", goal="", completion="", world=World(name="tabletop"), memory=NAMED[memory]
    )
    keep = FrameKeeper(store.put, pixels_of)
    return opened_with_pictures(
        "e1", mission, told, bridge, keep, planner="openai", seed=1, code_version="test"
    )


def test_the_whole_demonstration_is_stored_before_it_is_named() -> None:
    store, bridge = Store(), Showing([png(shade=shade) for shade in range(70)])

    events = opened(bridge, hello(70), store)

    assert [each.seq for each in events] == [1, 2]
    film = events[1].event.film
    assert isinstance(events[1].event, DemonstrationRecorded)
    assert (len(film), film.width_px, film.steps[-1]) == (70, 16, 69)
    assert store.kept[film.frame(69).sha256] == png(shade=69)
    assert bridge.asked == [(0, 32), (32, 32), (64, 32)]
    state = fold(events)
    assert state.at_table is not None
    assert state.at_table.viewing is not None


def test_a_memory_without_demonstrations_fetches_none() -> None:
    bridge = Showing([png()])

    assert len(opened(bridge, hello(1), Store(), memory="attention")) == 1
    assert bridge.asked == []


def test_views_keep_depth_and_calibration_where_they_fit_the_picture() -> None:
    store = Store()
    sound = Picture(camera="front", step=0, png=png(), depth_png=png(mode="I;16"), calibration=STRAIGHT)
    other = Picture(camera="wrist", step=0, png=png(), depth_png=png(8, mode="I;16"))
    broken = Picture(camera="side", step=0, png=b"no picture")

    [event] = opened(Showing([]), hello(0, sound, other, broken), store)

    assert isinstance(event.event, EpisodeOpened)
    assert event.event.table
    front, wrist = event.event.table.views
    assert (front.frame.camera, front.calibration) == ("front", STRAIGHT)
    assert store.kept[front.depth_sha256 or ""] == png(mode="I;16")
    assert (wrist.frame.camera, wrist.depth_sha256) == ("wrist", None)


@pytest.mark.parametrize(
    ("film", "told", "error"),
    [
        ([png(), png(8)], 2, UnreadablePicture),
        ([b"none", b"none"], 2, UnreadablePicture),
        ([png()], 2, BridgeRefused),
    ],
    ids=["two sizes", "no picture", "fewer than told"],
)
def test_a_broken_demonstration_opens_nothing(film: list[bytes], told: int, error: type[Exception]) -> None:
    with pytest.raises(error, match="demonstration"):
        opened(Showing(film), hello(told), Store())


@pytest.mark.parametrize("head", [b"", b"\x89PNG\r\n\x1a\n", png()[:20]])
def test_half_a_head_is_no_picture(head: bytes) -> None:
    assert size_of(head) is None
