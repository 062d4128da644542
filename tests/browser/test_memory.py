"""The memory tab by mouse, by keyboard and on a phone, against the real application and a real loop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from sqlalchemy import Engine

from backend.persistence import tokens
from backend.web.app import create_app
from tests.support.chromium import PATIENCE_MS, VIEWPORT
from tests.support.serving import serving
from tests.web.stand import Played, Stand, prepared
from tests.web.test_commands import waits

AXE = (Path(__file__).parent / "vendor" / "axe" / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def stand(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Stand:
    return prepared(sqlite_engine, tmp_path_factory.mktemp("frames"))


@pytest.fixture(scope="module")
def address(stand: Stand) -> Iterator[str]:
    """Where the console is served."""
    with serving(create_app(stand.deps())) as url:
        yield url


@pytest.fixture
def played(stand: Stand) -> Iterator[Played]:
    with stand.play("s-6").until(waits).running(0.02) as played:
        yield played


def opened(chromium: Browser, stand: Stand, address: str, played: Played, **look: object) -> Page:
    """The console with the plan waiting, signed in; a script error or a breach of policy fails the test."""
    context = chromium.new_context(
        **{"viewport": VIEWPORT, "locale": "en-GB", "timezone_id": "UTC", "reduced_motion": "reduce", **look}  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{address}/signin?token={tokens.issue(stand.engine, 'op-1', 'sign_in', 60.0)}")
    page.goto(f"{address}/episodes/{played.episode}")
    page.wait_for_selector("#plan[data-state=awaiting]")
    return page


def target(played: Played) -> str:
    assert played.state.plan is not None
    return str(played.state.plan.target)


def axe(page: Page) -> None:
    """No violation in the panel; the page around it has its own tests."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run('#evidence', {resultTypes: ['violations']})")["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


def test_a_record_is_moved_locked_and_undone_by_mouse(
    chromium: Browser, stand: Stand, address: str, played: Played
) -> None:
    page, entity = opened(chromium, stand, address, played), target(played)
    row = page.locator(f"#record-{entity}")
    row.hover()
    expect(page.locator(".map-mark.is-lit")).to_have_count(1)
    page.locator(f"#open-{entity}").click()
    page.locator("#deed-move").click()
    page.locator("#correct-x_m").fill("2")
    page.locator("#correct-y_m").fill("3")
    page.locator("#correct-lock").check()
    page.get_by_role("button", name="Show what it would do").click()
    blast = page.get_by_role("list", name="What it would do")
    expect(blast).to_contain_text("The waiting approval of plan 1 lapses.")
    axe(page)
    page.locator("#correct-reason").fill("I see it.")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".remembered .notice")).to_contain_text(f"Moved {entity}.")
    expect(page.locator(".record-fields")).to_contain_text("said by op-1")
    expect(page.locator("#lock-pose")).to_have_text(re.compile("Unlock"))
    expect(page.locator(".cause-why")).to_contain_text("said by operator")
    page.locator("#sheet-back").click()
    page.get_by_role("link", name="Corrections").click()
    page.get_by_role("link", name="Undo").first.click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".remembered .notice")).to_contain_text("Undid the correction")
    assert played.state.memory.records[entity].words == ()
    page.context.close()


def test_everything_by_keyboard(chromium: Browser, stand: Stand, address: str, played: Played) -> None:
    page, entity = opened(chromium, stand, address, played), target(played)
    page.keyboard.press("1")
    page.locator(f"#open-{entity}").focus()
    page.keyboard.press("Enter")
    page.locator("#deed-remove").focus()
    page.keyboard.press("Enter")
    confirm = page.get_by_role("button", name="Confirm")
    expect(confirm).to_be_enabled()
    confirm.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".remembered .notice")).to_contain_text(f"Removed {entity}.")
    page.locator("#sheet-back").focus()
    page.keyboard.press("Enter")
    page.locator("#memory-find").fill(entity)
    expect(page.locator(".memory tbody tr")).to_have_count(1)
    expect(page.locator("#memory-find")).to_be_focused()
    expect(page).to_have_url(re.compile("/episodes/"))
    page.context.close()


def test_an_older_answer_takes_nothing_away_that_was_opened_since(
    chromium: Browser, stand: Stand, address: str, played: Played
) -> None:
    page, entity = opened(chromium, stand, address, played), target(played)
    late: list[Route] = []
    page.route(re.compile(r"/memory(\?(?!.*chosen)|$)"), lambda route: late.append(route))
    page.locator("#tab-memory").click()
    page.locator(f"#open-{entity}").click()
    expect(page.locator("#deed-remove")).to_be_visible()
    for each in late:
        with page.expect_response(each.request.url):
            each.continue_()
    page.wait_for_function("() => document.querySelector('.htmx-request') === null")

    assert late
    expect(page.locator("#deed-remove")).to_be_visible()
    assert "chosen=" in page.url
    page.context.close()


def test_on_a_phone_a_correction_can_be_read_and_confirmed(
    chromium: Browser, stand: Stand, address: str, played: Played
) -> None:
    look = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
    page, entity = opened(chromium, stand, address, played, **look), target(played)
    page.locator(f"#open-{entity}").tap()
    page.locator("#lock-pose").tap()
    expect(page.get_by_role("list", name="What it would do")).to_contain_text(
        "No plan, approval or step rests"
    )
    small = page.evaluate(
        """() => [...document.querySelectorAll('#sheet a, #sheet button, #sheet input:not([type=hidden])')]
            .filter((each) => each.offsetParent !== null && each.closest('td, .entity') === null)
            .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)"""
    )
    assert small == []
    axe(page)
    page.get_by_role("button", name="Confirm").tap()
    expect(page.locator("#lock-pose")).to_have_text(re.compile("Unlock"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.context.close()


def test_scores_are_drawn_and_settings_tried(
    chromium: Browser, stand: Stand, address: str, played: Played
) -> None:
    page, entity = opened(chromium, stand, address, played), target(played)
    page.get_by_role("link", name="Scores").click()
    expect(page.locator("#scores-view canvas")).to_be_visible()
    expect(page.locator("#scores .legend")).to_contain_text(entity)
    axe(page)
    page.get_by_role("link", name=f"Leave out the score of {entity}").first.click()
    expect(page.locator("#scores .legend")).not_to_contain_text(entity)
    page.get_by_role("link", name="What if").click()
    page.locator("#try-k").fill("1")
    page.get_by_role("button", name="Try").click()
    expect(page.locator(".tries .gate-said")).to_contain_text("Would leave:")
    expect(page.locator(".kline")).to_contain_text("With these settings")
    expect(page.locator("#plan")).to_have_attribute("data-state", "awaiting")
    axe(page)
    page.context.close()


def test_a_late_fetch_takes_nothing_away_that_was_opened(
    chromium: Browser, stand: Stand, address: str, played: Played
) -> None:
    """The panel asked for itself before the record was opened, and is answered after."""
    page, entity = opened(chromium, stand, address, played), target(played)
    held: list[object] = []
    page.route(
        re.compile(r"/memory(\?.*)?$"),
        lambda route: held.append(route) if "chosen" not in route.request.url else route.continue_(),
    )
    page.evaluate("document.body.dispatchEvent(new CustomEvent('qd:evidence'))")
    page.wait_for_timeout(200)
    page.locator(f"#open-{entity}").click()
    expect(page.locator("#sheet-h")).to_contain_text(entity)
    for route in held:
        route.continue_()  # type: ignore[attr-defined]
    page.wait_for_timeout(800)
    expect(page.locator("#sheet-h")).to_contain_text(entity)
    assert held, "the panel did not ask for itself"
    page.context.close()
