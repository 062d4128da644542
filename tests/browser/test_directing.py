"""Plans edited and the policy changed, by mouse, by keyboard and on a phone, against the real loop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import Engine

from backend.domain.command.intents import Hold, Intent, Release
from backend.domain.episode.events import PlanProposed
from backend.persistence import tokens
from backend.persistence.inbox import clock_s
from backend.web.app import create_app
from tests.support.chromium import PATIENCE_MS, VIEWPORT
from tests.support.serving import serving
from tests.web.stand import Played, Stand, prepared
from tests.web.test_commands import events, waits

AXE = (Path(__file__).parent / "vendor" / "axe" / "axe.min.js").read_text("utf-8")
PHONE = {"width": 390, "height": 844}
WIDER = """[...document.querySelectorAll("main *")].filter((each) => each.checkVisibility() &&
  each.closest(".scroll, .vh, .tabs") === null && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.tagName + "." + each.className)"""
"""Whatever in the page sticks out at the right."""


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))


@pytest.fixture(scope="module")
def url(stand: Stand) -> Iterator[str]:
    with serving(create_app(stand.deps())) as url:
        yield url


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(waits).running(0.02) as played:
        yield played


@pytest.fixture
def person(chromium: Browser, stand: Stand, url: str) -> Iterator[BrowserContext]:
    """A browser with op-1 signed in; a script error or a breach of policy fails the test."""
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on(
        "console", lambda said: complaints.append(said.text) if "Security Policy" in said.text else None
    )
    page = context.new_page()
    page.goto(f"{url}/signin?token={tokens.issue(stand.engine, 'op-1', 'sign_in', 60.0)}")
    page.close()
    yield context
    context.close()
    assert complaints == []


def opened(person: BrowserContext, url: str, played: Played, viewport: dict[str, int] | None = None) -> Page:
    page = person.new_page()
    if viewport is not None:
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
    page.goto(f"{url}/episodes/{played.episode}")
    page.wait_for_selector("#plan[data-state=awaiting]")
    return page


def axe(page: Page, part: str) -> None:
    page.evaluate(AXE)
    found = page.evaluate(f"axe.run('{part}', {{resultTypes: ['violations']}})")["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


def test_a_plan_is_edited_by_mouse_and_cannot_be_approved_meanwhile(
    person: BrowserContext, stand: Stand, url: str, played: Played
) -> None:
    page = opened(person, url, played)
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    page.locator("#editor-r4-to").select_option("id:bottle_02")
    expect(page.locator("#editor-r5-station")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#editor-r5-station-told")).to_contain_text(
        "Navigate to station_metal before this step."
    )
    expect(page.get_by_role("button", name="Save as my plan")).to_be_disabled()
    axe(page, "#plan")
    page.get_by_role("button", name="Remove step 5").click()
    expect(page.locator(".editor-changes")).to_contain_text("Removed step 5: deliver can_01 station_metal")
    expect(page.get_by_text("Valid: 4 steps")).to_be_visible()

    other = opened(person, url, played)  # a second tab shows the edits, and no way to approve past them
    expect(other.locator("#editor-r4-to")).to_have_value("id:bottle_02")
    expect(other.locator(".editor-row")).to_have_count(4)
    expect(other.get_by_role("button", name="Approve")).to_have_count(0)

    page.get_by_label("Why, for the record").fill("Bottles first.")
    page.get_by_role("button", name="Save as my plan").click()
    expect(page.locator(".cause-why")).to_have_text("op-1’s version of plan 1")
    expect(page.locator(".cause .changes")).to_contain_text("navigate: to station_metal → bottle_02")
    assert events(stand, played, PlanProposed)[-1].event.plan.author == "op-1"
    page.get_by_role("button", name="Approve").click()
    page.wait_for_selector("#plan:not([data-state=awaiting])")
    assert page.evaluate("localStorage.length") == 0


def test_a_plan_is_reordered_by_keyboard_and_focus_stays(
    person: BrowserContext, stand: Stand, url: str, played: Played
) -> None:
    page = opened(person, url, played)
    page.locator("#edit-plan").press("Enter")
    down = page.locator("#editor-r1-down")
    down.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".editor-row").nth(1)).to_have_id("editor-r1")
    expect(down).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".editor-row").nth(2)).to_have_id("editor-r1")
    page.locator("#editor-r1-up").press("Enter")
    expect(page.locator(".editor-row").nth(1)).to_have_id("editor-r1")
    page.locator("#editor-r1-up").press("Enter")
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible()
    page.locator("#editor-r5-insert").press("Enter")
    page.locator("#editor-r6-skill").select_option("explore")
    page.locator("#editor-r6-cell-x").press_sequentially("3")
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    expect(page.get_by_text("Valid: 6 steps")).to_be_visible()
    expect(page.locator("#editor-r6-cell-y")).to_be_focused()
    page.locator("#editor-save").press("Enter")
    expect(page.locator(".cause .changes")).to_contain_text("Added as step 6: explore (3, 2)")
    assert [step.skill for step in played.state.plan.steps][-1] == "explore"  # type: ignore[union-attr]


def test_a_hold_and_its_release_lose_no_edit(
    person: BrowserContext, stand: Stand, url: str, played: Played
) -> None:
    page = opened(person, url, played)
    page.locator("#edit-plan").click()
    page.get_by_role("button", name="Remove step 5").click()
    expect(page.locator(".editor-row")).to_have_count(4)

    click(stand, played, "i-hold", Hold(stop_id="s1", reason="People"))
    expect(page.locator("#plan")).to_have_attribute("data-state", "held")
    expect(page.get_by_text("Held. Release the hold first; your steps are kept.")).to_be_visible()
    click(stand, played, "i-release", Release(stop_ids=("s1",)))
    expect(page.locator("#plan")).to_have_attribute("data-state", "awaiting")

    expect(page.locator(".editor-row")).to_have_count(4)
    page.get_by_role("button", name="Save as my plan").click()
    expect(page.locator(".cause-why")).to_have_text("op-1’s version of plan 1")


def click(stand: Stand, played: Played, id: str, action: Hold | Release) -> None:
    """By the same person, from elsewhere."""
    intent = Intent(
        id=id + played.episode,
        actor="op-1",
        role="operator",
        action=action,
        not_after_s=clock_s(stand.engine) + 60,
    )
    played.inbox.put(intent)


def test_a_plan_is_edited_on_a_phone(person: BrowserContext, url: str, played: Played) -> None:
    page = opened(person, url, played, PHONE)
    page.locator("#edit-plan").click()
    page.get_by_role("button", name="Remove step 5").click()
    expect(page.get_by_text("Valid: 4 steps")).to_be_visible()
    small = page.evaluate(
        "[...document.querySelectorAll('#editor :is(button:not(.vh), select, input:not([type=hidden]), a)')]"
        ".filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.id || each.name)"
    )
    assert small == []
    assert page.evaluate(WIDER) == []
    axe(page, "#plan")
    page.get_by_role("link", name="Discard").click()
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize("viewport", [VIEWPORT, PHONE], ids=["wide", "phone"])
def test_the_policy_is_tried_and_changed(
    person: BrowserContext, url: str, played: Played, viewport: dict[str, int]
) -> None:
    page = opened(person, url, played, viewport)
    page.get_by_role("link", name="Asks before every plan").click()
    page.wait_for_url("**/policy")
    page.wait_for_load_state()
    expect(page.locator("#preview-h")).to_contain_text("Would have asked")
    page.get_by_label("On risk").press("Space")
    page.get_by_label("grasp").check()
    expect(page.locator("#preview")).to_contain_text("Skill in the list")
    page.get_by_label("Confidence below").fill("much")
    expect(page.locator("#preview")).to_contain_text("“much” is no number.")
    page.get_by_label("Confidence below").fill("0.9")
    expect(page.locator("#preview")).to_contain_text("Would have asked")
    axe(page, "main")
    page.get_by_role("button", name="Change the policy").press("Enter")
    expect(page.get_by_label("On risk")).to_be_checked()
    assert played.state.policy.risk.skills == ("grasp",)
    page.get_by_label("A block of its own").fill("Keep to the left.")
    page.get_by_role("button", name="Change the instructions").click()
    expect(page.get_by_label("A block of its own")).to_have_value("Keep to the left.")
    assert played.state.instructions == "Keep to the left."
    assert page.evaluate(WIDER) == []
    page.get_by_role("link", name="Back to the episode").click()
    expect(page.get_by_role("link", name="Asks on risk")).to_be_visible()
    expect(page.locator("#plan")).to_have_attribute("data-state", "awaiting")
