"""A ROS robot supervised in a browser: approve its plan, see it freeze and come back, hold it, release it."""

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from robot_bridge.ros.places import RosPlace
from robot_bridge.ros.sim.simulation import Simulation
from tests.browser.scene import Served, served
from tests.browser.test_mission import PATIENCE_MS, STARTS_MS, approve_until, click
from tests.support.checkout import ROOT
from tests.support.chromium import VIEWPORT

RATE = 4.0


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory, ros_place: RosPlace) -> Iterator[Simulation]:
    with Simulation(tmp_path_factory.mktemp("simulation"), seed=2, rate=RATE, place=ros_place) as simulation:
        yield simulation


@pytest.fixture(scope="module")
def quarterdeck(tmp_path_factory: pytest.TempPathFactory, robot: Simulation) -> Iterator[Served]:
    mission = (ROOT / "missions" / "recycling-ros.yaml").read_text("utf-8")
    hurried = mission.replace("tick_s: 1.0", f"tick_s: {1 / RATE}").replace("total: 0", "total: 1")
    with pytest.MonkeyPatch.context() as environment:
        for name, value in robot.environment().items():
            environment.setenv(name, value)
        with served(tmp_path_factory.mktemp("home"), {"recycling-ros": hurried}) as running:
            yield running


@pytest.fixture
def tab(chromium: Browser, quarterdeck: Served) -> Iterator[Page]:
    context = chromium.new_context(
        viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(quarterdeck.link)
    yield page
    context.close()
    assert not complaints


@pytest.mark.timeout(300)
def test_a_ros_robot_is_approved_watched_held_and_released(tab: Page, robot: Simulation) -> None:
    tab.get_by_role("link", name="New episode").first.click()
    tab.get_by_label("Recycling with a ROS robot").check()
    tab.get_by_role("button", name="Start the episode").click(timeout=STARTS_MS)
    tab.wait_for_selector("#plan[data-state=awaiting]", timeout=STARTS_MS)
    trouble = tab.locator("[data-reading=trouble]")
    expect(trouble).to_be_hidden()

    approve_until(tab, lambda: tab.locator("#plan").get_attribute("data-state") == "executing")

    robot.signal("base", signal.SIGSTOP)
    try:
        expect(trouble).to_contain_text("The robot is silent for")
    finally:
        robot.signal("base", signal.SIGCONT)
    expect(trouble).to_be_hidden()

    approve_until(tab, lambda: tab.locator("#plan").get_attribute("data-state") == "executing")
    tab.keyboard.press("Shift+H")
    expect(tab.locator("#stop")).to_contain_text("HELD")
    expect(tab.locator("#phase")).to_contain_text("Bridge confirmed")
    release(tab)
    tab.wait_for_selector("#plan[data-state=awaiting]")
    refused_a_second_episode(tab)


def refused_a_second_episode(tab: Page) -> None:
    tab.goto(tab.url.partition("/episodes/")[0] + "/episodes/new")
    tab.get_by_role("radio", name="Recycling with a ROS robot").check()
    tab.get_by_role("button", name="Start the episode").click()
    expect(tab.get_by_text("commands robot simulated-rover, and one does at a time.")).to_be_visible()


def release(tab: Page) -> None:
    """Once the step has its measured end: until then a release is refused, and clicked again."""
    for _ in range(30):
        if "HOLD" in tab.locator("#stop").inner_text():
            return
        for name in ("1 Area is clear", "2 Release"):
            button = tab.get_by_role("button", name=name)
            if button.count() and button.is_enabled():
                click(button)
        tab.wait_for_timeout(1000)
    raise AssertionError(tab.locator("#plan").inner_text())
