"""What-ifs in a browser: from the replay's exchange to the form, whose estimate follows what is typed, to the
answer, which comes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import Engine

from backend.domain.command.policy import Policy
from backend.persistence import tokens
from backend.web.app import create_app
from tests.browser.test_accessibility import AXE
from tests.support.chromium import VIEWPORT
from tests.support.serving import serving
from tests.web.stand import prepared

PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def visit(
    chromium: Browser, sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Page, str]]:
    """A page of op-1's, and an episode that has ended."""
    stand = prepared(sqlite_engine, Path(tmp_path_factory.mktemp("frames")))
    stand.asking = ThreadPoolExecutor(1)
    played = stand.play("s-6", seed=3, policy=Policy(mode="auto"))
    episode = played.until(lambda state: state.ending is not None).episode
    with serving(create_app(stand.deps())) as url:
        context = chromium.new_context(
            viewport=VIEWPORT, base_url=url, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"/signin?token={tokens.issue(stand.engine, 'op-1', 'sign_in', 600.0)}")
        yield page, episode
        context.close()


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['target']}" for each in found]


def test_from_the_exchange_to_an_answer_beside_the_original(visit: tuple[Page, str]) -> None:
    page, episode = visit
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"/episodes/{episode}?at=40&tab=exchange")
    page.get_by_role("link", name="What if").click()
    page.wait_for_url("**/whatif?at=*")
    page.wait_for_load_state()  # what is typed before its scripts are there, changes nothing yet
    heading, look = page.get_by_role("heading", level=1), page.locator("#look")
    says(heading, "What if, at call 2")
    says(look, "nothing changed")

    page.get_by_label("K", exact=True).fill("many")
    says(look, "A field cannot be read.")
    expect(look.get_by_role("button")).to_have_count(0)
    page.get_by_label("K", exact=True).fill("1")
    says(look, "Call 2, K 1")
    page.get_by_label("And run its world on").check()
    says(look.get_by_role("button"), "Ask and run on")
    look.get_by_text("Retrieved records:").click()
    expect(look.locator(".difflines li").first).to_be_visible(timeout=PATIENCE_MS)

    look.get_by_role("button").click()
    says(heading, "What if: K 1")
    expect(page.get_by_role("heading", name="How it went on")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".whatif-side")).to_have_count(2)
    assert page.locator("#result").get_attribute("hx-trigger") is None, "it is done, and rests"
    assert violations(page) == []
    assert complaints == []


def says(part: Locator, text: str) -> None:
    expect(part).to_contain_text(text, timeout=PATIENCE_MS)
