"""Stored frames as patches: each picture is read once."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PIL import Image

from backend.domain.execution.frames import Frame
from backend.planners.errors import MissingPictureError
from backend.planners.pictures import LoadPicture
from backend.planners.surrogate.seeing.patches import Picture
from backend.planners.surrogate.seeing.sight import Sight, sight_of

Look = Callable[[Frame], Sight]
"""What a frame shows. Raises MissingPictureError where its picture is missing."""

_KEPT = 128
"""Pictures that are kept at hand once they were read."""


def looking(load: LoadPicture) -> Look:
    @lru_cache(maxsize=_KEPT)
    def seen(sha256: str, frame: Frame) -> Sight:
        return sight_of(_read(load, frame))

    return lambda frame: seen(frame.sha256, frame)


def _read(load: LoadPicture, frame: Frame) -> Picture:
    try:
        with Image.open(io.BytesIO(load(frame)), formats=("PNG",)) as picture:
            return np.asarray(picture.convert("RGB"))
    except (KeyError, OSError, ValueError, SyntaxError) as error:
        raise MissingPictureError(
            f"Frame {frame.sha256[:12]} of camera {frame.camera} is missing, or no PNG picture."
            " Restore the stored frames, or choose a planner that needs none."
        ) from error
