"""The evaluation pages by key and on a phone: charts in the page's own tokens, tables that scroll."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stage import Theatre
from tests.support.chromium import PATIENCE_MS
from tests.web.examples import evaluation

FRAGMENTS = ("evaluation/list", "evaluation/progress")
PAGES = [name for name in evaluation.EXAMPLES if name.startswith("evaluation") and name not in FRAGMENTS]


def address(name: str) -> str:
    return f"/stage?{urlencode({'name': name})}"


@pytest.fixture(scope="module")
def phone(chromium: Browser, theatre: Theatre) -> Iterator[Page]:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", base_url=theatre.url
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_phone(phone: Page, name: str) -> None:
    phone.goto(address(name))

    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    small = phone.evaluate(
        """() => [...document.querySelectorAll("main .btn, main select, main tbody th a")]
            .map((e) => [e.textContent.trim(), e.getBoundingClientRect().height])
            .filter(([, height]) => height < 44)"""
    )
    assert small == [], "each can be hit by a finger"


def test_every_link_chart_and_wide_table_is_reached_by_key(chromium: Browser, theatre: Theatre) -> None:
    page = chromium.new_page(base_url=theatre.url, viewport={"width": 1280, "height": 800})
    page.goto(address("evaluation/run"))
    wanted = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a[href], button, select, [tabindex='0'])")].length"""
    )

    reached = set()
    for _ in range(wanted + 40):
        page.keyboard.press("Tab")
        place = page.evaluate(
            """() => [...document.querySelectorAll("main :is(a[href], button, select, [tabindex='0'])")]
                .indexOf(document.activeElement)"""
        )
        reached.add(place)

    assert set(range(wanted)) <= reached
    page.close()


def test_charts_are_drawn_in_the_page_s_own_tokens(chromium: Browser, theatre: Theatre) -> None:
    """Else they would be dark on dark."""
    page = chromium.new_page(base_url=theatre.url)
    inks: dict[str, set[str]] = {}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.goto(address("evaluation/run"))
        for part in (".chart .name", ".chart .mark.s0", ".chart .stretch.b0"):
            fill = page.locator(part).first.evaluate("(e) => getComputedStyle(e).fill")
            inks.setdefault(part, set()).add(fill)
    assert all(len(fills) == 2 for fills in inks.values()), inks
    page.close()


def test_the_command_can_be_copied(chromium: Browser, theatre: Theatre) -> None:
    context = chromium.new_context(base_url=theatre.url, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address("evaluation/none"))

    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == evaluation.COMMAND
    context.close()
