"""From an action's pictures to the frames the planner is shown: thin out, gate, store (LogLook, 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from backend.domain.demonstration.film import Film
from backend.domain.execution.frames import Frame, View, WatchedFrames
from backend.domain.execution.gating import Gated, GatingSettings, gate
from backend.domain.execution.gating import Picture as Pixels
from backend.domain.execution.recording import kept
from backend.domain.plans.plan import Watch
from backend.usecases.ports import Picture


class UnreadablePicture(Exception):
    """What a robot sent as a picture is none: the message says why."""


class FrameKeeper:
    """`put` stores a picture and returns its SHA-256; `decode` turns a PNG into pixels (H × W × 3, uint8) or
    raises UnreadablePicture. Withheld pictures are stored too: they are evidence, if not the planner's."""

    def __init__(
        self,
        put: Callable[[bytes], str],
        decode: Callable[[bytes], Pixels],
        settings: GatingSettings | None = None,
    ) -> None:
        self._put = put
        self._decode = decode
        self._settings = settings

    def __call__(
        self, pictures: tuple[Picture, ...], watch: Watch | None, switch: str
    ) -> WatchedFrames | None:
        """What is left of an action's `pictures`; None without any that can be read. `switch` is `frames` of
        the memory configuration: under "all" every frame is returned, whatever was watched."""
        camera = _camera(pictures, watch)
        taken = [picture for picture in pictures if picture.camera == camera]
        chosen = [taken[index] for index in kept([picture.step for picture in taken])]
        readable = list(self._readable(chosen))
        if not readable:
            return None
        gated = gate([pixels for _, pixels in readable], _watched(watch, switch), self._settings)
        return WatchedFrames(
            camera=camera, watch=watch, frames=self._frames(readable, gated), withheld=gated.withheld
        )

    def views(self, pictures: Sequence[Picture]) -> tuple[View, ...]:
        """Each camera's view with its depth and calibration, stored; without what is no picture."""
        return tuple(self._view(picture, size) for picture in pictures if (size := size_of(picture.png)))

    def _view(self, picture: Picture, size: tuple[int, int]) -> View:
        has_depth = picture.depth_png is not None and size_of(picture.depth_png) == size
        frame = Frame(
            sha256=self._put(picture.png),
            width_px=size[0],
            height_px=size[1],
            camera=picture.camera,
            step=picture.step,
        )
        depth = self._put(picture.depth_png) if picture.depth_png is not None and has_depth else None
        return View(frame=frame, depth_sha256=depth, calibration=picture.calibration)

    def film(self, pictures: Sequence[Picture]) -> Film:
        """A demonstration, stored. Raises UnreadablePicture where a frame is none, or of another size."""
        sizes = {size_of(picture.png) for picture in pictures}
        size = sizes.pop() if len(sizes) == 1 else None
        if size is None:
            raise UnreadablePicture("The demonstration's frames are no PNG pictures of one size.")
        return Film(
            camera=pictures[0].camera,
            width_px=size[0],
            height_px=size[1],
            steps=tuple(picture.step for picture in pictures),
            sha256s=tuple(self._put(picture.png) for picture in pictures),
        )

    def _readable(self, pictures: Sequence[Picture]) -> list[tuple[Picture, Pixels]]:
        """A picture damaged on its way says nothing: the frames beside it are compared with each other."""
        found = []
        for picture in pictures:
            try:
                found.append((picture, self._decode(picture.png)))
            except UnreadablePicture:
                continue
        return found

    def _frames(self, readable: list[tuple[Picture, Pixels]], gated: Gated) -> tuple[Frame, ...]:
        return tuple(
            Frame(
                sha256=self._put(picture.png),
                width_px=pixels.shape[1],
                height_px=pixels.shape[0],
                camera=picture.camera,
                step=picture.step,
                share=share,
                returned=returned,
            )
            for (picture, pixels), share, returned in zip(readable, gated.shares, gated.returned, strict=True)
        )


_HEAD = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
"""How every PNG begins; width and height follow, four bytes each."""


def size_of(png: bytes) -> tuple[int, int] | None:
    """Width and height in pixels as a PNG's head tells them; None of what is no PNG."""
    if not png.startswith(_HEAD) or len(png) < len(_HEAD) + 8:
        return None
    at = len(_HEAD)
    width_px = int.from_bytes(png[at : at + 4], "big")
    height_px = int.from_bytes(png[at + 4 : at + 8], "big")
    return (width_px, height_px) if width_px and height_px else None


def _camera(pictures: tuple[Picture, ...], watch: Watch | None) -> str:
    """The camera watched, else the first that recorded."""
    if watch is not None and watch.camera:
        return watch.camera
    return pictures[0].camera if pictures else ""


def _watched(watch: Watch | None, switch: str) -> tuple[tuple[float, float], ...] | Literal["all"] | None:
    if switch == "all":
        return "all"
    return None if watch is None or switch == "off" else watch.points
