"""A ROS robot in real time, supervised in a browser: from a detection to the screen, from a click to the
goal, from HOLD to standstill. Real rosmaster, nodes, bridge, runner, web process and Chromium."""

from __future__ import annotations

import json
import queue
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, sync_playwright

from robot_bridge.ros.places import find_ros
from robot_bridge.ros.sim.simulation import Simulation
from tests.browser.scene import Served, served
from tests.browser.test_ros_robot import release
from tests.support.checkout import ROOT
from tests.support.chromium import VIEWPORT, launch

EAR = ROOT / "tests" / "support" / "ros_ear.py"
TIMES = 8
PATIENCE_S = 60.0
NOW = "(performance.timeOrigin + performance.now()) / 1000"


class Spread(NamedTuple):
    """Seconds: in the middle, and the worst of them."""

    median_s: float
    worst_s: float


class Latencies(NamedTuple):
    """Of `times` tries each. `detection_s`: from its publication on a topic to its name on the page.
    `goal_s`: from the click on Approve to the goal on the action's topic. `rest_s`: from HOLD to odometry
    that says standing; `confirmed_s`: to the page that says so."""

    times: int
    detection_s: Spread
    goal_s: Spread
    rest_s: Spread
    confirmed_s: Spread


class Ear:
    def __init__(self, environment: dict[str, str]) -> None:
        place = find_ros()
        self._process = subprocess.Popen(
            [place.python, str(EAR)],
            env={**place.environment(), **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._told: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def publish(self, name: str) -> float:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        return self.next("publishes")

    def next(self, what: str) -> float:
        """When that happened; what was told before it is forgotten."""
        while True:
            told = self._told.get(timeout=PATIENCE_S)
            if told["what"] == what:
                return float(told["utc_s"])

    def forget(self) -> None:
        while not self._told.empty():
            self._told.get()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._told.put(json.loads(line))


def latencies(times: int = TIMES) -> Latencies:
    with _robot() as (ear, console), sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC", reduced_motion="reduce")
        page.set_default_timeout(1000 * PATIENCE_S)
        page.goto(console.link)
        page.get_by_role("link", name="New episode").first.click()
        page.get_by_label("Recycling with a ROS robot").check()
        page.get_by_role("button", name="Start the episode").click()
        page.wait_for_selector("#plan[data-state=awaiting]")
        detections = [_detection(page, ear, f"can_{90 + number}") for number in range(times)]
        stops = [_stop(page, ear) for _ in range(times)]
        browser.close()
    goals, rests, confirmed = zip(*stops, strict=True)
    return Latencies(times, *[_spread(each) for each in (detections, goals, rests, confirmed)])


@contextmanager
def _robot() -> Iterator[tuple[Ear, Served]]:
    mission = (ROOT / "missions" / "recycling-ros.yaml").read_text("utf-8")
    with (
        tempfile.TemporaryDirectory(prefix="quarterdeck-bench-") as folder,
        pytest.MonkeyPatch.context() as patch,
        Simulation(Path(folder) / "robot", seed=1) as simulation,
    ):
        for name, value in simulation.environment().items():
            patch.setenv(name, value)
        ear = Ear(simulation.environment())
        try:
            ear.next("listens")
            with served(Path(folder) / "home", {"recycling-ros": mission}) as console:
                yield ear, console
        finally:
            ear.close()


def _detection(page: Page, ear: Ear, name: str) -> float:
    published_s = ear.publish(name)
    seen = f"(name) => document.querySelector('#evidence')?.textContent.includes(name) && {NOW}"
    return float(page.wait_for_function(seen, arg=name).json_value()) - published_s


def _stop(page: Page, ear: Ear) -> tuple[float, float, float]:
    """Approve what waits, let the robot get going, hold it, release it."""
    page.wait_for_selector("#plan[data-state=awaiting] .grant button:not([disabled])")
    ear.forget()
    clicked_s = float(
        page.evaluate(
            f"() => {{ const at = {NOW}; document.querySelector('.grant button').click(); return at }}"
        )
    )
    goal_s = ear.next("goal")
    ear.next("moves")
    page.wait_for_timeout(300)
    pressed_s = float(page.evaluate(f"() => {NOW}"))
    page.keyboard.press("Shift+H")
    rest_s = ear.next("rests")
    told = f"() => document.querySelector('#phase')?.textContent.includes('Bridge confirmed') && {NOW}"
    confirmed_s = float(page.wait_for_function(told).json_value())
    release(page)
    return goal_s - clicked_s, rest_s - pressed_s, confirmed_s - pressed_s


def _spread(found: Any) -> Spread:
    return Spread(round(statistics.median(found), 3), round(max(found), 3))


def built(found: Latencies) -> dict[str, Any]:
    spreads = ("detection_s", "goal_s", "rest_s", "confirmed_s")
    return {"times": found.times, **{name: getattr(found, name)._asdict() for name in spreads}}


def told(found: Latencies) -> str:
    def words(spread: Spread) -> str:
        return f"{1000 * spread.median_s:.0f} ms, {1000 * spread.worst_s:.0f} at worst"

    return (
        f"A ROS robot, {found.times} times each: detection to screen {words(found.detection_s)};"
        f" Approve to goal {words(found.goal_s)}; HOLD to standstill {words(found.rest_s)},"
        f" and said on the page {words(found.confirmed_s)}"
    )
