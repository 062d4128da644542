"""The few SVG elements that the charts are made of.

Colours are presentation attributes, which a page's style sheet overrides by class: a page has its tokens, a
file still has its colours, and neither needs an inline style.
"""

from __future__ import annotations

from html import escape

INK, INK_2, INK_3, RULE = "#2b3238", "#69727a", "#8d969e", "#d3d7da"

TONES = (INK, INK_2, INK_2, INK_3, INK_3)
DASHES = ("", "", "6 3", "2 3", "7 3 2 3")
BARS = (INK, INK_3, "#ffffff", RULE)
SHAPES = ("disc", "square", "triangle", "diamond", "ring")
"""A series is told by its mark's shape and its line's dashes, never by hue."""


def picture(width: int, height: int, title: str, body: list[str]) -> str:
    """A whole SVG. `title` is what a screen reader says of it."""
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{escape(title)}" '
        f'font-family="system-ui, sans-serif" font-size="12">'
    )
    return "\n".join([opening, f"<title>{escape(title)}</title>", *body, "</svg>", ""])


def text(
    x: float, y: float, words: str, *, anchor: str = "start", role: str = "label", turned: bool = False
) -> str:
    turn = f' transform="rotate(-90 {x:g} {y:g})"' if turned else ""
    fill = INK if role == "name" else INK_2
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text class="{role}" {place} fill="{fill}"{turn}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, role: str = "rule") -> str:
    stroke = RULE if role == "rule" else INK_2
    return f'<line class="{role}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}"/>'


def polyline(points: list[tuple[float, float]], series: int) -> str:
    way = " ".join(f"{x:g},{y:g}" for x, y in points)
    dash = DASHES[series % len(DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polyline class="series s{series}" points="{way}" fill="none" stroke="{_tone(series)}" '
        f'stroke-width="1.5"{dashes}/>'
    )


def whisker(x1: float, y1: float, x2: float, y2: float, series: int) -> str:
    """An interval, from end to end."""
    return (
        f'<line class="whisker s{series}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
        f'stroke="{_tone(series)}" stroke-width="1.5"/>'
    )


def mark(x: float, y: float, series: int, note: str = "") -> str:
    """A value. `note` appears on hovering."""
    inside = f"<title>{escape(note)}</title>" if note else ""
    shape, tone = SHAPES[series % len(SHAPES)], _tone(series)
    fill = "none" if shape == "ring" else tone
    if shape in ("disc", "ring"):
        body = f'<circle class="mark s{series}" cx="{x:g}" cy="{y:g}" r="4"'
    else:
        body = f'<path class="mark s{series}" d="{_PATHS[shape].format(x=x, y=y)}"'
    return f'{body} fill="{fill}" stroke="{tone}" stroke-width="1.5">{inside}</{body[1:].split()[0]}>'


def cross(x: float, y: float, note: str = "") -> str:
    """Something that was not there."""
    inside = f"<title>{escape(note)}</title>" if note else ""
    way = f"M {x - 4:g} {y - 4:g} l 8 8 m 0 -8 l -8 8"
    return f'<path class="cross" d="{way}" fill="none" stroke="{INK}" stroke-width="2">{inside}</path>'


def bar(x: float, y: float, width: float, height: float, series: int, note: str = "") -> str:
    """A stretch of a bar. The lighter ones keep their outline."""
    inside = f"<title>{escape(note)}</title>" if note else ""
    look = series % len(BARS)
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect class="stretch b{look}" {place} fill="{BARS[look]}" stroke="{INK_2}">{inside}</rect>'


def dot(x: float, y: float) -> str:
    """One of many."""
    return f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="1.8" fill="{INK_3}"/>'


_PATHS = {
    "square": "M {x:g} {y:g} m -3.5 -3.5 h 7 v 7 h -7 z",
    "triangle": "M {x:g} {y:g} m 0 -4.5 l 4.5 8 h -9 z",
    "diamond": "M {x:g} {y:g} m 0 -5 l 5 5 l -5 5 l -5 -5 z",
}


def _tone(series: int) -> str:
    return TONES[series % len(TONES)]
