"""From pictures to frames: stored, gated by what was watched; nothing a robot sends breaks the loop."""

import contextlib
import hashlib
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from backend.bridge.pictures import pixels_of
from backend.domain.execution.frames import WatchedFrames
from backend.domain.plans.plan import Watch
from backend.usecases.framing import FrameKeeper, UnreadablePicture
from backend.usecases.ports import Picture


class Store(dict[str, bytes]):
    def put(self, data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        self[sha256] = data
        return sha256


def png(mark: tuple[int, int] | None = None, size: tuple[int, int] = (512, 512), mode: str = "RGB") -> bytes:
    """Grey, with a white square at `mark`."""
    picture = Image.new("RGB", size, (90, 90, 90))
    if mark is not None:
        picture.paste((255, 255, 255), (mark[0] - 15, mark[1] - 15, mark[0] + 15, mark[1] + 15))
    file = io.BytesIO()
    picture.convert(mode).save(file, "PNG")
    return file.getvalue()


def recorded(*pngs: bytes, camera: str = "front") -> tuple[Picture, ...]:
    return tuple(Picture(camera=camera, step=4 * number, png=each) for number, each in enumerate(pngs))


def keep(pictures: tuple[Picture, ...], watch: Watch | None, switch: str = "gated") -> WatchedFrames | None:
    return FrameKeeper(Store().put, pixels_of)(pictures, watch, switch)


def returned(watched: WatchedFrames | None) -> list[int]:
    assert watched is not None
    return [frame.step for frame in watched.frames if frame.returned]


HERE, THERE = (100, 100), (400, 400)
MOMENT = recorded(png(), png(), png(HERE), png(HERE), png(HERE))


@pytest.mark.parametrize(
    ("watch", "switch", "steps"),
    [
        (Watch(points=(HERE,)), "gated", [4, 8]),
        (Watch(points=(THERE,)), "gated", []),
        (Watch(points=(THERE, HERE)), "gated", [4, 8]),
        (Watch(points="all"), "gated", [0, 4, 8, 12, 16]),
        (None, "gated", []),
        (Watch(points=(THERE,)), "all", [0, 4, 8, 12, 16]),
        (None, "all", [0, 4, 8, 12, 16]),
        (Watch(points="all"), "off", []),
    ],
    ids=[
        "changed where watched",
        "changed elsewhere",
        "one of two points",
        "watching all",
        "watching nothing",
        "note-only memory, whatever is watched",
        "note-only memory without watch",
        "frames switched off",
    ],
)
def test_what_the_planner_is_shown(watch: Watch | None, switch: str, steps: list[int]) -> None:
    watched = keep(MOMENT, watch, switch)

    assert returned(watched) == steps
    assert watched is not None
    assert watched.withheld == len(MOMENT) - len(steps)


def test_withheld_frames_are_stored_too_under_their_content() -> None:
    store = Store()

    watched = FrameKeeper(store.put, pixels_of)(MOMENT, None, "gated")

    assert watched is not None
    assert [store[frame.sha256] for frame in watched.frames] == [picture.png for picture in MOMENT]
    assert {(frame.width_px, frame.height_px, frame.camera) for frame in watched.frames} == {
        (512, 512, "front")
    }


def test_the_watched_camera_alone_is_kept() -> None:
    pictures = recorded(png(), png(HERE)) + recorded(png(), png(), camera="wrist")

    watched = keep(pictures, Watch(points=(HERE,), camera="wrist"))

    assert watched is not None
    assert watched.camera == "wrist"
    assert returned(watched) == []


def test_a_watch_without_a_camera_means_the_first() -> None:
    watched = keep(recorded(png(), png(HERE)) + recorded(png(), camera="wrist"), Watch(points=(HERE,)))

    assert watched is not None
    assert (watched.camera, returned(watched)) == ("front", [0, 4])


def test_a_long_action_is_thinned_out_before_anything_is_stored() -> None:
    store = Store()
    pictures = tuple(Picture(camera="front", step=step, png=png((100 + step, 200))) for step in range(90))

    watched = FrameKeeper(store.put, pixels_of)(pictures, Watch(points="all"), "gated")

    assert watched is not None
    assert len(watched.frames) == len(store) == 17
    assert watched.frames[-1].step == 89


@pytest.mark.parametrize(
    "broken",
    [b"", b"no picture", png()[:200], png(size=(4097, 1))],
    ids=["empty", "no PNG", "cut off", "too large"],
)
def test_an_unreadable_picture_is_left_out_and_the_rest_compared(broken: bytes) -> None:
    watched = keep(recorded(png(), broken, png(HERE)), Watch(points=(HERE,)))

    assert returned(watched) == [0, 8]
    with pytest.raises(UnreadablePicture):
        pixels_of(broken)


def test_nothing_readable_leaves_nothing() -> None:
    assert keep(recorded(b"", b""), Watch(points="all")) is None
    assert keep((), Watch(points="all")) is None


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1"])
def test_every_kind_of_png_is_read_as_colour(mode: str) -> None:
    pixels = pixels_of(png(mode=mode))

    assert pixels.shape == (512, 512, 3)
    assert pixels.dtype == np.uint8


SMALL = png(size=(8, 8))


@given(st.integers(0, len(SMALL) - 1), st.binary(min_size=1, max_size=12))
def test_a_damaged_png_is_read_or_refused_and_nothing_else(at: int, damage: bytes) -> None:
    damaged = SMALL[:at] + damage + SMALL[at + len(damage) :]
    with contextlib.suppress(UnreadablePicture):
        assert pixels_of(damaged).shape[2] == 3
