"""Every pair of tokens that is read is legible in both themes (WCAG 2.2, 1.4.3 and 1.4.11).

Contrast is a ratio of luminances, so what holds here holds in greyscale; that no state is told by colour
alone is tested in tests/browser/test_greyscale.py.
"""

from __future__ import annotations

import re

import pytest

from tests.support.checkout import ROOT

TOKENS = (ROOT / "static" / "css" / "tokens.css").read_text("utf-8")
THEMES = ("light", "dark")
TEXT, PART = 4.5, 3.0
"""The least contrast of text, and of a part that must be made out."""

SURFACES = (
    "ground",
    "surface",
    "surface-head",
    "surface-raised",
    "surface-sunken",
    "surface-hover",
    "control",
)
READ = {
    **dict.fromkeys(("text", "text-2"), (*SURFACES, "surface-select", "control-hover")),
    "text-3": SURFACES,
    "ask": ("surface", "surface-raised", "surface-sunken", "surface-hover", "control", "ask-wash"),
    "caution": ("surface", "surface-raised", "surface-sunken", "surface-hover", "control", "caution-wash"),
    "alarm": ("surface", "surface-raised", "surface-sunken", "surface-hover", "control", "alarm-wash"),
    "replay": ("surface", "surface-raised", "surface-sunken", "replay-wash"),
    "on-ask": ("ask-fill", "ask-hover"),
    "on-alarm": ("alarm",),
    "on-replay": ("replay-fill",),
    "on-hold": ("hold-fill",),
}
MADE_OUT = {
    "line-control": ("surface", "surface-raised", "control"),
    "mark": ("map-free", "map-seen", "surface"),
    "mark-2": ("surface", "surface-raised", "map-free"),
    "map-wall": ("map-free", "map-seen"),
    "ask": ("map-free", "map-seen"),
    "caution": ("map-free", "map-seen"),
    "alarm": ("map-free", "map-seen"),
    "hold-fill": ("surface",),
}
PAIRS = [
    (theme, over, under, least)
    for table, least in ((READ, TEXT), (MADE_OUT, PART))
    for over, unders in table.items()
    for under in unders
    for theme in THEMES
]


def colour(name: str, theme: str) -> tuple[float, float, float]:
    """Red, green and blue, 0 to 1."""
    found = re.search(rf"--{name}:\s*(?:light-dark\(#(\w+), #(\w+)\)|#(\w+))", TOKENS)
    assert found is not None, f"no token {name}"
    code = found[3] or found[1 + THEMES.index(theme)]
    assert len(code) == 6, f"{name} is no plain colour"
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def luminance(name: str, theme: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour(name, theme)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("theme", "over", "under", "least"),
    PAIRS,
    ids=[f"{over} on {under}, {theme}" for theme, over, under, _ in PAIRS],
)
def test_a_pair_of_tokens_is_legible(theme: str, over: str, under: str, least: float) -> None:
    lighter, darker = sorted((luminance(over, theme), luminance(under, theme)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= least
