"""What surrounds every page: the queue, what is told of it, the palette, and what each person likes."""

import re
from typing import Literal

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from backend.web.pages.queue import QueueItem, QueueView
from tests.browser.stage import Stage, Theatre, queue_told
from tests.browser.test_accessibility import AXE
from tests.browser.test_live import until
from tests.web.examples import queue
from tests.web.hostile import HOSTILE, poisoned


def test_the_title_counts_what_needs_a_person(console: Page, stage: Stage) -> None:
    expect(console).to_have_title(re.compile(r"^\(3\) "))
    stage.send(queue_told(active=0))
    expect(console).not_to_have_title(re.compile(r"^\("))


def test_the_queue_opens_by_key_and_what_is_seen_is_acknowledged(console: Page, stage: Stage) -> None:
    console.keyboard.press("q")
    sheet = console.locator(".queue-sheet")
    expect(sheet.get_by_text("Approve plan 14, 5 steps")).to_be_visible()
    expect(sheet).to_contain_text("Acknowledged, not over")
    stage.queue = queue.QUEUES["queue/nobody asks"]
    sheet.get_by_role("button", name="Acknowledge Held").click()
    until(lambda: stage.posted)
    assert stage.posted == [("/episodes/0415/acknowledgements", {"key": "held:s-3"})]
    expect(sheet).to_contain_text("Nobody is asked.")
    console.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_what_was_over_before_anybody_saw_it_stands_apart(console: Page, stage: Stage) -> None:
    bell = console.locator("#queue > summary")
    expect(bell).to_have_accessible_name(re.compile("2 over, seen by nobody$"))
    console.keyboard.press("q")
    sheet = console.locator(".queue-sheet")
    lost = sheet.get_by_role("listitem").filter(has_text="Link lost")
    expect(lost).to_contain_text("lasted 41 s")
    stage.queue = queue.QUEUES["queue/nobody asks"]
    sheet.get_by_role("button", name="Acknowledge all 2 that are over").click()
    until(lambda: stage.posted)
    assert stage.posted == [("/queue/acknowledgements", {"alarm": "0407 restarts:4"})]
    expect(sheet).not_to_contain_text("Over, seen by nobody")


def test_the_queue_is_fetched_again_when_it_changed_and_stays_open(console: Page, stage: Stage) -> None:
    console.keyboard.press("q")
    expect(console.locator(".queue-sheet")).to_contain_text("Atrium sweep")
    stage.queue = queue.QUEUES["queue/nobody asks"]
    stage.send(queue_told("0400 approval:a-1", active=4))
    expect(console.locator(".queue-sheet")).to_contain_text("Nobody is asked.")
    expect(console.locator(".queue-sheet")).to_be_visible()


def test_the_desktop_is_told_once_of_what_is_new_by_whoever_asked_for_it(console: Page, stage: Stage) -> None:
    console.evaluate(
        """() => {
            globalThis.told = [];
            globalThis.Notification = class {
                static permission = "granted";
                constructor(title, { tag }) { globalThis.told.push([title, tag]); }
            };
        }"""
    )
    stage.send(queue_told("0400 approval:a-1", active=4))
    expect(console).to_have_title(re.compile(r"^\(4\) "))
    assert console.evaluate("told") == []
    console.evaluate("document.documentElement.dataset.notify = 'on'")
    stage.send(queue_told("0400 approval:a-1", "0400 approval:a-2", active=5))
    until(lambda: console.evaluate("told"))
    assert console.evaluate("told") == [["0400 approval:a-2", "0400 approval:a-2"]]


def test_sound_and_theme_are_kept_by_the_server(console: Page, stage: Stage) -> None:
    console.get_by_label("Menu").click()
    console.get_by_label("Sound").check(force=True)
    console.get_by_label("Dark").check(force=True)
    until(lambda: stage.liked == {"sound": "on", "theme": "dark"})


