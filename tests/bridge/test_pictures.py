"""A robot's pictures become pixels, and what is none is refused before it fills the memory."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from backend.bridge.pictures import LARGEST_PX, pixels_of
from backend.usecases.framing import UnreadablePicture


def picture(kind: str, mode: str = "RGB", size: tuple[int, int] = (4, 3)) -> bytes:
    written = io.BytesIO()
    Image.new(mode, size, 200 if mode == "L" else (10, 20, 30)).save(written, kind)
    return written.getvalue()


def test_a_png_is_height_by_width_by_three() -> None:
    pixels = pixels_of(picture("PNG"))

    assert (pixels.shape, pixels.dtype) == ((3, 4, 3), np.uint8)
    assert pixels[0, 0].tolist() == [10, 20, 30]


def test_a_grey_png_has_three_equal_channels() -> None:
    assert pixels_of(picture("PNG", "L"))[2, 3].tolist() == [200, 200, 200]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "It is no PNG"),
        (b"not a picture", "It is no PNG"),
        (picture("JPEG"), "It is no PNG"),
        (picture("PNG", size=(64, 64))[:60], "It is no PNG"),
        (picture("PNG", "L", (LARGEST_PX + 1, 1)), f"It measures {LARGEST_PX + 1} × 1 px"),
    ],
    ids=["empty", "text", "another kind", "cut short", "too large"],
)
def test_what_is_no_picture_of_a_camera_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(UnreadablePicture, match=told):
        pixels_of(data)
