"""Pictures on their way to a model: by reference in every record, as data URLs only on the wire."""

from __future__ import annotations

import base64
from collections.abc import Callable

from backend.domain.execution.frames import Frame
from backend.planners.errors import MissingPictureError

LoadPicture = Callable[[Frame], bytes]
"""Reads a stored frame's bytes; raises OSError or KeyError where it is missing."""

_MEDIA_TYPES = ((b"\x89PNG\r\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))


def reference(frame: Frame) -> str:
    """How a picture stands in a record."""
    return f"sha256:{frame.sha256}"


def data_url(frame: Frame, load: LoadPicture) -> str:
    """The picture inline, or MissingPictureError: no plan is asked for with a picture left out."""
    try:
        content = load(frame)
    except (OSError, KeyError) as error:
        raise _missing(frame) from error
    for magic, media_type in _MEDIA_TYPES:
        if content.startswith(magic):
            return f"data:{media_type};base64,{base64.b64encode(content).decode()}"
    raise _missing(frame)


def nothing_stored(frame: Frame) -> bytes:
    """For planners that are never shown a picture."""
    raise KeyError(frame.sha256)


def _missing(frame: Frame) -> MissingPictureError:
    return MissingPictureError(
        f"Frame {frame.sha256[:12]} of camera {frame.camera} is missing, or no PNG, JPEG or WebP picture."
        " Restore the stored frames, or switch frames off in the memory configuration."
    )