def test_the_palette_runs_what_its_letters_find_and_approves_nothing(console: Page, stage: Stage) -> None:
    console.keyboard.press("Control+k")
    field = console.get_by_role("combobox", name="Command")
    expect(field).to_be_focused()
    field.fill("approve")
    expect(console.locator(".palette [role=option]")).to_have_count(0)
    expect(console.locator(".palette")).to_contain_text("No command is called that.")
    field.fill("open aud")
    expect(console.locator(".palette [aria-selected=true]")).to_have_text(re.compile("Open audit"))
    console.keyboard.press("Enter")
    expect(console.locator("#evidence")).to_have_attribute("data-tab", "audit")
    expect(console.locator(".palette")).to_be_hidden()
    assert stage.posted == []


def test_the_palette_is_on_every_page_and_closes_by_escape(console: Page) -> None:
    console.goto("/episodes")
    console.keyboard.press("Control+k")
    expect(console.get_by_role("combobox", name="Command")).to_be_focused()
    console.keyboard.press("Escape")
    expect(console.get_by_role("combobox", name="Command")).to_have_count(0)


def test_a_list_is_fetched_when_something_in_it_changed(console: Page, stage: Stage) -> None:
    console.goto("/episodes")
    console.wait_for_selector("#episode-0417")
    until(lambda: stage.connected[-1] == "0")
    with console.expect_response("**/episodes/list*"):
        stage.send(queue_told("0400 approval:a-9", active=4))


def test_ten_robots_fit_at_a_glance(console: Page) -> None:
    console.goto("/episodes")
    rows = console.locator("tr[id^=episode-]")
    heights = [rows.nth(index).bounding_box()["height"] for index in range(rows.count())]
    assert 10 * max(heights) < 700


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_opens_over_a_page_has_no_violations(console: Page, theme: Literal["light", "dark"]) -> None:
    console.emulate_media(color_scheme=theme)
    console.keyboard.press("q")
    expect(console.locator(".queue-sheet")).to_contain_text("Atrium sweep")
    assert violations(console) == []
    console.keyboard.press("Escape")
    console.keyboard.press("Control+k")
    expect(console.get_by_role("combobox", name="Command")).to_be_focused()
    assert violations(console) == []


def violations(page: Page) -> list[object]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]


def test_a_queue_of_untrusted_words_is_text_in_the_panel_the_title_and_the_desktop(
    console: Page, stage: Stage
) -> None:
    text = HOSTILE["all at once"].replace("\ud800", "")
    console.evaluate(
        """() => {
            globalThis.told = [];
            document.documentElement.dataset.notify = "on";
            globalThis.Notification = class {
                static permission = "granted";
                constructor(title, { body }) { globalThis.told.push(title, body); }
            };
        }"""
    )
    stage.queue = kept_apart(poisoned(queue.QUEUE, text))
    stage.send(queue_told(text + "x" * 1_000_000, active=4))
    until(lambda: console.evaluate("told"))
    assert all(len(words) <= 400 and "\u202e" not in words for words in console.evaluate("told"))
    console.keyboard.press("q")
    expect(console.locator(".queue-sheet")).to_contain_text("<script>alert(1)</script>")
    assert console.locator(".queue-sheet :is(script, img, table)").count() == 0


def kept_apart(view: QueueView) -> QueueView:
    """Keys are the console's own: one concern, one key, whatever the words."""

    def apart(items: tuple[QueueItem, ...], part: str) -> tuple[QueueItem, ...]:
        return tuple(replace(each, key=f"{each.key}-{part}-{i}") for i, each in enumerate(items))

    return replace(
        view,
        active=apart(view.active, "active"),
        seen=apart(view.seen, "seen"),
        returned=apart(view.returned, "returned"),
    )


@pytest.mark.parametrize("width", [390, 820, 1060])
def test_every_way_is_in_sight_and_every_row_is_low(chromium: Browser, theatre: Theatre, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 844}, base_url=theatre.url)
    page = context.new_page()
    page.goto("/episodes")
    ways = page.locator(".appnav a, .menu > summary").evaluate_all(
        "all => all.map(a => a.getBoundingClientRect().right)"
    )
    heights = page.locator(".eps tbody tr").evaluate_all("all => all.map(row => row.offsetHeight)")
    context.close()

    assert max(ways) <= width
    assert max(heights) < 260
