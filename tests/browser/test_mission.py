"""A mission from its first plan to its last delivery, supervised in a browser: the real server, runner,
bridge and page.

One story told in order, so that it is one test: start, approve, a delivery, a plan that lapses while it
waits, a rejection, a hold and its release, the end; then a replay of a moment in the middle finds the very
state that was live.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.scene import Served, served
from tests.support.chromium import VIEWPORT

PATIENCE_MS = 30_000
STARTS_MS = 150_000
"""A runner, a bridge and a web process start beside other tests."""

MISSION = """\
name: sorting
title: Sorting, three of fourteen
goal: Bring containers to the station that takes their kind.
completion: Three containers stand at their stations and nothing is held.
world: {name: grid, scenario: dn-14, clock: runs, tick_s: 0.5}
total: 3
# A memory that believes whatever it is told and forgets soon: plans lapse within seconds.
memory: {like: attention, frames: gated, attention: {k: 8, decay_s: 3.0, threshold: 0.2}}
policy: every_plan
budgets: {steps: 5000, decisions: 500}
"""
DELIVERED = ".progress .cell dd"
AXE = (Path(__file__).parent / "vendor" / "axe" / "axe.min.js").read_text("utf-8")

READ = """() => {
  const text = (selector) => {
    const found = document.querySelector(selector);
    if (found === null) return null;
    const copy = found.cloneNode(true);
    // Ages that tick between two events are the page's, not the state's.
    for (const age of copy.querySelectorAll("[data-age-met], [data-age-utc]")) age.remove();
    return copy.innerText ?? copy.textContent;
  };
  return {
    busy: document.querySelectorAll(".htmx-request").length,
    seq: document.getElementById("timeline").dataset.seq,
    open: document.getElementById("evidence").dataset.tab,
    evidence: text("#evidence .scroll"),
    steps: text(".steps-wrap"),
    cause: text(".cause"),
    delivered: text(".progress .cell dd"),
  };
}"""


@pytest.fixture(scope="module")
def quarterdeck(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home"), {"sorting": MISSION}) as running:
        yield running


@pytest.fixture
def tab(chromium: Browser, quarterdeck: Served) -> Iterator[Page]:
    """Signed in by the link, on the list; a script error or a breach of policy fails the test."""
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None,
    )
    page.goto(quarterdeck.link)
    yield page
    context.close()
    assert not complaints


@pytest.mark.timeout(480)
def test_a_mission_from_its_first_plan_to_its_replay(tab: Page, quarterdeck: Served) -> None:
    start(tab)
    approve_until(tab, lambda: delivered(tab) >= 1)
    lapse = wait_for_a_lapse(tab)
    assert "Nothing of it ran." in lapse
    why = reject(tab, "Take what is nearest to the south first.")
    assert why.startswith("Replan: Plan ")
    moments = [settled(tab, name) for name in ("memory", "log", "context")]
    hold_and_release(tab)
    approve_until(tab, lambda: tab.locator("#plan").get_attribute("data-state") == "ended")
    expect(tab.locator("#plan-h")).to_have_text("Complete")
    expect(tab.locator(DELIVERED).first).to_have_text(re.compile(r"^3\b"))
    for moment in moments:
        assert_replayed(tab, moment)
    look(tab)


def start(tab: Page) -> None:
    """From the list, by the form."""
    tab.get_by_role("link", name="New episode").first.click()
    tab.get_by_label("Sorting, three of fourteen").check()
    tab.get_by_label("Seed").fill("7")
    axe(tab)
    tab.get_by_role("button", name="Start the episode").click(timeout=STARTS_MS)
    tab.wait_for_selector("#plan[data-state=awaiting]", timeout=STARTS_MS)
    expect(tab.locator("#plan-h")).to_contain_text("needs your approval")
    expect(tab.locator(".map-mark.is-told").first).to_be_attached()


def approve_until(tab: Page, reached: Callable[[], bool]) -> None:
    """Approve whatever waits. A click on what has just lapsed is answered, and the next plan comes."""
    deadline = time.monotonic() + 200
    while not reached():
        assert time.monotonic() < deadline, tab.locator("#plan").inner_text()
        button = tab.locator(".grant button:not([disabled])")
        if button.count():
            click(button)
        tab.wait_for_timeout(100)


def click(button: Any) -> None:
    """Unless the card changed under the pointer."""
    try:
        button.click(timeout=2000)
    except Exception as error:
        if "Timeout" not in str(error) and "detached" not in str(error):
            raise


def delivered(tab: Page) -> int:
    return int(tab.locator(DELIVERED).first.inner_text().split()[0])


def wait_for_a_lapse(tab: Page) -> str:
    """Decide nothing: evidence touches the plan that waits, and another one takes its place."""
    tab.wait_for_selector("#plan[data-state=awaiting]")
    cause = tab.locator("#plan[data-state=awaiting] .cause-more", has_text="lapsed before anybody decided")
    expect(cause).to_be_visible(timeout=90_000)
    assert tab.locator(".cause-why").inner_text().startswith("Replan: ")
    return cause.inner_text()


def reject(tab: Page, reason: str) -> str:
    """Until one counts: a plan may lapse while one types."""
    for _ in range(20):
        tab.wait_for_selector("#plan[data-state=awaiting] #guidance")
        tab.locator("#guidance").fill(reason)
        click(tab.get_by_role("button", name="Reject with reason"))
        why = tab.locator("#plan[data-state=awaiting] .cause-why", has_text="was rejected by")
        try:
            expect(why).to_be_visible(timeout=4000)
        except AssertionError:
            continue
        return why.inner_text()
    raise AssertionError("no rejection counted")


def settled(tab: Page, name: str) -> dict[str, Any]:
    """The panels with `name` open."""
    tab.locator(f"#tab-{name}").click()
    return at_rest(tab, name)


def at_rest(tab: Page, name: str) -> dict[str, Any]:
    """The panels, once `name` is open, none is being fetched and all stay as they are for a moment."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        before = tab.evaluate(READ)
        tab.wait_for_timeout(400)
        now = tab.evaluate(READ)
        if before == now and not now["busy"] and now["open"] == name and now["steps"]:
            return dict(now)
    raise AssertionError("the page never came to rest")


