"""The wrist camera, drawn and understood: containers are coloured discs from above, found by their colour,
placed by their depth. Pure, and standard library only: a picture is a bytearray of RGB, row after row.

The camera looks straight down from HEIGHT_M above a point AHEAD_M before the robot; rows go toward the robot,
columns to its right.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable
from typing import NamedTuple

WIDTH, HEIGHT = 48, 40
FOCAL_PX = 36.0
AHEAD_M, HEIGHT_M = 0.5, 0.6
TALL_M = 0.12
RADIUS_M = 0.05
COLOURS = {"bottle": (38, 122, 190), "can": (196, 62, 48)}
FLOOR = (206, 204, 198)
LEAST_PIXELS = 6
LEAST_CHROMA = 40
"""Difference between the strongest and the weakest channel; in dim light a colour has less."""

DARK_BELOW = 55
"""Mean grey level: of the floor in little more than a quarter of daylight, where colours are told last."""


class Thing(NamedTuple):
    """Metres ahead of the robot and to its left."""

    cls: str
    ahead_m: float
    left_m: float


def draw(things: Iterable[Thing], light: float) -> tuple[bytearray, list[float]]:
    """The picture, and the depth of each pixel in metres."""
    picture = bytearray(bytes(round(each * light) for each in FLOOR) * (WIDTH * HEIGHT))
    depth = [HEIGHT_M] * (WIDTH * HEIGHT)
    near_m = HEIGHT_M - TALL_M
    for cls, ahead_m, left_m in things:
        row = HEIGHT / 2 - FOCAL_PX * (ahead_m - AHEAD_M) / near_m
        column = WIDTH / 2 - FOCAL_PX * left_m / near_m
        radius = FOCAL_PX * RADIUS_M / near_m
        colour = bytes(round(each * light) for each in COLOURS[cls])
        for y in range(max(0, math.ceil(row - radius)), min(HEIGHT, math.floor(row + radius) + 1)):
            for x in range(max(0, math.ceil(column - radius)), min(WIDTH, math.floor(column + radius) + 1)):
                if (x - column) ** 2 + (y - row) ** 2 <= radius**2:
                    at = y * WIDTH + x
                    picture[3 * at : 3 * at + 3] = colour
                    depth[at] = near_m
    return picture, depth


def find(picture: bytes, depth: list[float]) -> list[Thing]:
    """Segmented by colour, each patch placed at its middle by the depth there."""
    kinds = [_kind(picture[at], picture[at + 1], picture[at + 2]) for at in range(0, len(picture), 3)]
    found = []
    for start, kind in enumerate(kinds):
        if kind is None:
            continue
        patch = _patch(kinds, start, kind)
        if len(patch) >= LEAST_PIXELS:
            row = sum(at // WIDTH for at in patch) / len(patch)
            column = sum(at % WIDTH for at in patch) / len(patch)
            depth_m = sum(depth[at] for at in patch) / len(patch)
            ahead_m = AHEAD_M - (row - HEIGHT / 2) * depth_m / FOCAL_PX
            found.append(Thing(kind, round(ahead_m, 3), round(-(column - WIDTH / 2) * depth_m / FOCAL_PX, 3)))
    return found


def is_bright(picture: bytes) -> bool:
    """Whether colours can be told at all: the floor itself is seen."""
    return sum(picture) >= DARK_BELOW * len(picture)


def _kind(red: int, green: int, blue: int) -> str | None:
    if max(red, green, blue) - min(red, green, blue) < LEAST_CHROMA:
        return None
    return "bottle" if blue > red else "can"


def _patch(kinds: list[str | None], start: int, kind: str) -> list[int]:
    """The pixels of this kind that hang together with `start`; they are taken out."""
    patch, waiting = [], [start]
    kinds[start] = None
    while waiting:
        at = waiting.pop()
        patch.append(at)
        x = at % WIDTH
        for beside in (at - WIDTH, at + WIDTH, at - 1 if x else -1, at + 1 if x < WIDTH - 1 else -1):
            if 0 <= beside < len(kinds) and kinds[beside] == kind:
                kinds[beside] = None
                waiting.append(beside)
    return patch


def png(picture: bytes, width: int, height: int) -> bytes:
    """RGB as a PNG."""
    rows = b"".join(b"\0" + picture[3 * width * y : 3 * width * (y + 1)] for y in range(height))
    parts = [b"\x89PNG\r\n\x1a\n"]
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")):
        parts.append(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
    return b"".join(parts)
