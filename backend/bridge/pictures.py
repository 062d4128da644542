"""A robot's pictures as pixels."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from backend.usecases.framing import UnreadablePicture

LARGEST_PX = 4096


def pixels_of(png: bytes) -> NDArray[np.uint8]:
    """Height × width × 3. Raises UnreadablePicture, also for a picture that is larger than any camera's."""
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
            if max(image.size) > LARGEST_PX:
                raise UnreadablePicture(f"It measures {image.width} × {image.height} px.")
            return np.asarray(image.convert("RGB"))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UnreadablePicture(f"It is no PNG: {error}.") from error
