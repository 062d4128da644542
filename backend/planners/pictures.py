"""Pictures on their way to a model: by reference in every record, as data URLs only on the wire.

Whatever size a camera records at, the model is sent its picture with the longer side at PICTURE_PX: planners
name watch points in those pixels (`Watch`), and could not hit what they point at in any other. Frames of a
demonstration, in which nothing is pointed at, are sent smaller.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

from PIL import Image, UnidentifiedImageError

from backend.domain.execution.frames import Frame
from backend.domain.plans.plan import PICTURE_PX
from backend.planners.errors import MissingPictureError

LoadPicture = Callable[[Frame], bytes]
"""Reads a stored frame's bytes; raises OSError or KeyError where it is missing."""

_FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
_UNREADABLE = (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError)


def reference(frame: Frame) -> str:
    """How a picture stands in a record."""
    return f"sha256:{frame.sha256}"


def data_url(frame: Frame, load: LoadPicture, picture_px: int = PICTURE_PX) -> str:
    """The picture inline, its longer side at `picture_px`.

    Raises MissingPictureError: no plan is asked for with a picture left out.
    """
    try:
        media_type, content = as_sent(load(frame), picture_px)
    except (KeyError, *_UNREADABLE) as error:
        raise _missing(frame) from error
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def as_sent(stored: bytes, picture_px: int = PICTURE_PX) -> tuple[str, bytes]:
    """Media type and bytes of a stored picture, its longer side at `picture_px`.

    One of that size goes as it is stored, byte for byte; another becomes a PNG. Raises OSError or ValueError
    for what is no PNG, JPEG or WebP picture.
    """
    with Image.open(io.BytesIO(stored), formats=tuple(_FORMATS)) as picture:
        longer_px = max(picture.size)
        if longer_px == picture_px:
            return _FORMATS[picture.format or "PNG"], stored
        width_px, height_px = (max(1, round(side * picture_px / longer_px)) for side in picture.size)
        scaled = picture.convert("RGB").resize((width_px, height_px), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    scaled.save(file, "PNG")
    return "image/png", file.getvalue()


def nothing_stored(frame: Frame) -> bytes:
    """For planners that are never shown a picture."""
    raise KeyError(frame.sha256)


def _missing(frame: Frame) -> MissingPictureError:
    return MissingPictureError(
        f"Frame {frame.sha256[:12]} of camera {frame.camera} is missing, or no PNG, JPEG or WebP picture."
        " Restore the stored frames, or switch frames off in the memory configuration."
    )
