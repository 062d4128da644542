"""The console's client side, by hand and by key: map, timeline, keys, theme, phone, and without scripts."""

import re

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from backend.web.pages.environment import visible
from backend.web.pages.map import Point
from tests.browser.stage import Stage, Theatre
from tests.browser.test_live import until
from tests.web.examples import cards, frame
from tests.web.examples import page as example
from tests.web.hostile import HOSTILE, poisoned
from tests.web.test_text import FIGURES


def test_figures_are_written_alike_here_and_on_the_server(console: Page) -> None:
    names = {"age": "age", "link_age": "linkAge", "countdown": "countdown", "met": "met", "count": "count"}
    rows = [[names[name], value] for name, value, _ in FIGURES]
    written = console.evaluate(
        """async (rows) => {
            const figures = await import("/static/islands/figures.js");
            return rows.map(([name, value]) => figures[name](value));
        }""",
        rows,
    )
    assert written == [text for _, _, text in FIGURES]


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_deceiving_text_is_written_out_alike(console: Page, kind: str) -> None:
    # no lone surrogate crosses the test's own wire
    text = ("a\r\nform, over\rwritten " + HOSTILE[kind].replace("\ud800", ""))[:2000]
    script = "async (text) => (await import('/static/islands/text.js')).visible(text)"
    assert console.evaluate(script, text) == visible(text)


def test_every_entity_station_and_robot_is_on_the_map_and_can_be_focused(console: Page) -> None:
    data = example.LAB
    told = len(data.entities) + len(data.stations) + len(data.robots)
    expect(console.locator(".map-mark.is-told[role=img]")).to_have_count(told)
    expect(console.locator(".map-mark.is-told[tabindex='0']")).to_have_count(1)
    lost = console.get_by_role("img", name="bottle_11, lost")
    expect(lost.locator("use")).to_have_attribute("href", "#i-lost")
    expect(console.locator(".kring")).to_have_count(8)
    expect(console.locator(".bracket")).to_have_count(1)


def test_a_mark_tells_on_focus(console: Page) -> None:
    console.get_by_role("img", name="can_14").focus()
    card = console.get_by_role("complementary", name="can_14 on the map")
    expect(card).to_contain_text("1.60, 3.10 m")
    expect(card).to_contain_text(re.compile(r"2:3\d ago, drone"))
    console.get_by_role("heading", name="Map").click()
    console.get_by_role("button", name="Zoom in").focus()
    expect(card).to_be_hidden()


def test_telemetry_moves_the_robot_and_its_readings(console: Page, stage: Stage) -> None:
    robot = console.get_by_role("img", name="JetRover")
    before = robot.bounding_box()
    stage.telemetry(6.0, 3.0, 1.57, pose="6.00, 3.00 m", heading="090°")
    expect(console.locator("[data-reading=pose]")).to_have_text("6.00, 3.00 m")
    after = robot.bounding_box()
    assert after["x"] - before["x"] > 100
    assert after["y"] - before["y"] > 100
    expect(robot.locator("g[transform^=rotate]")).to_have_attribute("transform", "rotate(-90.0)")


def test_focus_on_a_mark_outlives_an_event(console: Page, stage: Stage) -> None:
    mark = console.get_by_role("img", name="can_04")
    mark.focus()
    moved = tuple(
        msgspec.structs.replace(each, place=Point(3.0, 4.0)) if each.id == "can_04" else each
        for each in stage.map.entities
    )
    before = mark.bounding_box()
    stage.map = msgspec.structs.replace(stage.map, seq=stage.head + 1, entities=moved)
    stage.event("map")
    until(lambda: mark.bounding_box()["x"] > before["x"] + 20)
    expect(mark).to_be_focused()


def test_an_entity_that_is_gone_leaves_the_map(console: Page, stage: Stage) -> None:
    stage.map = msgspec.structs.replace(stage.map, entities=stage.map.entities[1:])
    stage.event("map")
    expect(console.get_by_role("img", name="can_12")).to_have_count(0)


def test_layers_are_switched_off_and_on(console: Page) -> None:
    route = console.locator(".route")
    expect(route).to_be_visible()
    console.get_by_label("Route").uncheck(force=True)
    expect(route).to_be_hidden()
    console.get_by_label("Route").check(force=True)
    expect(route).to_be_visible()


@pytest.mark.parametrize("station", range(len(example.LAB.stations)))
def test_a_robot_at_a_station_leaves_its_name_to_be_read(console: Page, stage: Stage, station: int) -> None:
    at = stage.map.stations[station]
    stage.telemetry(at.place.x_m, at.place.y_m, 0.0, pose="at it")
    expect(console.locator("[data-reading=pose]")).to_have_text("at it")
    name = console.get_by_role("img", name="JetRover").locator(".ent-id").bounding_box()
    plate = console.get_by_role("img", name=at.label).locator(".station rect").first.bounding_box()
    assert apart(name, plate)


