"""Without colour: every state is told by a shape or a word besides, and the shapes can be told apart."""

import io
from itertools import combinations
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

LOOKED_AT = {
    "the console": "/episodes/0417",
    "the past": "/episodes/0417?at=1287",
    "the list": "/episodes",
    **{
        name: f"/stage?{urlencode({'name': name})}"
        for name in (
            "episode/held",
            "episode/invalid",
            "episode/doubt",
            "episode/live, exchange",
            "settings",
            "report",
        )
    },
}
COLOUR_ALONE = r"""() => {
  const words = /reconsider|lost|lapsed|failed|stale|refused|held|aborted|expired/i;
  const told = (each) => {
    if (each.querySelector("use") || words.test(each.textContent)) return true;
    if (getComputedStyle(each).textDecorationLine !== "none") return true;
    const isDashed = (part) => getComputedStyle(part).strokeDasharray !== "none";
    if (each instanceof SVGElement && [...each.querySelectorAll("*")].some(isDashed)) return true;
    for (let up = each, level = 0; up && level < 3; up = up.parentElement, level += 1)
      if (up.querySelector(":scope > .i, :scope > * > .i")) return true;
    return false;
  };
  const states = ".is-ask, .is-caution, .is-alarm, .is-stale, .is-down, .bad";
  return [...document.querySelectorAll(states)]
    .filter((each) => each.checkVisibility() && !told(each))
    .map((each) => `${each.className}: ${each.textContent.trim().slice(0, 60)}`);
}"""
SHAPES = ("observed", "assigned", "grasped", "delivered", "reconsider", "lost", "unsupported")
LEAST = 0.04
"""Of the square that a shape stands in, how much differs at least between two of them."""


def test_no_state_is_told_by_colour_alone(console: Page) -> None:
    found = {}
    for name, address in LOOKED_AT.items():
        console.goto(address)
        expect(console.locator("main")).to_be_visible()
        found[name] = console.evaluate(COLOUR_ALONE)
    assert {name: told for name, told in found.items() if told} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_marks_of_the_map_differ_in_greyscale(console: Page, theme: str) -> None:
    console.evaluate("(theme) => document.documentElement.dataset.theme = theme", theme)
    console.evaluate(
        """(shapes) => {
            const place = document.createElement("div");
            place.id = "shapes";
            place.append(...shapes.map((name) => {
                const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
                drawn.setAttribute("class", "i");
                drawn.setAttribute("viewBox", "0 0 16 16");
                const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
                use.setAttribute("href", `#i-${name}`);
                drawn.append(use);
                for (const [key, value] of [["width", "64px"], ["height", "64px"]]) drawn.style[key] = value;
                return drawn;
            }));
            document.querySelector("dialog[open]")?.close();
            document.body.replaceChildren(document.querySelector(".sprite"), place);
            document.documentElement.style.filter = "grayscale(1)";
        }""",
        list(SHAPES),
    )
    drawn = [
        np.asarray(Image.open(io.BytesIO(each.screenshot())).convert("L"), dtype=int)
        for each in console.locator("#shapes svg").all()
    ]
    assert len(drawn) == len(SHAPES)
    contrast = max(int(each.max()) - int(each.min()) for each in drawn)
    for (one, first), (other, second) in combinations(zip(SHAPES, drawn, strict=True), 2):
        differs = float((abs(first - second) > contrast / 3).mean())
        assert differs >= LEAST, f"{one} and {other}: {differs:.3f}"
