"""The live link: what an event fetches, how silence shows and heals, and that HOLD works through it all."""

import re
import time
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.stage import Stage, Theatre
from tests.web.examples import cards, frame
from tests.web.examples import page as example

STALE_WITHIN_S = 3.0
HEALED_WITHIN_S = 2.0
SLACK_S = 1.0  # a busy machine, not the promise

CUT = re.compile(r"\bis-cut\b")


def until(holds: Callable[[], object], within_s: float = 10.0) -> float:
    """Seconds until `holds`; the page is polled from outside, as a person would look at it."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < within_s, "it never came"
        time.sleep(0.02)
    return time.monotonic() - began


def test_an_event_fetches_the_panels_it_names_and_no_others(console: Page, stage: Stage) -> None:
    stage.fetched.clear()
    stage.plan = cards.EXAMPLES["plan/executing"]
    stage.event("plan", "bar")
    expect(console.get_by_role("heading", name="Plan 14, executing")).to_be_visible()
    until(lambda: {"plan", "bar"} <= set(stage.fetched))
    assert set(stage.fetched) == {"plan", "bar"}


def test_a_burst_of_events_costs_one_fetch_a_panel(console: Page, stage: Stage) -> None:
    stage.fetched.clear()
    for _ in range(20):
        stage.event("memory", "log")
    until(lambda: stage.fetched)
    console.wait_for_timeout(500)
    assert set(stage.fetched) == {"memory"}
    assert len(stage.fetched) <= 4


def test_a_gap_fetches_everything(console: Page, stage: Stage) -> None:
    stage.fetched.clear()
    stage.event("bar", seq=stage.head + 40)
    until(lambda: {"bar", "plan", "map", "timeline", "memory"} <= set(stage.fetched))


def test_an_event_told_twice_is_heard_once(console: Page, stage: Stage) -> None:
    stage.event("plan")
    until(lambda: "plan" in stage.fetched)
    stage.fetched.clear()
    stage.event("plan", seq=stage.head)
    stage.event("bar")
    until(lambda: "bar" in stage.fetched)
    assert "plan" not in stage.fetched


def test_the_page_answers_each_age_so_that_the_conn_is_kept(console: Page, stage: Stage) -> None:
    until(lambda: {"type": "pong"} in stage.answers)


def test_focus_and_typed_text_outlive_a_fetch(console: Page, stage: Stage) -> None:
    field = console.get_by_placeholder("Guidance for the planner")
    field.fill("Take can_12 first")
    stage.plan = msgspec.structs.replace(cards.AWAITING, title="Plan 14 still needs your approval")
    stage.event("plan")
    expect(console.get_by_role("heading", name="still needs")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("Take can_12 first")


def test_typed_text_outlives_the_plan_and_a_reload(console: Page, stage: Stage) -> None:
    console.get_by_placeholder("Guidance for the planner").fill("Leave the kitchenette")
    stage.plan = cards.EXAMPLES["plan/superseded"]
    stage.event("plan")
    expect(console.get_by_role("heading", name="lapsed before you decided")).to_be_visible()
    stage.plan = cards.AWAITING
    stage.event("plan")
    expect(console.get_by_placeholder("Guidance for the planner")).to_have_value("Leave the kitchenette")
    console.reload()
    expect(console.get_by_placeholder("Guidance for the planner")).to_have_value("Leave the kitchenette")


def test_what_was_sent_is_typed_no_longer(console: Page, stage: Stage) -> None:
    console.get_by_placeholder("Guidance for the planner").fill("Leave the kitchenette")
    console.get_by_role("button", name="Reject with reason").click()
    until(lambda: stage.posted)
    address, form = stage.posted[0]
    assert address == "/episodes/0417/approvals/a-14/rejection"
    assert form["reason"] == "Leave the kitchenette"
    assert form["pins_digest"] == cards.DECISION.pins_digest
    expect(console.get_by_placeholder("Guidance for the planner")).to_have_value("")


@pytest.mark.parametrize("status", [409, 422])
def test_a_refusal_brings_the_fresh_card(console: Page, stage: Stage, status: int) -> None:
    stage.status = status
    stage.plan = cards.EXAMPLES["plan/superseded"]
    console.get_by_role("button", name="Approve").click()
    expect(console.get_by_text("Your approval came after the change.")).to_be_visible()


def test_a_click_cannot_approve_a_plan_that_has_only_just_come(console: Page, stage: Stage) -> None:
    decision = msgspec.structs.replace(cards.DECISION, approval="a-15")
    stage.plan = msgspec.structs.replace(
        cards.AWAITING, title="Plan 15 needs your approval", decision=decision
    )
    console.get_by_role("button", name="Approve").hover()
    stage.event("plan")
    console.wait_for_selector("form.grant[action*='a-15']")
    console.mouse.down()
    console.mouse.up()
    for _ in range(3):  # the card is drawn again meanwhile, and the wait is neither lost nor endless
        stage.event("plan")
        console.wait_for_timeout(100)
    assert stage.posted == []
    console.get_by_role("button", name="Approve").click()  # waits until it is on again
    until(lambda: stage.posted)
    assert stage.posted[0][0] == "/episodes/0417/approvals/a-15/grant"


def test_rows_wait_while_the_pointer_moves_over_them(console: Page, stage: Stage) -> None:
    row = console.locator("#record-can_12").bounding_box()
    stage.fetched.clear()
    console.mouse.move(row["x"] + 100, row["y"] + 5)
    stage.event("memory", "bar")
    until(lambda: "bar" in stage.fetched)
    console.mouse.move(row["x"] + 104, row["y"] + 6)
    assert "memory" not in stage.fetched
    assert until(lambda: "memory" in stage.fetched) < 3 + SLACK_S


def test_silence_shows_within_three_seconds_and_nothing_goes_blank(console: Page, stage: Stage) -> None:
    before = console.locator("#readings").inner_text()
    stage.mute = True
    waited = until(lambda: console.locator("html.is-cut").count(), STALE_WITHIN_S + 1 + SLACK_S)
    assert waited <= STALE_WITHIN_S + 1 + SLACK_S  # the last age came up to a second ago
    expect(console.locator("#link-server")).to_have_class(re.compile("is-stale"))
    expect(console.locator("#link-state")).to_contain_text(
        re.compile(r"Reconnecting, try \d+\. Nothing was lost")
    )
    assert console.locator("#readings").inner_text() == before
    assert console.locator(".map-mark").count() > 10
    stage.mute = False
    healed = until(lambda: not console.locator("html.is-cut").count())
    assert healed <= HEALED_WITHIN_S + SLACK_S


def test_a_server_that_comes_back_is_resumed_by_seq(console: Page, stage: Stage, theatre: Theatre) -> None:
    stage.event("bar")
    until(lambda: "bar" in stage.fetched)
    theatre.down()
    expect(console.locator("html")).to_have_class(CUT)
    expect(console.locator("#link-state")).to_contain_text("resuming at seq 1,905")
    stage.plan = cards.EXAMPLES["plan/executing"]
    stage.resumed = [stage.committed("plan")]
    stage.connected.clear()
    theatre.up()
    healed = until(lambda: not console.locator("html.is-cut").count())
    assert healed <= HEALED_WITHIN_S + SLACK_S
    assert stage.connected[0] == "1905"
    expect(console.get_by_role("heading", name="Plan 14, executing")).to_be_visible()
    expect(console.locator("#link-state")).to_be_hidden()


def test_a_fetch_that_failed_is_made_again(console: Page, stage: Stage) -> None:
    stage.status = 503
    stage.plan = cards.EXAMPLES["plan/executing"]
    stage.event("plan")
    until(lambda: "plan" in stage.fetched)
    stage.status = 200
    expect(console.get_by_role("heading", name="Plan 14, executing")).to_be_visible()


def test_commands_wait_for_the_server_and_hold_does_not(
    console: Page, stage: Stage, theatre: Theatre
) -> None:
    theatre.down()
    try:
        expect(console.locator("html")).to_have_class(CUT)
        expect(console.get_by_role("button", name="Approve")).to_be_disabled()
        expect(console.get_by_role("button", name="Reject with reason")).to_be_disabled()
        hold = console.locator("#stop .hold")
        expect(hold).to_be_enabled()
        hold.click()
        expect(console.get_by_role("alert")).to_contain_text("Hold is not confirmed.")
    finally:
        theatre.up()
    expect(console.get_by_role("button", name="Approve")).to_be_enabled()
    until(lambda: "/episodes/0417/holds" in dict(stage.posted))
    expect(console.get_by_role("alert")).to_have_count(0)


def test_hold_says_stopping_until_the_server_says_more(console: Page, stage: Stage) -> None:
    stage.bar = frame.HELD
    console.keyboard.press("Shift+H")
    until(lambda: stage.posted)
    assert stage.posted[0][0] == "/episodes/0417/holds"
    expect(console.locator("#stop .is-latched")).to_contain_text("HELD")
    expect(console.locator("#phase")).to_contain_text("Held by operator-1")


def test_the_button_that_was_pressed_says_what_the_server_says_next(console: Page, stage: Stage) -> None:
    hold = console.locator("#stop .hold")
    hold.click()
    until(lambda: stage.posted)
    expect(hold.locator(".hold-word")).to_have_text("HOLD")  # this stage has not taken it
    expect(hold).not_to_have_class(re.compile("is-pending"))
    stage.bar = frame.STOPPING
    stage.event("bar")
    expect(hold).to_be_focused()
    expect(hold).to_have_class(re.compile("is-pending"))
    expect(hold.locator(".hold-word")).to_have_text("STOPPINGnot confirmed")


def test_a_session_that_ended_is_said_and_not_tried_again(console: Page, stage: Stage) -> None:
    stage.expire()
    expect(console.locator("#link-state")).to_contain_text("You are signed out.")
    way = console.locator("#link-state").get_by_role("link", name="Sign in")
    expect(way).to_have_attribute("href", "/signin?next=%2Fepisodes%2F0417")
    tries = len(stage.connected)
    console.wait_for_timeout(1500)
    assert len(stage.connected) == tries


def test_figures_tick_on_from_the_server_s_stamps(console: Page) -> None:
    left = console.locator("[data-left].fig")
    first = left.inner_text()
    until(lambda: left.inner_text() != first, 3)
    assert re.fullmatch(r"0:\d\d", left.inner_text())
    clock = console.locator("[data-utc]")
    second = clock.inner_text()
    until(lambda: clock.inner_text() != second, 3)


def test_scores_that_no_event_renews_say_of_what_time_they_are(console: Page, stage: Stage) -> None:
    as_of = console.locator("#as-of")
    expect(as_of).to_contain_text("as of 00:14:32")
    row = console.locator("#record-can_07 [data-age-met]")
    before = row.inner_text()
    stage.met_s += 40
    expect(as_of).to_have_class(re.compile("aged"))
    expect(as_of).to_contain_text(re.compile(r"4\d s ago"))
    assert before != row.inner_text()
    expect(row).to_have_text(re.compile(r"5\d s"))
    console.goto("/episodes/0417?at=1287")
    expect(console.locator("#replay")).to_be_visible()
    expect(as_of).to_have_count(0)


def test_the_axis_goes_on_while_no_event_comes(console: Page, stage: Stage) -> None:
    flag = console.locator(".playhead .ph-flag")
    expect(flag).to_have_count(1)
    stage.met_s = 1.5 * example.TIMELINE.span_s
    lanes = console.locator("#lanes").bounding_box()
    until(lambda: flag.bounding_box()["x"] > lanes["x"] + 0.7 * lanes["width"])
    box = flag.bounding_box()
    assert box["x"] < lanes["x"] + 0.99 * lanes["width"], "the flag stands at the end whatever the time"


@pytest.mark.parametrize(
    ("key", "state", "word"), [("source:drone", "is-stale", "stale"), ("robot:jetrover", "is-down", "lost")]
)
def test_a_late_source_is_stale_and_a_silent_robot_lost(
    console: Page, stage: Stage, key: str, state: str, word: str
) -> None:
    stage.ages_s[key] = 42.0
    cell = console.locator(f"[data-link='{key}']")
    expect(cell.locator("[data-link-age]")).to_have_text(re.compile(r"4\d s"))
    expect(cell).to_have_class(re.compile(rf"\b{state}\b"))
    expect(cell.locator(".link-tag")).to_have_text(word)


def test_by_mouse_or_keyboard_one_is_asked_again_before_it_aborts(console: Page, stage: Stage) -> None:
    console.get_by_text("Abort episode…").click()
    expect(console.get_by_role("heading", name="End this episode for good?")).to_be_visible()
    assert stage.posted == []
    console.keyboard.press("Escape")
    expect(console.locator("#abort-sheet")).to_have_count(0)
    console.get_by_text("Abort episode…").focus()
    console.keyboard.press("Enter")
    console.get_by_label("Why, for the record").fill("gripper servo hot")
    console.get_by_role("button", name="Abort the episode").focus()
    console.keyboard.press("Enter")
    until(lambda: stage.posted)
    assert stage.posted == [("/episodes/0417/abort", {"reason": "gripper servo hot"})]


def test_release_asks_first_whether_the_area_is_clear(console: Page, stage: Stage) -> None:
    stage.plan = cards.HELD
    stage.event("plan")
    expect(console.get_by_role("button", name="2 Release")).to_be_disabled()
    console.get_by_role("button", name="1 Area is clear").click()
    console.get_by_role("button", name="2 Release").click()
    until(lambda: stage.posted)
    assert stage.posted == [("/episodes/0417/releases", {"shown": cards.RELEASING.shown})]


def test_that_the_area_is_clear_outlives_a_fetch_that_was_under_way(console: Page, stage: Stage) -> None:
    """Taking the conn fetches the card; whoever clicks at once is heard though that answer comes late."""
    stage.plan = cards.HELD
    stage.event("plan")
    expect(console.get_by_role("button", name="2 Release")).to_be_disabled()
    late: list[Route] = []
    console.route("**/episodes/0417/plan", lambda route: late.append(route))
    with console.expect_request("**/episodes/0417/plan"):
        stage.event("plan")

    console.get_by_role("button", name="1 Area is clear").click()
    expect(console.get_by_role("button", name="2 Release")).to_be_enabled()
    with console.expect_response("**/episodes/0417/plan?cleared=*"):
        late[0].continue_()
        console.unroute("**/episodes/0417/plan")

    expect(console.get_by_role("button", name="2 Release")).to_be_enabled()
    console.get_by_role("button", name="2 Release").click()
    until(lambda: stage.posted)


def test_at_every_width_the_checks_are_read_and_a_request_for_the_conn_covers_no_plan(
    console: Page, stage: Stage
) -> None:
    stage.bar = msgspec.structs.replace(frame.AWAITING, conn=frame.ASKED_OF_ME)
    stage.event("bar", "plan")
    expect(console.locator("#conn-request")).to_be_visible()
    for width in (1600, 1536, 1472, 1400, 1280, 1152, 1101, 1100, 1024):
        console.set_viewport_size({"width": width, "height": 900})
        found = console.evaluate(SEEN)
        assert found == {"cut": 0, "covered": False}, width


SEEN = """() => {
  const named = [".steps-wrap", "#plan", "#conn-request"];
  const [steps, plan, sheet] = named.map((each) => document.querySelector(each));
  const [a, b] = [plan.getBoundingClientRect(), sheet.getBoundingClientRect()];
  const apart = b.right <= a.left || b.left >= a.right || b.bottom <= a.top || b.top >= a.bottom;
  return { cut: steps.scrollWidth - steps.clientWidth, covered: !apart };
}"""


def test_a_list_that_is_not_fetched_any_more_says_how_old_it_is(
    console: Page, stage: Stage, theatre: Theatre
) -> None:
    console.goto("/episodes")
    theatre.down()
    try:
        expect(console.locator("#link-state")).to_contain_text(re.compile(r"This list is \d\.\d s old"))
        expect(console.locator("#episode-0417")).to_contain_text("Recycle Lab B")
        expect(console.locator("#episode-0417 .hold")).to_be_enabled()
    finally:
        theatre.up()
    expect(console.locator("#link-state")).to_be_hidden()


def test_hold_in_a_list_holds_that_episode(console: Page, stage: Stage) -> None:
    console.goto("/episodes")
    console.get_by_role("button", name="HOLD 0409").click()
    until(lambda: stage.posted)
    assert stage.posted[0][0] == "/episodes/0409/holds"