@pytest.mark.parametrize("width_px", [1600, 1280, 820, 390])
def test_what_is_delivered_is_said_at_every_width(console: Page, width_px: int) -> None:
    console.set_viewport_size({"width": width_px, "height": 844})
    delivered = console.locator(".progress dd").first
    expect(delivered).to_be_visible()
    box = delivered.bounding_box()
    assert box["width"] > 8
    assert box["x"] + box["width"] < width_px
    phase = console.locator("#phase .v")
    assert phase.evaluate("(e) => e.scrollWidth <= e.clientWidth"), "the phase is cut"


@pytest.mark.parametrize("seq", [1, 100, 1287])
def test_the_playhead_covers_no_legend(console: Page, seq: int) -> None:
    console.goto(f"/episodes/0417?at={seq}")
    flag = console.locator(".playhead .ph-flag")
    expect(flag).to_have_count(1)
    for item in console.locator(".tl-legend li").all():
        assert apart(flag.bounding_box(), item.bounding_box())


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share no point."""
    return any(
        a[at] + a[size] <= b[at]
        for at, size in (("x", "width"), ("y", "height"))
        for a, b in ((one, other), (other, one))
    )


def test_follow_keeps_the_robot_in_the_middle(console: Page, stage: Stage) -> None:
    console.get_by_role("button", name="Follow the robot").click()
    stage.telemetry(2.0, 8.0, 0.0, pose="2.00, 8.00 m")
    expect(console.locator("[data-reading=pose]")).to_have_text("2.00, 8.00 m")
    view = console.locator("#map-view").bounding_box()
    robot = console.get_by_role("img", name="JetRover").bounding_box()
    assert robot["x"] + robot["width"] / 2 == pytest.approx(view["x"] + view["width"] / 2, abs=3)


def test_a_record_pointed_at_lights_up_on_the_map(console: Page) -> None:
    console.locator("#record-can_12").hover()
    expect(console.get_by_role("img", name="can_12")).to_have_class(re.compile("is-lit"))


def test_the_map_takes_untrusted_text_as_text(console: Page, stage: Stage) -> None:
    stage.map = poisoned(example.GRID, HOSTILE["all at once"].replace("\ud800", ""))
    stage.map = msgspec.structs.replace(stage.map, unit="m")
    stage.event("map")
    expect(console.locator("#map-view")).to_contain_text("<script>alert(1)</script>")
    assert console.locator("#map-view :is(script, img, b, h1)").count() == 0


def test_a_mark_of_the_timeline_leads_into_the_past_and_escape_back(console: Page) -> None:
    console.get_by_role("link", name="00:09:48 Plan 9 rejected").click()
    expect(console.locator("#replay")).to_contain_text("Nothing here can move the robot.")
    assert console.url.endswith("?at=1287")
    expect(console.locator("#console")).to_have_class(re.compile("is-replay"))
    expect(console.get_by_role("button", name="Approve")).to_be_disabled()
    expect(console.locator("#stop .hold")).to_be_enabled()
    expect(console.locator(".route")).to_have_class(re.compile("is-quiet"))
    console.keyboard.press("Escape")
    expect(console.locator("#replay")).to_have_count(0)
    assert console.url.endswith("/episodes/0417")
    expect(console.get_by_role("button", name="Approve")).to_be_enabled()


def marks_are_drawn(console: Page) -> None:
    """All of them; those that lie close together as one."""
    count = """() => [...document.querySelectorAll('.l-marks a')]
        .reduce((sum, mark) => sum + Number(mark.dataset.marks), 0)"""
    until(lambda: console.evaluate(count) == len(example.TIMELINE.marks))


@pytest.mark.parametrize(
    ("keys", "seq"),
    [
        (["k"], "1,904"),
        (["k", "k"], "1,903"),
        (["ArrowLeft", "ArrowLeft", "ArrowRight"], "1,904"),
        (["k", "k", "k", "j"], "1,903"),
        (["Shift+ArrowLeft"], "1,902"),
        (["Shift+ArrowLeft", "Shift+ArrowLeft"], "1,830"),
        (["Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowRight"], "1,902"),
    ],
)
def test_keys_step_through_the_events(console: Page, keys: list[str], seq: str) -> None:
    marks_are_drawn(console)
    for pressed, key in enumerate(keys, 1):
        console.keyboard.press(key)
        expect(console.locator("#replay")).to_be_visible()
        until(lambda: console.url.endswith(f"at={console.locator('#timeline').get_attribute('data-at')}"))
        assert pressed
    expect(console.locator(".at .k")).to_have_text(f"seq {seq}")


def test_the_playhead_can_be_dragged(console: Page) -> None:
    lanes = console.locator("#lanes")
    expect(lanes.locator(".l-head")).to_have_count(1)
    box = lanes.bounding_box()
    console.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 40)
    console.mouse.down()
    console.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 40, steps=4)
    console.mouse.up()
    expect(console.locator("#replay")).to_be_visible()
    half_s = 0.5 * example.TIMELINE.span_s
    at = int(console.url.rpartition("=")[2])
    [met_s] = [tick.met_s for tick in example.TIMELINE.ticks if tick.seq == at]
    assert met_s == pytest.approx(half_s, abs=0.01 * example.TIMELINE.span_s)


def test_play_goes_on_event_by_event(console: Page) -> None:
    console.goto("/episodes/0417?at=1902")
    console.get_by_role("button", name="Play from here").click()
    expect(console.locator(".at .k")).to_have_text("seq 1,904", timeout=8000)


def test_the_open_tab_is_kept_in_the_past(console: Page) -> None:
    console.keyboard.press("2")
    expect(console.get_by_role("link", name="Context")).to_have_attribute("aria-current", "page")
    assert "tab=context" in console.url
    console.keyboard.press("k")
    expect(console.locator("#replay")).to_be_visible()
    expect(console.get_by_role("link", name="Context")).to_have_attribute("aria-current", "page")


def test_no_single_key_approves_and_hold_has_its_own(console: Page, stage: Stage) -> None:
    console.locator("body").focus()
    for key in [*"abcdefghijklmnopqrstuvwxyzAY0123456789 ", "Enter", "Delete", "F2"]:
        console.keyboard.press(key)
    console.goto("/episodes/0417")
    assert [address for address, _ in stage.posted if not address.endswith("/holds")] == []
    console.wait_for_selector("html:not(.is-cut) .map-mark.is-told")
    stage.posted.clear()
    console.keyboard.press("Shift+H")
    until(lambda: stage.posted)


def test_keys_mean_nothing_while_somebody_types(console: Page, stage: Stage) -> None:
    field = console.get_by_placeholder("Guidance for the planner")
    field.press_sequentially("HJK?1 hold")
    field.press("Enter")
    expect(field).to_have_value("HJK?1 hold\n")
    assert stage.posted == []
    assert console.url.endswith("/episodes/0417")


def test_the_list_of_keys(console: Page) -> None:
    console.keyboard.press("?")
    expect(console.get_by_role("dialog", name="Keys")).to_contain_text("No single key approves a plan.")
    console.keyboard.press("Escape")
    expect(console.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_the_theme_is_remembered_where_the_server_sees_it(console: Page) -> None:
    console.get_by_label("Menu").click()
    console.get_by_label("Dark").check(force=True)
    expect(console.locator("html")).to_have_attribute("data-theme", "dark")
    assert {c["name"]: c["value"] for c in console.context.cookies()} == {"qd_theme": "dark"}
    console.get_by_label("System").check(force=True)
    expect(console.locator("html")).not_to_have_attribute("data-theme", re.compile(".*"))


def test_an_open_menu_outlives_an_event(console: Page, stage: Stage) -> None:
    console.get_by_label("Menu").click()
    stage.bar = frame.EXECUTING
    stage.event("bar")
    expect(console.locator("#phase")).to_contain_text("Executing")
    expect(console.get_by_role("button", name="Sign out")).to_be_visible()
    console.keyboard.press("Escape")
    expect(console.get_by_role("button", name="Sign out")).to_be_hidden()


def test_the_title_says_what_is_asked(console: Page, stage: Stage) -> None:
    stage.bar = frame.EXECUTING
    stage.event("bar")
    expect(console).to_have_title("(3) Episode 0417, executing – Quarterdeck")


def test_without_scripts_hold_and_decisions_are_plain_forms(
    chromium: Browser, theatre: Theatre, stage: Stage
) -> None:
    context = chromium.new_context(java_script_enabled=False, base_url=theatre.url)
    page = context.new_page()
    page.goto("/episodes/0417")
    page.locator("#stop .hold").click()
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("link", name="Exchange").click()
    assert page.url.endswith("?tab=exchange")
    expect(page.get_by_role("heading", name="Answer, attempt 2")).to_be_visible()
    assert [address for address, _ in stage.posted] == [
        "/episodes/0417/holds",
        "/episodes/0417/approvals/a-14/grant",
    ]
    assert stage.posted[1][1]["plan_digest"] == cards.DECISION.plan_digest
    context.close()


def test_on_a_phone_every_control_is_large_enough_to_touch(
    chromium: Browser, theatre: Theatre, stage: Stage
) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, base_url=theatre.url
    )
    page = context.new_page()
    for address in ("/episodes/0417", "/episodes/0417?at=1287", "/episodes", "/episodes/new"):
        page.goto(address)
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
            f"{address} scrolls sideways"
        )
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, a.btn, summary, textarea, input")]
              .filter((e) => e.type !== "hidden")
              .map((e) => e.matches(":is([type=radio], [type=checkbox])") ? e.closest("label") ?? e : e)
              .filter((e) => e.checkVisibility() && !e.closest(".vh, .skip, dialog"))
              .map((e) => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
              .filter(([, box]) => box.width > 1 && Math.min(box.width, box.height) < 43.5)
              .map(([html, box]) => `${html} ${box.width}×${box.height}`)"""
        )
        assert small == [], address
    page.goto("/episodes/0417")
    hold = page.locator("#stop .hold").bounding_box()
    assert hold["y"] + hold["height"] > 780
    context.close()
