"""When a disk is too full to go on like this."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SCARCE_SHARE, SCARCE_BYTES = 0.10, 5 * 10**9
OUT_SHARE, OUT_BYTES = 0.02, 5 * 10**8


class Room(Struct, frozen=True, kw_only=True):
    """`state`: enough; scarce, see to it; nearly out, runners will stop when nothing can be written."""

    free_bytes: int
    total_bytes: int
    state: Literal["enough", "scarce", "out"]


def room_of(free_bytes: int, total_bytes: int) -> Room:
    """Scarce is a tenth of the disk or 5 GB, whichever is less; nearly out a fiftieth or 0.5 GB."""
    state: Literal["enough", "scarce", "out"] = "enough"
    if free_bytes < min(SCARCE_BYTES, SCARCE_SHARE * total_bytes):
        state = "scarce"
    if free_bytes < min(OUT_BYTES, OUT_SHARE * total_bytes):
        state = "out"
    return Room(free_bytes=free_bytes, total_bytes=total_bytes, state=state)
