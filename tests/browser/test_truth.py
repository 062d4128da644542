"""What is live and what is not, with the real server: frozen, killed and restarted while a page is open; and
what its pages weigh."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.scene import Served, served, web_process
from tests.support.chromium import VIEWPORT

PATIENCE_S = 60.0
WEIGHS_KB = 400

MISSION = """\
name: watched
title: Watched
goal: Bring containers to the station that takes their kind.
completion: All containers stand at their stations and nothing is held.
world: {name: grid, scenario: dn-14, clock: runs, tick_s: 0.3}
memory: {like: attention}
policy: every_plan
budgets: {steps: 5000, decisions: 500}
"""


@pytest.fixture(scope="module")
def quarterdeck(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home"), {"watched": MISSION}) as running:
        yield running


@pytest.fixture(scope="module")
def tab(chromium: Browser, quarterdeck: Served) -> Iterator[Page]:
    """The console of an episode whose first plan waits for approval, while its drone goes on reporting."""
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    context.set_default_timeout(1000 * PATIENCE_S)
    page = context.new_page()
    page.goto(quarterdeck.link)
    page.goto(f"{quarterdeck.url}/episodes/new?mission=watched")
    page.get_by_role("button", name="Start the episode").click()
    page.wait_for_selector("#plan[data-state=awaiting]")
    page.wait_for_selector(".map-mark.is-told")
    yield page
    context.close()


def until(holds: Callable[[], object]) -> float:
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < PATIENCE_S, "it never came"
        time.sleep(0.05)
    return time.monotonic() - began


def is_cut(tab: Page) -> bool:
    return bool(tab.evaluate("document.documentElement.classList.contains('is-cut')"))


def seq(tab: Page) -> int:
    return int(tab.locator("#timeline").get_attribute("data-head") or 0)


def newest(tab: Page) -> int:
    script = """async () =>
        (await (await fetch(document.getElementById('timeline').dataset.source)).json()).head_seq"""
    return int(tab.evaluate(script))


def test_every_link_has_its_cell_and_each_its_age(tab: Page) -> None:
    for key in ("server", "robot:rover", "source:aerial"):
        cell = tab.locator(f"[data-link='{key}'] [data-link-age]")
        expect(cell).to_have_text(re.compile(r"^\d"), timeout=1000 * PATIENCE_S)


@pytest.mark.timeout(240)
def test_a_frozen_server_shows_as_stale_and_the_page_is_whole_again(
    tab: Page, quarterdeck: Served, record_property: Callable[[str, object], None]
) -> None:
    before = tab.locator("#plan-h").inner_text()
    server = web_process(quarterdeck.pid)
    os.kill(server, signal.SIGSTOP)
    try:
        record_property("stale_after_s", round(until(lambda: is_cut(tab)), 2))
        expect(tab.locator("#link-state")).to_contain_text("Reconnecting")
        assert tab.locator("#plan-h").inner_text() == before
        assert tab.locator(".map-mark.is-told").count() > 10
        expect(tab.get_by_role("button", name="Approve")).to_be_disabled()
        expect(tab.locator("#stop .hold")).to_be_enabled()
        expect(tab.locator("#link-server")).to_have_class(re.compile("is-stale|is-down"))
        expect(tab.locator("[data-mark='robot rover'] .robot")).to_have_class(re.compile("is-stale"))
        met = tab.locator("#met").inner_text()
        tab.wait_for_timeout(1500)
        assert tab.locator("#met").inner_text() == met, "mission time goes on though nobody knows it"
    finally:
        os.kill(server, signal.SIGCONT)
    record_property("whole_after_s", round(until(lambda: not is_cut(tab)), 2))
    head = newest(tab)
    until(lambda: seq(tab) >= head)
    expect(tab.locator("[data-mark='robot rover'] .robot")).not_to_have_class(re.compile("is-stale"))


@pytest.mark.timeout(240)
def test_a_killed_server_is_started_anew_and_resumed_by_seq(
    tab: Page, quarterdeck: Served, record_property: Callable[[str, object], None]
) -> None:
    """The supervisor keeps the socket, so that the page is only kept waiting."""
    server, known = web_process(quarterdeck.pid), seq(tab)
    os.kill(server, signal.SIGKILL)
    until(lambda: web_process(quarterdeck.pid) != server)
    until(lambda: not is_cut(tab))
    head = newest(tab)
    record_property("whole_after_s", round(until(lambda: seq(tab) >= head), 2))
    assert head >= known
    expect(tab.get_by_role("button", name="Approve")).to_be_enabled()


def test_no_page_is_heavy(
    tab: Page, quarterdeck: Served, record_property: Callable[[str, object], None]
) -> None:
    """Everything that a first visit fetches, as it goes over the wire."""
    addresses = [tab.url.partition("?")[0], f"{quarterdeck.url}/episodes", f"{quarterdeck.url}/episodes/new"]
    for address in addresses:
        page = tab.context.new_page()
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
        sizes: list[float] = []
        wire.on(
            "Network.loadingFinished", lambda event, sizes=sizes: sizes.append(event["encodedDataLength"])
        )
        page.goto(address)
        page.wait_for_load_state("load")
        page.wait_for_timeout(500)
        weighs_kb = sum(sizes) / 1000
        page.close()
        record_property(address.rpartition("/")[2], round(weighs_kb))
        assert 5 < weighs_kb < WEIGHS_KB, f"{address} weighs {weighs_kb:.0f} KB"
