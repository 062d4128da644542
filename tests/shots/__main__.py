"""`make shots`: photograph every page of a running console, light and dark, at three widths.

A real server plays a mission while the camera goes round; states that a mission seldom comes into are the
examples of the page tests. The pictures go to tests/output/shots; with `--keep` those in the docs are taken
anew as well.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from tests.browser.scene import Served, served
from tests.browser.stage import open_theatre
from tests.support.chromium import launch
from tests.web.examples import page as example

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "tests" / "output" / "shots"
README_PICTURE = ROOT / "docs" / "pictures" / "console.png"
EVALUATION_PICTURES = {"evaluation-run": "evaluation.png", "evaluation-ways": "evaluation-ways.png"}

WIDTHS = {"wide": (1600, 1000), "narrow": (1280, 800), "tablet": (820, 1180), "phone": (390, 844)}
THEMES = ("light", "dark")
EVERYWHERE = ("wide", "narrow", "phone")
TABS = ("memory", "context", "exchange", "frames", "log", "audit")
PATIENCE_MS = 60_000
DELIVERIES = 3

MISSION = """\
name: recycling-hall
title: Recycling in the hall
goal: Bring every container to the station that takes its kind.
completion: All containers stand at their assigned stations and nothing is held.
world: {name: grid, scenario: dn-14, clock: runs, tick_s: 0.25}
memory: {like: attention, frames: gated}
policy: every_plan
budgets: {steps: 5000, decisions: 500}
approval_expires_s: 600
"""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m tests.shots", description=__doc__)
    arguments.add_argument("--keep", action="store_true", help="take the pictures of the docs anew")
    arguments.add_argument(
        "--tour", action="store_true", help="take the pictures of README and docs/tour.md alone"
    )
    arguments.add_argument("--states", action="store_true", help="take the console's states alone")
    asked = arguments.parse_args()
    keep = asked.keep
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), {"recycling-hall": MISSION}) as console,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        camera = Camera(browser, console)
        if asked.tour:
            camera.tour(camera.begin())
        elif asked.states:
            camera.states()
        else:
            camera.go_round(keep)
        browser.close()
    print(f"{len(list(OUTPUT.iterdir()))} pictures in {OUTPUT.relative_to(ROOT)}")


class Camera:
    """One signed-in operator drives; the same session is photographed in every theme and width."""

    def __init__(self, browser: Browser, console: Served) -> None:
        self._browser = browser
        self._console = console
        self._operator = browser.new_context(viewport={"width": 1600, "height": 1000}, locale="en-GB")
        self._operator.set_default_timeout(PATIENCE_MS)
        self._page = self._operator.new_page()
        self._page.goto(console.link)

    def go_round(self, keep: bool) -> None:
        page = self._page
        self._everywhere("signin", f"{self._console.url}/signin", signed_in=False)
        self._everywhere("new-episode", f"{self._console.url}/episodes/new")
        episode = self.begin()
        if keep:
            self.tour(episode)
        self._everywhere("awaiting", episode, widths=tuple(WIDTHS), ready="#plan[data-state=awaiting]")
        for tab in TABS:
            self._everywhere(f"tab-{tab}", f"{episode}?tab={tab}", widths=("wide",))
        self._everywhere("episodes", f"{self._console.url}/episodes", widths=tuple(WIDTHS))
        self._approve(page)
        page.keyboard.press("Shift+H")
        page.locator("#stop", has_text="HELD").wait_for()
        self._everywhere("held", episode)
        seq = int(page.locator("#timeline").get_attribute("data-seq") or 0)
        self._everywhere("replay", f"{episode}?at={seq // 2}", widths=tuple(WIDTHS))
        for name, address in (
            ("missions", "missions"),
            ("mission", "missions/recycling-hall"),
            ("new-site", "sites/new"),
            ("settings", "settings"),
            ("report", f"{episode.removeprefix(f'{self._console.url}/')}/report"),
        ):
            self._everywhere(name, f"{self._console.url}/{address}")
        self._everywhere("not-found", f"{self._console.url}/episodes/no-such-episode", widths=("wide",))
        self._evaluation(keep)
        self.states()

    def states(self) -> None:
        """Each state of the console."""
        with open_theatre() as theatre:
            for name in example.COMPOSED:
                address = f"{theatre.url}/stage?{urlencode({'name': name})}"
                shot = re.sub(r"\W+", "-", name)
                self._everywhere(shot, address, ready=".map-view", signed_in=False)

    def begin(self) -> str:
        """A mission a few deliveries on, whose next plan waits for approval; its address."""
        episode = self._start(self._page)
        self._deliver(self._page, DELIVERIES)
        self._page.wait_for_selector("#plan[data-state=awaiting]")
        return episode

    def tour(self, episode: str) -> None:
        """The pictures of docs/tour.md, named by page and state: narrow and light, as a text has room for,
        and the one of README."""
        seq = int(self._page.locator("#timeline").get_attribute("data-seq") or 0)
        shots: dict[str, tuple[str, str, Callable[[Page], object] | None]] = {
            "tour-episode-awaiting": (episode, "narrow", _settle),
            "tour-episode-card": (episode, "narrow", _pin),
            "tour-episode-replay": (f"{episode}?at={2 * seq // 3}", "narrow", _zoom),
            "tour-episode-palette": (episode, "narrow", lambda page: page.keyboard.press("Control+k")),
            "tour-episode-phone": (episode, "phone", _settle),
            "tour-queue-asks": (
                f"{self._console.url}/episodes",
                "narrow",
                lambda page: page.locator("#queue summary").click(),
            ),
        }
        README_PICTURE.parent.mkdir(exist_ok=True)
        self._photograph(
            "readme", episode, "wide", "light", "#plan[data-state=awaiting]", signed_in=True, then=_settle
        )
        shutil.copy(OUTPUT / "readme.png", README_PICTURE)
        for name, (url, width, then) in shots.items():
            self._photograph(name, url, width, "light", "body", signed_in=True, then=then, whole=False)
            shutil.copy(OUTPUT / f"{name}.png", README_PICTURE.with_name(f"{name}.png"))

    def _evaluation(self, keep: bool) -> None:
        """The pages of a small Table I, and an episode of it."""
        pages = f"{self._console.url}/evaluation"
        self._everywhere("evaluation-none", pages, widths=("wide",))
        measure(self._console.home)
        self._everywhere("evaluation", pages)
        self._everywhere("evaluation-run", f"{pages}/1")
        self._everywhere("evaluation-cell", f"{pages}/1/cells/1")
        self._everywhere("evaluation-ways", f"{pages}/1/cells/1/paths?seed=4")
        self._everywhere("evaluation-compare", f"{pages}/compare?first=1&second=1", widths=("wide",))
        self._everywhere("evaluation-episode", f"{self._console.url}/episodes/evaluation-1-3-4?at=200")
        if keep:
            for page, picture in EVALUATION_PICTURES.items():
                shutil.copy(OUTPUT / f"{page}-narrow-light.png", README_PICTURE.with_name(picture))

    def _start(self, page: Page) -> str:
        page.goto(f"{self._console.url}/episodes/new")
        page.get_by_label("Recycling in the hall").check()
        page.get_by_label("Seed").fill("3")
        page.get_by_role("button", name="Start the episode").click()
        page.wait_for_selector("#plan[data-state=awaiting]")
        return page.url.partition("?")[0]

    def _deliver(self, page: Page, containers: int) -> None:
        _until(page, lambda: _delivered(page) >= containers, lambda: self._approve(page))

    def _approve(self, page: Page) -> None:
        """Approve what waits, unless it lapses under the pointer."""
        button = page.locator(".grant button:not([disabled])")
        if button.count():
            with suppress(TimeoutError):
                button.first.click(timeout=2000, no_wait_after=True)
        page.wait_for_timeout(200)

    def _everywhere(
        self,
        name: str,
        url: str,
        *,
        widths: tuple[str, ...] = EVERYWHERE,
        ready: str = "body",
        signed_in: bool = True,
    ) -> None:
        for width in widths:
            for theme in THEMES:
                self._photograph(f"{name}-{width}-{theme}", url, width, theme, ready, signed_in)

    def _photograph(
        self,
        name: str,
        url: str,
        width: str,
        theme: str,
        ready: str,
        signed_in: bool,
        then: Callable[[Page], object] | None = None,
        whole: bool = True,
    ) -> None:
        """`then`: what is done on the page first. `whole`: on a phone or tablet, below the fold too."""
        across, down = WIDTHS[width]
        context = self._browser.new_context(
            viewport={"width": across, "height": down},
            color_scheme="dark" if theme == "dark" else "light",
            storage_state=self._operator.storage_state() if signed_in else None,
            locale="en-GB",
            timezone_id="UTC",
        )
        page = context.new_page()
        page.goto(url)
        page.wait_for_selector(ready, timeout=PATIENCE_MS)
        page.wait_for_timeout(900)
        if then is not None:
            then(page)
            page.wait_for_timeout(400)
        page.screenshot(path=OUTPUT / f"{name}.png", full_page=whole and width in ("tablet", "phone"))
        context.close()


def measure(home: Path) -> None:
    command = ["evaluate", "memory", "--scenario", "dn-14", "--seeds", "100", "--home", str(home)]
    subprocess.run([sys.executable, "-m", "backend.cli", *command], check=True, stdout=subprocess.DEVNULL)


def _settle(page: Page) -> None:
    """A plan that has only just come cannot be approved yet."""
    page.wait_for_selector(".grant button:not([disabled])")


def _pin(page: Page) -> None:
    """The card of the target stays."""
    page.wait_for_selector(".map-mark:has(.is-target)")
    page.locator(".map-mark:has(.is-target)").first.focus()
    page.keyboard.press("Enter")


def _zoom(page: Page) -> None:
    page.wait_for_selector(".l-head")
    page.get_by_role("button", name="Zoom the timeline in").click()


def _delivered(page: Page) -> int:
    return int(page.locator(".progress .cell dd").first.inner_text().split()[0])


def _until(page: Page, reached: Callable[[], bool], otherwise: Callable[[], None]) -> None:
    for _ in range(2000):
        if reached():
            return
        otherwise()
    raise SystemExit(f"The mission did not get there: {page.locator('#plan').inner_text()}")


if __name__ == "__main__":
    main()
