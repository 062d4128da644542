"""Pictures that the console draws itself."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def png_of(mask: NDArray[np.bool_]) -> bytes:
    """Height × width: white where the mask is set, black elsewhere."""
    file = io.BytesIO()
    Image.fromarray(mask.astype(np.uint8) * 255).save(file, "PNG")
    return file.getvalue()
