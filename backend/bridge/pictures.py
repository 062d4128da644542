"""A robot's PNG as pixels. What a robot sends is not trusted: its size is looked at before it is unpacked."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from backend.usecases.framing import UnreadablePicture

LARGEST_SIDE_PX = 4096


def pixels_of(png: bytes) -> NDArray[np.uint8]:
    """Height × width × 3, uint8, RGB. Raises UnreadablePicture."""
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
            if max(picture.size) > LARGEST_SIDE_PX:
                size = f"{picture.width} × {picture.height} px"
                raise UnreadablePicture(f"{size} is more than {LARGEST_SIDE_PX} px a side")
            return np.asarray(picture.convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise UnreadablePicture(f"not a PNG: {error}") from error
