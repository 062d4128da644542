"""Two times and their why in a browser, with the real application: the map draws both, links lead on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from backend.domain.command.policy import Policy
from backend.persistence import tokens
from backend.web.app import create_app
from tests.browser.test_accessibility import AXE, SIZES
from tests.support.serving import serving
from tests.web.stand import prepared

PATIENCE_MS = 60_000
GRASP = 256
"""The grasp of bottle_05 goes here, in DN-14 with seed 1, and finds nothing."""


@dataclass(frozen=True)
class Site:
    url: str
    link: str
    episode: str


@pytest.fixture(scope="module")
def site(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A console whose one episode has ended."""
    stand = prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))
    played = stand.play("dn-14", seed=1, policy=Policy(mode="auto"))
    played.until(lambda state: state.ending is not None)
    with serving(create_app(stand.deps())) as url:
        token = tokens.issue(sqlite_engine, "op-1", "sign_in", 600.0)
        yield Site(url, f"{url}/signin?token={token}", played.episode)


@pytest.fixture(scope="module")
def tab(chromium: Browser, site: Site) -> Iterator[Page]:
    """Signed in. A script's error or a breach of policy fails the module."""
    context = chromium.new_context(viewport=SIZES["wide"], base_url=site.url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
    page.goto(site.link)
    yield page
    context.close()
    assert complaints == []


def test_map_and_memory_draw_both_times_and_go_along_with_the_cursor(tab: Page, site: Site) -> None:
    tab.goto(f"/episodes/{site.episode}?at={GRASP}")
    expect(tab.locator(".map-mark.is-told").first).to_be_visible(timeout=PATIENCE_MS)
    expect(tab.locator(".known-mark")).to_have_count(0)

    tab.get_by_role("link", name="Known now").click()
    expect(tab.locator(".known-mark")).to_have_count(2, timeout=PATIENCE_MS)
    expect(tab.locator("[data-mark='known bottle_05']")).to_have_attribute(
        "aria-label", re.compile(r"Known now: bottle_05 5\.00, 2\.00 m\. Wrong pose, 5\.00 m")
    )
    expect(tab.locator("#record-bottle_05")).to_contain_text("and the plan rests on it")

    tab.locator("#tl-forward").click()
    expect(tab.locator("#evidence")).to_have_attribute(
        "data-known", re.compile(rf"at={GRASP + 1}$"), timeout=PATIENCE_MS
    )
    expect(tab.locator("#record-bottle_05")).to_contain_text("Not yet known, 5.00 m")

    tab.locator("#as-believed").click()
    expect(tab.locator(".known-mark")).to_have_count(0, timeout=PATIENCE_MS)
    expect(tab.locator("#memory")).to_be_visible()


def test_a_step_leads_to_its_why_and_on_to_the_evidence_and_back(tab: Page, site: Site) -> None:
    tab.goto(f"/episodes/{site.episode}?at={GRASP}")
    tab.get_by_role("link", name="Step 3: why").click()
    expect(tab.locator(".why h1")).to_contain_text("Grasp bottle_05 failed")
    expect(tab.locator(".why-verdict")).to_contain_text("A false report was believed")

    part = tab.locator(".why-chain > li", has_text="Evidence: pose of bottle_05")
    part.get_by_role("link", name="what it changed").click()
    expect(tab.locator("#effects-h + table")).to_contain_text("Plan 8: 5 steps for bottle_05 rested on it")

    tab.get_by_role("link", name="To the moment").click()
    expect(tab.locator("#replay")).to_contain_text("Replay at 00:01:29")


@pytest.mark.parametrize(
    ("theme", "size"), [("light", "wide"), ("dark", "phone")], ids=["light, wide", "dark, on a phone"]
)
def test_an_explanation_has_no_violations_and_fits(tab: Page, site: Site, theme: str, size: str) -> None:
    tab.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
    tab.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    for address in (f"/episodes/{site.episode}/why", f"/episodes/{site.episode}?at={GRASP}&view=known"):
        tab.goto(address)
        if "known" in address:
            expect(tab.locator(".known-mark").first).to_be_attached(timeout=PATIENCE_MS)
        assert tab.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
        tab.evaluate(AXE)
        found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found] == []


def test_it_prints_without_what_is_for_the_screen(tab: Page, site: Site) -> None:
    tab.goto(f"/episodes/{site.episode}/why")
    tab.emulate_media(media="print", color_scheme="dark")

    expect(tab.locator("#bar")).to_be_hidden()
    expect(tab.locator(".report-tools")).to_be_hidden()
    expect(tab.locator(".why-links").first).to_be_hidden()
    colour = tab.evaluate("getComputedStyle(document.querySelector('.report')).backgroundColor")
    assert colour == "rgb(255, 255, 255)"
    tab.emulate_media(media="screen")
