"""Writing beside an episode in the browser, its mark on the timeline, and finding it from the palette."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from backend.persistence import tokens
from backend.web.app import create_app
from tests.browser.test_accessibility import AXE
from tests.support.chromium import PATIENCE_MS
from tests.support.sent import stored
from tests.support.serving import serving
from tests.web.stand import Stand, prepared


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))


@pytest.fixture(scope="module")
def address(stand: Stand) -> Iterator[str]:
    """The console in this process."""
    with serving(create_app(stand.deps())) as url:
        yield url


@pytest.fixture
def tab(chromium: Browser, stand: Stand, address: str) -> Iterator[Page]:
    """Signed in as an operator. What a browser complains of fails."""
    context = chromium.new_context(
        viewport={"width": 1600, "height": 1000}, reduced_motion="reduce", base_url=address
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"/signin?token={tokens.issue(stand.engine, 'op-1', 'sign_in', 60.0)}")
    yield page
    context.close()
    assert complaints == []


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {[node['target'] for node in each['nodes']][:3]}" for each in found]


def test_what_is_written_is_marked_changed_and_found(tab: Page, stand: Stand) -> None:
    episode = stored(stand.engine, stand.frames)
    tab.goto(f"/episodes/{episode}?at=6")
    tab.locator("#tab-annotations").click()
    form = tab.locator("#annotate-new")

    form.get_by_role("button", name="Write it").click()
    expect(form.get_by_text("There is nothing written.")).to_be_visible()
    form.locator("textarea").fill("Too close to the <wall>, @op-2")
    form.get_by_label("Tags").fill("near-miss")
    form.get_by_label("To, for a span").fill("9")
    form.get_by_role("button", name="Write it").click()

    row = tab.locator(".annotation-list > li")
    expect(row).to_contain_text("Too close to the <wall>, @op-2")
    expect(row.locator("b", has_text="@op-2")).to_be_visible()
    expect(tab.locator("#tab-annotations .count")).to_have_text("1")
    mark = tab.locator(".l-marks .mk[aria-label*='op-1: Too close']")
    expect(mark).to_have_count(1)
    expect(tab.locator(".l-marks .mk-span")).to_have_count(1)
    expect(tab.locator(".htmx-request")).to_have_count(0)
    assert violations(tab) == []

    row.get_by_role("link", name="Edit").click()
    edit = tab.locator("#annotate-old textarea")
    expect(edit).to_have_value("Too close to the <wall>, @op-2")
    edit.fill("Far too close, @op-2")
    tab.get_by_role("button", name="Save the change").click()
    expect(row).to_contain_text("Far too close")
    expect(mark).to_have_count(0)
    expect(tab.locator(".l-marks .mk[aria-label*='op-1: Far too close']")).to_have_count(1)

    tab.goto("/episodes")
    tab.keyboard.press("Control+k")
    tab.get_by_role("combobox", name="Command").fill("search all")
    tab.keyboard.press("Enter")
    tab.get_by_role("searchbox").fill("tag:near-miss far")
    tab.keyboard.press("Enter")
    expect(tab.locator(".find-moments > li")).to_have_count(1)
    assert violations(tab) == []
    tab.locator(".find-at").click()
    expect(tab.locator(".annotation-list > .is-here")).to_contain_text("Far too close")
