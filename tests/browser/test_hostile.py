"""Every kind of page with hostile text wherever anybody outside has a say: nothing of it acts, and none of it
pushes the page apart."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.stage import Stage, Theatre
from tests.browser.test_accessibility import FRAGMENTS
from tests.support.chromium import PATIENCE_MS
from tests.web.examples import EXAMPLES
from tests.web.examples import page as example
from tests.web.hostile import HOSTILE

NOT_SHOWN = {"episode/no map"} | FRAGMENTS
PAGES = {
    type(view): name
    for name, view in (EXAMPLES | example.COMPOSED).items()
    if hasattr(view, "chrome") and name not in NOT_SHOWN
}
TEXT = HOSTILE["all at once"].replace("\ud800", "") + HOSTILE["long"]
ACTS = """() => [
  ...[...document.scripts].filter((each) => !each.src.startsWith(location.origin + "/static/")),
  ...document.querySelectorAll("[onfocus], [onerror], [srcdoc], iframe, object, base"),
].map((each) => each.outerHTML.slice(0, 200))"""
WIDER = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def visitor(chromium: Browser, theatre: Theatre) -> Iterator[Page]:
    context = chromium.new_context(viewport=WIDE, base_url=theatre.url)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES.values())
def test_hostile_text_stays_text_and_in_its_place(visitor: Page, theatre: Theatre, name: str) -> None:
    stage: Stage = theatre.stage
    stage.poison = TEXT
    acted: list[str] = []
    visitor.on("dialog", lambda dialog: (acted.append(dialog.message), dialog.dismiss()))
    visitor.goto(f"/stage?{urlencode({'name': name})}")
    visitor.wait_for_load_state()
    assert acted == []
    assert visitor.evaluate(ACTS) == []
    for viewport in (PHONE, WIDE):
        visitor.set_viewport_size(viewport)
        assert visitor.evaluate(WIDER) <= 0, viewport
    assert "\u202e" not in visitor.inner_text("body")
