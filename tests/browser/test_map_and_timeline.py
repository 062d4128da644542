"""The map, crowded too, by pointer and by key; the timeline zoomed, jumped through and played."""

import re

import msgspec
import pytest
from playwright.sync_api import Page, expect

from backend.web.pages.map import MapData, Point
from tests.browser.stage import Stage
from tests.browser.test_console import apart, marks_are_drawn
from tests.browser.test_live import until
from tests.web.examples import cards
from tests.web.examples import page as example

IS_IN_VIEW = """name => {
  const box = name.getBoundingClientRect();
  const view = document.getElementById("map-view").getBoundingClientRect();
  return box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
}"""
OUTLINE_FROM_MARK_PX = """marks => marks.filter((mark) => !mark.querySelector(".ent-id").textContent)
  .map((mark) => {
    const [ring, outline] = [".ring", ".ent-class"].map((part) => {
      const { x, y, width, height } = mark.querySelector(part).getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    });
    return Math.hypot(ring[0] - outline[0], ring[1] - outline[1]);
  })"""
CROWD = 2000


def crowded(data: MapData, count: int = CROWD) -> MapData:
    """As many observed entities, in rows over the site; the known ones stay."""
    one = next(each for each in data.entities if each.shape == "observed" and not each.in_k)
    bounds = data.ground.bounds
    across = int((count * bounds.width_m / bounds.height_m) ** 0.5)
    more = tuple(
        msgspec.structs.replace(
            one,
            id=f"can_{1000 + index}",
            place=Point(
                bounds.x_m + (index % across + 0.5) * bounds.width_m / across,
                bounds.y_m + (index // across + 0.5) * bounds.height_m * across / count,
            ),
            card=msgspec.structs.replace(one.card, title=f"can_{1000 + index}"),
            note="",
        )
        for index in range(count)
    )
    return msgspec.structs.replace(data, entities=(*data.entities, *more))


def test_a_crowd_is_drawn_and_what_matters_keeps_its_element(console: Page, stage: Stage) -> None:
    stage.map = crowded(stage.map)
    stage.event("map")
    until(lambda: console.locator(".map-crowd:not([hidden])").count())
    marks = console.locator(".map-mark.is-told").count()
    assert 10 < marks < 200
    expect(console.locator(".bracket")).to_have_count(1)
    expect(console.locator(".kring")).to_have_count(8)
    inked = """() => {
        const canvas = document.querySelector(".map-crowd");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value, index) => index % 4 === 3 && value > 200);
    }"""
    assert console.evaluate(inked)


def test_one_of_a_crowd_tells_under_the_pointer_and_stays_when_pressed(console: Page, stage: Stage) -> None:
    stage.map = crowded(stage.map, 300)
    stage.event("map")
    until(lambda: console.locator(".map-crowd:not([hidden])").count())
    view = console.locator("#map-view").bounding_box()
    card = console.locator(".hover")
    for step in range(40):
        console.mouse.move(view["x"] + 60 + 9 * step, view["y"] + 0.45 * view["height"])
        if card.is_visible() and "can_1" in card.inner_text():
            break
    title = card.locator("header b").inner_text()
    assert re.fullmatch(r"can_1\d\d\d", title)
    console.mouse.down()
    console.mouse.up()
    expect(card).to_have_class(re.compile("is-pinned"))
    expect(console.locator(f"[data-mark='entity {title}']")).to_be_attached()
    console.mouse.move(view["x"] + 5, view["y"] + 5)
    expect(card).to_contain_text(title)
    console.get_by_role("button", name="Close", exact=True).click()
    expect(card).not_to_have_class(re.compile("is-pinned"))
    expect(console.locator(f"[data-mark='entity {title}']")).to_be_focused()


def test_a_pressed_mark_leads_to_its_record(console: Page) -> None:
    console.get_by_role("img", name="can_12").click()
    console.get_by_role("button", name="Show in memory").click()
    expect(console.locator("#record-can_12")).to_be_focused()


def test_marks_are_one_stop_of_the_tab_key_and_arrows_lead_on(console: Page) -> None:
    first = console.locator(".map-mark[tabindex='0']")
    first.focus()
    here = first.get_attribute("data-mark")
    box = first.bounding_box()
    console.keyboard.press("ArrowDown")
    now = console.locator(".map-mark:focus")
    assert now.get_attribute("data-mark") != here
    assert now.bounding_box()["y"] > box["y"]
    expect(console.locator(".map-mark[tabindex='0']")).to_have_count(1)
    console.keyboard.press("Enter")
    expect(console.locator(".hover")).to_have_class(re.compile("is-pinned"))
    console.keyboard.press("Escape")
    expect(console.locator(".hover")).to_be_hidden()
    assert "at=" not in console.url


def test_layers_that_are_off_stay_off(console: Page) -> None:
    console.get_by_label("Names").uncheck(force=True)
    console.reload()
    console.wait_for_selector(".map-mark.is-told")
    expect(console.get_by_label("Names")).not_to_be_checked()
    expect(console.locator(".ent-id").first).to_be_hidden()
    console.get_by_label("Names").check(force=True)


def test_a_robot_that_is_not_heard_is_drawn_so(console: Page, stage: Stage) -> None:
    """So is the step that it was last said to be at."""
    stage.plan = cards.EXAMPLES["plan/executing"]
    stage.event("plan")
    body = console.get_by_role("img", name="JetRover").locator(".robot")
    running = console.locator(".steps .is-running")
    expect(body).not_to_have_class(re.compile("is-stale"))
    expect(running).to_have_css("background-image", "none")
    stage.ages_s["robot:jetrover"] = 20.0
    expect(body).to_have_class(re.compile("is-stale"))
    expect(running).to_have_css("background-image", re.compile("repeating-linear-gradient"))


def test_a_trail_goes_on_with_telemetry_and_round_corners(console: Page, stage: Stage) -> None:
    stage.map = msgspec.structs.replace(stage.map, turns_square=True, seq=stage.head + 1)
    with console.expect_response("**/map.json"):
        stage.event("map")
    expect(console.locator("#map-view")).to_have_attribute("data-seq", str(stage.map.seq))
    for x, y in ((4.0, 5.0), (6.0, 7.0)):
        stage.telemetry(x, y, 0.0, pose=f"{x}")
    path = console.locator(".map-fresh path").first
    expect(path).to_have_attribute("d", re.compile(r"L6 -5(\.0)?L6 -7$|L4 -7(\.0)?L6 -7$"))


def test_zoom_and_fit(console: Page) -> None:
    station = console.get_by_role("img", name="Metal station")
    robot = console.get_by_role("img", name="JetRover")

    def apart() -> float:
        return station.bounding_box()["x"] - robot.bounding_box()["x"]

    fitted = apart()
    console.get_by_role("button", name="Zoom in").click()
    assert apart() > 1.3 * fitted
    console.get_by_role("button", name="Fit the site").click()
    assert apart() == pytest.approx(fitted, abs=1)
    width_px = console.viewport_size["width"]
    for across_px in (4, width_px):  # a window that was as good as closed meanwhile
        console.set_viewport_size({"width": across_px, "height": console.viewport_size["height"]})
        until(lambda wide=across_px == width_px: (apart() > 100) == wide)
    assert apart() == pytest.approx(fitted, abs=1)


def test_no_plate_of_a_station_covers_the_target(console: Page, stage: Stage) -> None:
    plates = {each.label: (each.place.x_m, each.place.y_m) for each in stage.map.stations}
    [target] = [each for each in stage.map.entities if each.is_target]
    for label, (x_m, y_m) in plates.items():
        for beside_m in (0.5, -0.5):
            moved = msgspec.structs.replace(target, place=Point(x_m, y_m + beside_m), was=None)
            others = tuple(each for each in stage.map.entities if not each.is_target)
            shown = msgspec.structs.replace(stage.map, entities=(moved, *others), seq=stage.head + 1)
            stage.map = shown
            stage.event("map")
            expect(console.locator("#map-view")).to_have_attribute("data-seq", str(shown.seq))
            plate = console.get_by_role("img", name=label).locator(".station rect").first.bounding_box()
            assert apart(plate, console.locator(".is-target .bracket").bounding_box())


def test_no_name_leaves_the_map_or_its_mark(console: Page, stage: Stage) -> None:
    """At any edge a robot's name is read whole; on a phone, where few names have room, each outline of a
    class still stands beside its own mark."""
    x_m, y_m, width_m, height_m = msgspec.structs.astuple(stage.map.ground.bounds)
    name = console.get_by_role("img", name="JetRover").locator(".ent-id")
    for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
        stage.telemetry(x_m + x * width_m, y_m + y * height_m, 0.0, pose=f"corner {x} {y}")
        expect(console.locator("[data-reading=pose]")).to_have_text(f"corner {x} {y}")
        assert name.evaluate(IS_IN_VIEW)
    of_a_class = tuple(msgspec.structs.replace(each, cls="can") for each in stage.map.entities)
    stage.map = msgspec.structs.replace(stage.map, entities=of_a_class)
    console.set_viewport_size({"width": 390, "height": 844})
    stage.event("map")
    expect(console.get_by_role("img", name="can_12").locator(".ent-class")).to_have_count(1)
    expect(console.get_by_role("img", name="can_12").locator(".ent-id")).to_have_text("")
    far_px = console.locator(".ent:has(.ent-class)").evaluate_all(OUTLINE_FROM_MARK_PX)
    assert far_px
    assert max(far_px) < 32


def axis(console: Page) -> list[str]:
    return console.locator(".l-axis text").all_text_contents()


def test_the_timeline_is_zoomed_by_button_and_wheel_and_panned(console: Page) -> None:
    marks_are_drawn(console)
    whole = axis(console)
    console.get_by_role("button", name="Zoom the timeline in").click()
    assert axis(console) != whole
    console.get_by_role("button", name="Show the whole episode").click()
    assert axis(console) == whole
    lanes = console.locator("#lanes").bounding_box()
    console.mouse.move(lanes["x"] + 0.3 * lanes["width"], lanes["y"] + 40)
    console.mouse.wheel(0, -1200)
    near = axis(console)
    assert near != whole
    console.mouse.wheel(300, 0)
    assert axis(console) != near


@pytest.mark.parametrize(
    ("key", "kind"),
    [("Shift+P", "plan"), ("Shift+R", "replan"), ("Shift+F", "failure"), ("Shift+D", "delivery")],
)
def test_a_key_jumps_to_the_one_before_of_its_kind(console: Page, key: str, kind: str) -> None:
    marks_are_drawn(console)
    last = [mark.seq for mark in example.TIMELINE.marks if mark.kind == kind][-1]
    console.keyboard.press(key)
    until(lambda: console.url.endswith(f"at={last}"))


def test_the_chosen_kind_is_what_the_buttons_jump_to(console: Page) -> None:
    marks_are_drawn(console)
    console.get_by_label("Jump to", exact=True).select_option("operator")
    own = [mark.seq for mark in example.TIMELINE.marks if mark.kind in ("operator", "rejected", "hold")]
    console.get_by_role("button", name="Jump back").click()
    until(lambda: console.url.endswith(f"at={own[-1]}"))


@pytest.mark.parametrize(
    ("ticks", "at", "elapsed_s", "speed", "seq"),
    [
        ([[0, 1], [1, 5], [2, 9]], 1, 1.0, 1, 5),
        ([[0, 1], [1, 5], [2, 9]], 1, 1.0, 0.5, 1),
        ([[0, 1], [1, 5], [2, 9]], 1, 1.0, 16, 9),
        ([[0, 4], [100, 5]], 4, 1.0, 1, 4),
        ([[0, 4], [100, 5]], 4, 2.5, 1, 5),
        ([[0, 40]], 3, 0.1, 1, 40),
    ],
    ids=[
        "as it was",
        "half its pace",
        "sixteen times",
        "a wait",
        "a long wait is cut short",
        "a world that waits",
    ],
)
def test_a_replay_plays_by_mission_time(
    console: Page, ticks: list[list[float]], at: int, elapsed_s: float, speed: float, seq: int
) -> None:
    script = """async ([ticks, at, elapsed, speed]) =>
        (await import("/static/islands/timeline/play.js")).played(ticks, 0, at, elapsed, speed).seq"""
    assert console.evaluate(script, [ticks, at, elapsed_s, speed]) == seq


def test_nothing_of_the_past_is_drawn_as_an_alarm_of_now(console: Page) -> None:
    console.goto("/episodes/0417?at=1287")
    expect(console.locator("#replay")).to_be_visible()
    assert (
        console.locator("[role=alert], #phase.is-alarm, .link.is-down, #plan.is-alarm, #plan.is-ask").count()
        == 0
    )
