"""A camera's message made a PNG small enough for a frame."""

from __future__ import annotations

import io
import logging
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

log = logging.getLogger(__name__)

LARGEST_PX = 512
"""Of the longer side; watched frames are compared at this size."""
CHANNELS = {"rgb8": 3, "bgr8": 3, "rgba8": 4, "bgra8": 4, "mono8": 1, "8UC1": 1, "8UC3": 3}
DEPTHS = {"16UC1": "u2", "mono16": "u2", "32FC1": "f4"}


class PictureError(ValueError):
    """The message cannot be made a picture; the text says why."""


def png_of(message: dict[str, Any], blob: bytes) -> bytes:
    """Of a checked `picture` message. Raises PictureError."""
    if not blob:
        raise PictureError(f"camera {message['camera']} has sent nothing yet")
    try:
        picture = _compressed(blob) if message["encoding"] == "compressed" else _raw(message, blob)
        picture.thumbnail((LARGEST_PX, LARGEST_PX))
        file = io.BytesIO()
        picture.save(file, "PNG", compress_level=6)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PictureError(f"camera {message['camera']}: {error}") from None
    return file.getvalue()


def _compressed(blob: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(blob), formats=("JPEG", "PNG"))
    return picture.convert("RGB")


def _raw(message: dict[str, Any], blob: bytes) -> Image.Image:
    encoding, _, order = message["encoding"].partition(" ")
    width, height, step = message["width"], message["height"], message["step"]
    if encoding in CHANNELS:
        channels = CHANNELS[encoding]
        pixels = _rows(blob, "u1", height, step, width * channels).reshape(height, width, channels)
        if encoding.startswith("bgr"):
            pixels = pixels[:, :, [2, 1, 0]]
        shown = pixels[:, :, 0] if channels == 1 else pixels[:, :, :3]
        return Image.fromarray(np.ascontiguousarray(shown))
    if encoding in DEPTHS:
        kind = (">" if order == "big" else "<") + DEPTHS[encoding]
        depth = _rows(blob, kind, height, step, width).astype(np.float64)
        return Image.fromarray(_shades(depth))
    raise PictureError(f"encoding {encoding!r} is unknown; known are {', '.join([*CHANNELS, *DEPTHS])}")


def _rows(blob: bytes, kind: str, height: int, step: int, wanted: int) -> NDArray[Any]:
    size = np.dtype(kind).itemsize
    if height < 1 or wanted < 1 or step < wanted * size or len(blob) < height * step:
        raise PictureError(f"{len(blob)} bytes are no picture of {height} rows of {step} bytes")
    lines = np.frombuffer(blob, dtype=np.uint8, count=height * step).reshape(height, step)
    return np.ascontiguousarray(lines[:, : wanted * size]).view(kind)


def _shades(depth: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Near is bright; what has no depth is black."""
    known = np.isfinite(depth) & (depth > 0)
    if not known.any():
        return np.zeros(depth.shape, np.uint8)
    near, far = np.percentile(depth[known], [1, 99])
    share = np.clip((far - depth) / max(far - near, 1e-9), 0.0, 1.0)
    return np.where(known, 40 + 215 * share, 0).astype(np.uint8)


def png_or_none(message: dict[str, Any], blob: bytes) -> bytes | None:
    """None for what is no picture; the log says why."""
    try:
        return png_of(message, blob)
    except PictureError as error:
        log.warning("%s", error)
        return None
