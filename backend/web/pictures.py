"""Pictures that the console draws itself, and depth that it reads."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backend.domain.execution.deprojection import Depth
from backend.usecases.framing import UnreadablePicture


def depth_of(png: bytes) -> Depth:
    """Height × width, millimetres. Raises UnreadablePicture for what is no 16-bit grey PNG."""
    try:
        with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
            if picture.mode not in ("I;16", "I"):
                raise UnreadablePicture(
                    f"It is a picture of mode {picture.mode}, and depth has 16 bits of grey."
                )
            return np.asarray(picture).astype(np.uint16)
    except (OSError, ValueError, SyntaxError) as error:
        raise UnreadablePicture(f"It is no PNG: {error}.") from error


def png_of(mask: NDArray[np.bool_]) -> bytes:
    """Height × width: white where the mask is set, black elsewhere."""
    file = io.BytesIO()
    Image.fromarray(mask.astype(np.uint8) * 255).save(file, "PNG")
    return file.getvalue()
