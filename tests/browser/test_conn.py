"""The conn between two people, each with a page of their own: asked for, handed over, kept, taken over; by
mouse, by keyboard and on a phone. And the way in, with name and password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from backend.persistence import tokens
from backend.web.app import create_app
from tests.support.chromium import VIEWPORT
from tests.support.serving import serving
from tests.web.stand import Played, Stand, prepared

PATIENCE_MS = 60_000
PHONE = {"width": 390, "height": 844}


@dataclass(frozen=True)
class House:
    """A console that is served, and whoever comes to it."""

    stand: Stand
    url: str
    browser: Browser

    @contextmanager
    def page(self, name: str, address: str, viewport: dict[str, int] = VIEWPORT) -> Iterator[Page]:
        """Signed in by a link; a script error fails the test."""
        link = tokens.issue(self.stand.engine, name, "sign_in", 600.0)
        context = self.browser.new_context(
            viewport=viewport, reduced_motion="reduce", base_url=self.url, has_touch=viewport is PHONE
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"/signin?token={link}&next={address}")
        try:
            yield page
            assert complaints == []
        finally:
            context.close()


@contextmanager
def patient(stand: Stand, **settings: object) -> Iterator[str]:
    """A console that waits for its runner as long as a busy machine takes."""
    chosen = replace(stand.settings, answer_within_s=20.0, **settings)
    with serving(create_app(stand.deps(settings=chosen))) as url:
        yield url


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))


@pytest.fixture(scope="module")
def house(chromium: Browser, stand: Stand) -> Iterator[House]:
    with patient(stand) as url:
        yield House(stand, url, chromium)


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(lambda state: state.approval is not None).running(0.05) as played:
        yield played


def test_the_conn_changes_hands_between_two_pages(house: House, played: Played) -> None:
    address = f"/episodes/{played.episode}"
    with house.page("op-1", address) as one, house.page("op-2", address) as two:
        one.get_by_role("button", name="Take the conn").click()
        expect(one.locator("#conn")).to_contain_text("You have the conn", timeout=PATIENCE_MS)

        # By mouse: asked for, and handed over.
        two.get_by_role("button", name="Ask for the conn").click()
        asked = one.get_by_role("alert").filter(has_text="op-2 asks for the conn.")
        expect(asked).to_be_visible(timeout=PATIENCE_MS)
        expect(two.locator("#conn-request")).to_contain_text("You asked op-1 for the conn.")
        asked.get_by_role("button", name="Hand over").click()
        expect(two.locator("#conn")).to_contain_text("You have the conn", timeout=PATIENCE_MS)
        expect(one.locator("#conn .v").first).to_have_text("op-2")

        # By keyboard: asked for, and kept.
        one.get_by_role("button", name="Ask for the conn").focus()
        one.keyboard.press("Enter")
        kept = two.get_by_role("button", name="Keep it")
        expect(kept).to_be_visible(timeout=PATIENCE_MS)
        kept.focus()
        two.keyboard.press("Enter")
        told = one.locator("#conn-request")
        expect(told).to_contain_text("op-2 keeps the conn.", timeout=PATIENCE_MS)
        assert played.state.conn is not None
        assert played.state.conn.holder == "op-2"


def test_on_a_phone_an_unanswered_conn_is_taken_over(house: House, played: Played) -> None:
    address = f"/episodes/{played.episode}"
    with house.page("op-2", address, PHONE) as phone, house.page("op-1", address) as holder:
        holder.get_by_role("button", name="Take the conn").click()
        expect(holder.locator("#conn")).to_contain_text("You have the conn", timeout=PATIENCE_MS)
        phone.get_by_role("button", name="Ask for the conn").tap()
        expect(phone.locator("#conn-request [data-left]")).to_be_visible(timeout=PATIENCE_MS)
        over = phone.get_by_role("button", name="Take over")
        expect(over).to_be_visible(timeout=PATIENCE_MS)
        box = over.bounding_box()
        assert box is not None
        assert box["height"] >= 43.5
        over.tap()
        expect(phone.locator("#conn")).to_contain_text("You have the conn", timeout=PATIENCE_MS)
        expect(holder.locator("#conn .v").first).to_have_text("op-2", timeout=PATIENCE_MS)


def test_one_signs_in_by_keyboard_alone(chromium: Browser, stand: Stand) -> None:
    with patient(stand, sign_in="account") as url:
        context = chromium.new_context(viewport=PHONE, base_url=url)
        page = context.new_page()
        page.goto("/episodes")
        page.get_by_label("Name").focus()
        page.keyboard.type("pat")
        page.keyboard.press("Tab")
        page.keyboard.type("a wrong guess")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Name or password is wrong.")).to_be_visible(timeout=PATIENCE_MS)
        expect(page.get_by_label("Name")).to_have_value("pat")
        page.get_by_label("Password").focus()
        page.keyboard.type("correct horse battery")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Episodes", exact=True)).to_be_visible(timeout=PATIENCE_MS)
        context.close()
