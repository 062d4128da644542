"""The colours of the tabletop. Nothing is shaded, so each is one exact RGB in every picture.

Any two differ by more than LEAST_APART levels in some channel, so that a detector by colour is exact.
"""

from __future__ import annotations

from collections.abc import Mapping

LEAST_APART = 40

RGB: Mapping[str, tuple[int, int, int]] = {
    # What surrounds the task.
    "background": (186, 208, 236),
    "table": (214, 200, 172),
    "arm": (150, 152, 158),
    "finger": (70, 72, 80),
    # What cubes, pegs and targets may be named by.
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
    # What else stands on the table.
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


def rgba(name: str) -> tuple[float, float, float, float]:
    """As MuJoCo takes it, opaque. Raises KeyError for a name that is none."""
    red, green, blue = RGB[name]
    return red / 255, green / 255, blue / 255, 1.0
