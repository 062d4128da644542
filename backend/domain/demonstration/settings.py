"""How closely demonstrations are looked at (LogLook, section 3.5 and Table 10)."""

from __future__ import annotations

from msgspec import Struct


class DemonstrationSettings(Struct, frozen=True, kw_only=True):
    """Strides in frames of the demonstration, segments in frames shown.

    `skim_every` and `inspect_every` are those of skim-then-inspect, which shows at most `inspect_most`
    frames of closer looks a segment. The baseline shows every `stride_every`th frame, or every
    `stride_long_every`th of a demonstration of more than `long_above` frames. Frames are shown with a longer
    side of `picture_px`.
    """

    skim_every: int = 8
    segment_frames: int = 24
    inspect_every: int = 2
    inspect_most: int = 24
    stride_every: int = 2
    stride_long_every: int = 4
    long_above: int = 200
    picture_px: int = 256

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}. Give a whole number from 1.")
