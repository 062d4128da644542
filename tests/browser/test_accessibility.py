"""Every page under axe (WCAG 2.2 A and AA, best practices), light and dark, wide and on a phone."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.stage import Theatre
from tests.web.examples import EXAMPLES
from tests.web.examples import page as example

AXE = (Path(__file__).parent / "vendor" / "axe" / "axe.min.js").read_text("utf-8")
SIZES = {
    "wide": {"width": 1600, "height": 1000},
    "low": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 844},
}
LOOKS = [("light", "wide"), ("dark", "low"), ("light", "phone"), ("dark", "wide")]
FRAGMENTS = {
    "episode/replayed",
    "episodes/list",
    "episodes/row",
    "evaluation/list",
    "evaluation/progress",
    "settings/one planner",
    "whatif/look",
    "whatif/under way",
}
OURS = (
    "compare/", "episode/", "episodes", "evaluation", "new", "signin", "error", "missions", "sites",
    "settings", "report", "access", "accounts", "api", "search", "storage", "whatif",
)  # fmt: skip
PAGES = {
    name: f"/stage?{urlencode({'name': name})}"
    for name in EXAMPLES | example.COMPOSED
    if name.startswith(OURS) and name not in FRAGMENTS
}
# These in every look; the others, which share their parts, in one look each, by turns.
MAIN = {"console": "/episodes/0417", "replay": "/episodes/0417?at=1287", "list": "/episodes"}
SHOWN = [(name, address, look) for name, address in MAIN.items() for look in LOOKS] + [
    (name, address, LOOKS[turn % len(LOOKS)]) for turn, (name, address) in enumerate(PAGES.items())
]


@pytest.fixture(scope="module")
def contexts(chromium: Browser, theatre: Theatre) -> Iterator[dict[tuple[str, str], BrowserContext]]:
    made = {
        (theme, size): chromium.new_context(
            viewport=SIZES[size], color_scheme=theme, reduced_motion="reduce", base_url=theatre.url
        )
        for theme, size in LOOKS
    }
    yield made
    for context in made.values():
        context.close()


@pytest.mark.parametrize(
    ("address", "look"),
    [(address, look) for _, address, look in SHOWN],
    ids=[f"{name}, {' '.join(look)}" for name, _, look in SHOWN],
)
def test_a_page_has_no_violations(
    contexts: dict[tuple[str, str], BrowserContext], address: str, look: tuple[str, str]
) -> None:
    page = contexts[look].new_page()
    page.goto(address)
    if page.locator("#map-view").count():
        page.wait_for_selector(".map-mark.is-told")
        page.wait_for_selector(".l-head")
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.close()
    assert [(v["id"], v["help"], [n["target"] for n in v["nodes"]][:3]) for v in found] == []
