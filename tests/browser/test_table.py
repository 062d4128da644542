"""A real tabletop episode in one visit: a pixel by mouse and by keyboard, the demonstration, axe, a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from backend.evaluation.bare import play_named
from backend.evaluation.rebuild import Place
from backend.evaluation.tabletop_arms import Setting
from backend.evaluation.tabletop_choices import tabletop_study
from backend.persistence import tokens
from backend.persistence.results import DatabaseResults
from backend.rig import world_rig
from backend.web.app import create_app
from tests.support.chromium import PATIENCE_MS
from tests.support.serving import serving
from tests.web.stand import prepared

AXE = (Path(__file__).parent / "vendor" / "axe" / "axe.min.js").read_text("utf-8")
STUDY = tabletop_study("video-unmask", "execution_grounded", "4", None, Setting(drop=0.0, miscount=0.0))


@pytest.fixture(scope="module")
def console(
    chromium: Browser, sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Page, str]]:
    """A page that is signed in, and the episode's address. It fails on any complaint of the browser."""
    stand = prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))
    results = DatabaseResults(sqlite_engine)
    run = results.start(STUDY, "1.0")
    results.add(run.id, [play_named(STUDY.arms[0], 4, world_rig).row])
    with serving(create_app(stand.deps())) as url:
        context = chromium.new_context(
            viewport={"width": 1600, "height": 1000}, base_url=url, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{url}/signin?token={tokens.issue(sqlite_engine, 'op-1', 'sign_in', 60.0)}")
        yield page, f"/episodes/{Place(run.id, 0, 4).name}"
        context.close()
    assert not complaints


def _opened(page: Page, address: str) -> None:
    """It is played again first, which may take a while; meanwhile the page fetches itself."""
    page.goto(address)
    page.wait_for_selector("#console", timeout=60_000)
    page.wait_for_load_state()


def _violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run('#evidence', {resultTypes: ['violations']})")
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found["violations"]]


def test_a_pixel_shows_its_point_by_mouse_and_by_keyboard(console: tuple[Page, str]) -> None:
    page, address = console
    _opened(page, address)
    said, front = page.locator("#probe-said"), page.locator("#probe-front")
    expect(said).to_contain_text("Click a picture")
    front.click()
    expect(said).to_contain_text("m in map")
    by_mouse = said.inner_text()
    expect(front.locator(".cross")).to_have_count(1)
    front.focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#probe-x_px")).to_have_value(re.compile(r"\d+"))
    page.keyboard.press("Enter")
    expect(said).not_to_have_text(by_mouse)
    expect(said).to_contain_text("m in map")
    assert _violations(page) == []
    page.locator("#tab-demonstration").click()
    expect(page.locator("#demonstration")).to_contain_text("frames shown")
    page.locator("#view-1").click()
    expect(page.locator("#shown-h")).to_contain_text("View 1: skim")
    assert _violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