def hold_and_release(tab: Page) -> None:
    tab.locator("#tab-memory").click()
    approve_until(tab, lambda: tab.locator("#plan").get_attribute("data-state") == "executing")
    tab.keyboard.press("Shift+H")
    expect(tab.locator("#stop")).to_contain_text("HELD")
    expect(tab.locator("#phase")).to_contain_text("Bridge confirmed")
    expect(tab.locator("#plan-h")).to_contain_text("Held by")
    release = tab.get_by_role("button", name="2 Release")
    expect(release).to_be_disabled()
    tab.get_by_role("button", name="1 Area is clear").click()
    release.click()
    expect(tab.locator("#stop")).to_contain_text("HOLD")
    tab.wait_for_selector("#plan[data-state=awaiting]")


def assert_replayed(tab: Page, live: dict[str, Any]) -> None:
    """The page at that event says what it said when that was the newest."""
    console = tab.url.partition("?")[0].partition("#")[0]
    tab.goto(f"{console}?at={live['seq']}&tab={live['open']}")
    expect(tab.locator("#replay")).to_contain_text("Nothing here can move the robot.")
    assert at_rest(tab, live["open"]) == live
    assert tab.locator("button[data-command]:not([disabled])").count() == 0


def look(tab: Page) -> None:
    """No violation in either theme, live and replayed; Escape leads back to live."""
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        axe(tab)
    tab.keyboard.press("Escape")
    expect(tab.locator("#replay")).to_have_count(0)
    axe(tab)
    tab.get_by_role("link", name="Quarterdeck").click()
    expect(tab.locator("#group-ended")).to_contain_text("Complete")
    axe(tab)


def axe(tab: Page) -> None:
    tab.evaluate(AXE)
    found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []
