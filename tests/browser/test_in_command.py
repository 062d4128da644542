"""A person in command from approval to abort, by keyboard alone and on a phone; an admin who takes over; and
the pages where accounts and tokens are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import Engine

from backend.domain.command.policy import Policy
from backend.domain.episode.events import ApprovalGranted, ApprovalRejected
from backend.persistence.tokens import api_tokens
from tests.browser.test_conn import PATIENCE_MS, PHONE, House, patient
from tests.web.stand import Played, Stand, prepared
from tests.web.test_commands import events, waits

SINGLE = ("a", "y", "p", "Enter", "Space", "Control+Enter")
"""Keys that somebody might hope, or fear, to approve by."""


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))


@pytest.fixture(scope="module")
def house(chromium: Browser, stand: Stand) -> Iterator[House]:
    with patient(stand) as url:
        yield House(stand, url, chromium)


@pytest.fixture(scope="module")
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6", policy=Policy(mode="every_skill")).until(waits).running(0.02) as played:
        yield played


def awaiting(page: Page) -> str:
    """The address that Approve would post to, once it may be pressed."""
    expect(page.locator("#plan[data-state=awaiting] form.grant button")).to_be_enabled(timeout=PATIENCE_MS)
    return str(page.locator("form.grant").get_attribute("action"))


def focus_by_tab(page: Page, name: str, most: int = 150) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"Tab never came to {name}")


def approvers(house: House, played: Played) -> list[str]:
    return [each.event.by for each in events(house.stand, played, ApprovalGranted)]


def test_from_approval_to_abort(house: House, played: Played) -> None:
    """Each of it by keyboard, by finger on a phone, and by mouse."""
    address = f"/episodes/{played.episode}"
    with house.page("op-1", address) as page:
        approve_by_keyboard(house, played, page)
        reject_by_keyboard(house, played, page)
        hold_and_release_by_keyboard(played, page)
        with house.page("boss", address, PHONE) as phone:
            phone.get_by_role("button", name="Take over").tap()
            expect(phone.locator("#conn")).to_contain_text("You have the conn", timeout=PATIENCE_MS)
            expect(page.locator("#conn .v").first).to_have_text("boss", timeout=PATIENCE_MS)
            expect(page.locator("form.grant button")).to_have_count(0)
            approve_by_tap(house, played, phone)
            reject(house, played, phone, "Not by the wall", Locator.tap)
            hold_and_release(played, page, phone)
            reject(house, played, phone, "Nor so", Locator.click)
            abort(played, phone)
        expect(page.locator("#plan[data-state=ended]")).to_be_visible(timeout=PATIENCE_MS)


def approve_by_keyboard(house: House, played: Played, page: Page) -> None:
    """No key approves from anywhere; the button does, once it was gone to."""
    awaiting(page)
    for key in SINGLE:
        page.keyboard.press(key)
    page.goto(f"/episodes/{played.episode}")  # some of them lead into a replay
    awaiting(page)
    assert approvers(house, played) == []
    focus_by_tab(page, "Approve")
    page.keyboard.press("Enter")
    expect(page.locator("#conn")).to_contain_text("You have the conn", timeout=PATIENCE_MS)
    assert approvers(house, played) == ["op-1"]


def reject_by_keyboard(house: House, played: Played, page: Page) -> None:
    address = awaiting(page)
    page.locator("#plan textarea[name=reason]").focus()
    page.keyboard.type("Too far")
    focus_by_tab(page, "Reject with reason", most=3)
    page.keyboard.press("Enter")
    is_rejected(house, played, page, address, "Too far")


def reject(house: House, played: Played, page: Page, reason: str, press: Callable[[Locator], None]) -> None:
    address = awaiting(page)
    page.locator("#plan textarea[name=reason]").fill(reason)
    press(page.get_by_role("button", name="Reject with reason"))
    is_rejected(house, played, page, address, reason)


def is_rejected(house: House, played: Played, page: Page, address: str, reason: str) -> None:
    """With the reason kept for the planner, and the next plan asked about anew."""
    expect(page.locator(f'form.grant[action="{address}"]')).to_have_count(0, timeout=PATIENCE_MS)
    assert events(house.stand, played, ApprovalRejected)[-1].event.reason == reason
    assert played.state.guidance[-1].text == reason


def hold_and_release_by_keyboard(played: Played, page: Page) -> None:
    awaiting(page)
    page.keyboard.press("Shift+H")
    expect(page.locator("#plan[data-state=held]")).to_be_visible(timeout=PATIENCE_MS)
    focus_by_tab(page, "1 Area is clear")
    page.keyboard.press("Enter")
    release = page.get_by_role("button", name="2 Release")
    expect(release).to_be_enabled(timeout=PATIENCE_MS)
    release.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#plan[data-state=held]")).to_have_count(0, timeout=PATIENCE_MS)
    assert not played.state.is_held


def approve_by_tap(house: House, played: Played, phone: Page) -> None:
    first = awaiting(phone)
    button = phone.locator("form.grant button")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 43.5
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    button.tap()
    expect(phone.locator(f'form.grant[action="{first}"]')).to_have_count(0, timeout=PATIENCE_MS)
    assert approvers(house, played)[-1] == "boss"


def hold_and_release(played: Played, page: Page, phone: Page) -> None:
    """Held by who does not command; released in two steps by who does."""
    page.keyboard.press("Shift+H")
    expect(page.locator("#stop")).to_contain_text("HELD", timeout=PATIENCE_MS)
    expect(phone.locator("#plan[data-state=held]")).to_be_visible(timeout=PATIENCE_MS)
    assert played.state.is_held
    release = phone.get_by_role("button", name="2 Release")
    expect(release).to_be_disabled()
    phone.get_by_role("button", name="1 Area is clear").tap()
    expect(release).to_be_enabled(timeout=PATIENCE_MS)
    release.tap()
    expect(phone.locator("#plan[data-state=held]")).to_have_count(0, timeout=PATIENCE_MS)
    assert not played.state.is_held
    awaiting(phone)


def abort(played: Played, phone: Page) -> None:
    phone.get_by_text("Abort episode…").tap()
    phone.get_by_label("Why, for the record").fill("Enough for today")
    phone.get_by_role("button", name="Abort the episode").tap()
    expect(phone.locator("#plan[data-state=ended]")).to_be_visible(timeout=PATIENCE_MS)
    assert played.state.ending is not None
    assert [stop.reason for stop in played.state.stops][-1:] in ([], ["Enough for today"])


def test_an_admin_adds_an_account_and_a_person_makes_and_revokes_a_token(house: House) -> None:
    with house.page("boss", "/accounts") as page:
        page.get_by_label("Name").fill("kim")
        page.get_by_role("radio", name="Operator").check()
        page.get_by_label("Password", exact=True).fill("short but long")
        page.get_by_role("button", name="Add the account").click()
        expect(page.locator(".people")).to_contain_text("kim")
        page.get_by_role("button", name="Switch off kim").click()
        expect(page.locator(".people li.is-off")).to_contain_text("switched off")
        expect(page.locator("tbody tr").first).to_contain_text("boss")

        page.goto("/tokens")
        page.get_by_label("What it is for").fill("night shift")
        page.get_by_role("checkbox", name="Hold").check()
        page.get_by_role("button", name="Make the token").click()
        made = page.locator("#made").inner_text()
        assert made.startswith("qdt_")
        page.reload()
        assert made not in page.content()
        [row] = [each for each in api_tokens(house.stand.engine) if each.label == "night shift"]
        assert "hold" in row.scopes
        page.get_by_role("button", name=re.compile("Revoke night shift")).click()
        expect(page.get_by_text("night shift")).to_have_count(0)
        assert "night shift" not in {each.label for each in api_tokens(house.stand.engine)}
