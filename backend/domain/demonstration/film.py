"""A demonstration's frames by reference, as they were stored when the episode began."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.execution.frames import Frame


class Film(Struct, frozen=True, kw_only=True):
    """Pictures of one camera and size, in order. `steps` are the demonstration's own, not the episode's."""

    camera: str
    width_px: int
    height_px: int
    steps: tuple[int, ...]
    sha256s: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.sha256s)

    @property
    def frames(self) -> tuple[Frame, ...]:
        return tuple(self.frame(index) for index in range(len(self)))

    def frame(self, index: int) -> Frame:
        return Frame(
            sha256=self.sha256s[index],
            width_px=self.width_px,
            height_px=self.height_px,
            camera=self.camera,
            step=self.steps[index],
        )
