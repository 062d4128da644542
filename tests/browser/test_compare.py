"""Two episodes side by side in a browser, by the real console: one cursor by key, by pointer and played; the
address holds it; no violation in either theme, and a phone stacks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from backend.domain.command.policy import Policy
from backend.persistence import tokens
from backend.persistence.heads import order_episode
from backend.web.app import create_app
from tests.support.chromium import VIEWPORT
from tests.support.serving import serving
from tests.web.stand import prepared

PATIENCE_MS = 60_000
AXE = (Path(__file__).parent / "vendor" / "axe" / "axe.min.js").read_text("utf-8")
WAYS = {"memory-a": "attention", "memory-b": "unfiltered"}


@pytest.fixture(scope="module")
def link(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a console that has the same seed under two memories, signed in by it."""
    stand = prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))
    for name, memory in WAYS.items():
        order_episode(stand.engine, name, {"mission": {"name": "s-6"}}, "ada")
        played = stand.play("s-6", seed=1, policy=Policy(mode="auto"), memory=memory, episode=name)
        played.until(lambda state: state.ending is not None)
    with serving(create_app(stand.deps())) as url:
        yield f"{url}/signin?token={tokens.issue(sqlite_engine, 'op-1', 'sign_in', 600.0)}"


@pytest.fixture
def tab(chromium: Browser, link: str) -> Iterator[Page]:
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None,
    )
    page.goto(link)
    yield page
    context.close()
    expect.set_options(timeout=5000)
    assert not complaints


def test_two_episodes_at_one_cursor(tab: Page) -> None:
    choose(tab)
    by_key(tab)
    by_pointer(tab)
    played(tab)
    look(tab)


def choose(tab: Page) -> None:
    """From the list: the one and its like."""
    tab.get_by_role("link", name="Compare memory-a").click()
    axe(tab)
    tab.get_by_role("radio", name="B: memory-b").check()
    tab.get_by_role("button", name="Compare A and B").click()
    tab.wait_for_load_state("load")
    expect(tab.locator(".cmp-partings .is-first")).to_contain_text("Question 1: the same records")
    stands(tab, 0)


def by_key(tab: Page) -> None:
    """Both sides follow, the address too, and what was focused stays so."""
    tab.locator("#cmp-after").focus()
    tab.keyboard.press("ArrowRight")
    stands(tab, 1)
    assert "at=1" in tab.url
    assert tab.evaluate("document.activeElement.id") == "cmp-after"
    for side in ("A", "B"):
        expect(tab.locator(f"#side-{side} .cmp-now")).not_to_contain_text("00:00:00")
    beyond = leads(tab, "#cmp-parting-after")
    tab.keyboard.press("Shift+ArrowRight")
    stands(tab, beyond)
    expect(tab.locator(".cmp-partings [aria-current]").first).to_be_in_viewport()
    tab.reload()
    stands(tab, beyond)
    back = leads(tab, "#cmp-parting-before")
    tab.keyboard.press("Shift+ArrowLeft")
    stands(tab, back)
    assert back < beyond


def by_pointer(tab: Page) -> None:
    """Counted by deliveries, the lanes are dragged to the middle; then a difference is clicked."""
    tab.get_by_role("link", name="By delivery").click()
    expect(tab.locator("#cmp-lanes")).to_have_attribute("data-by", "delivery")
    box = tab.locator(".cmp-head").bounding_box()
    assert box is not None
    y = box["y"] + 18
    tab.mouse.move(box["x"] + 2, y)
    tab.mouse.down()
    tab.mouse.move(box["x"] + box["width"] / 2, y, steps=4)
    expect(tab.locator("#cmp-head text")).to_have_text("DELIVERY 3")
    tab.mouse.up()
    stands(tab, 3)
    for side in ("A", "B"):
        expect(tab.locator(f"#side-{side} .cmp-facts dd").first).to_have_text("3 of 6")
    tab.locator("#part-1").click()
    stands(tab, 0)


def played(tab: Page) -> None:
    tab.get_by_label("Speed").select_option("16")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("Space")
    expect(tab.locator("#cmp-here")).to_have_text("Delivery 6")
    expect(tab.locator("#cmp-play")).to_have_attribute("aria-pressed", "false")
    stands(tab, 6)


def look(tab: Page) -> None:
    high = tab.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert high <= 0, "where there is room for all, nothing hidden makes the page longer"
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        axe(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    axe(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    tops = [tab.locator(f"#side-{side}").evaluate("(e) => e.getBoundingClientRect().left") for side in "AB"]
    assert tops[0] == tops[1], "stacked"
    small = tab.evaluate(
        """() => [...document.querySelectorAll("#compare :is(.btn, .cmp-go, .cmp-open a)")]
            .map((e) => [e.textContent.trim(), e.getBoundingClientRect().height])
            .filter(([, height]) => height < 44)"""
    )
    assert small == [], "each can be hit by a finger"


def leads(tab: Page, selector: str) -> float:
    """The place that a link of the cursor leads to."""
    address = tab.locator(selector).get_attribute("href") or ""
    return float(address.rpartition("at=")[2])


def stands(tab: Page, place: float) -> None:
    expect(tab.locator("#cmp-lanes")).to_have_attribute("data-at", f"{float(place)}")
    expect(tab.locator("#compare.htmx-request")).to_have_count(0)


def axe(tab: Page) -> None:
    """Once nothing is fetched, swapped or moving any more: colours in between are nobody's."""
    tab.wait_for_function(
        "!document.getAnimations().length && !document.querySelector("
        "'.htmx-request, .htmx-swapping, .htmx-settling')"
    )
    tab.evaluate(AXE)
    found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []
