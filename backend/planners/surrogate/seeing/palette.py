"""The colours of the tabletop as data: a test holds them to the world's own."""

from __future__ import annotations

from collections.abc import Mapping

NAMED: Mapping[str, tuple[int, int, int]] = {
    "red": (214, 30, 36),
    "green": (30, 160, 60),
    "blue": (30, 80, 216),
    "yellow": (250, 214, 20),
    "purple": (130, 40, 170),
    "orange": (246, 130, 20),
    "cyan": (20, 200, 214),
    "pink": (250, 130, 200),
    "white": (255, 255, 255),
    "black": (16, 16, 18),
    "brown": (118, 70, 30),
}
"""What an instruction names things by."""

FURNITURE: Mapping[str, tuple[int, int, int]] = {
    "arm": (150, 152, 158),
    "finger": (70, 72, 80),
    "container": (96, 116, 160),
    "bin": (60, 120, 110),
    "button": (190, 20, 110),
    "button_base": (110, 20, 60),
    "target": (170, 220, 120),
    "hole": (110, 130, 60),
    "stick": (180, 120, 90),
    "node": (20, 36, 90),
    "hook": (180, 150, 230),
    "highlight": (255, 255, 110),
}
"""What is known by its colour alone."""

PALETTE: Mapping[str, tuple[int, int, int]] = {**NAMED, **FURNITURE}
