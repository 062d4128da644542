"""The console in a browser: frames a second of a map with very many entities while robots move, and the first
paint. The pages and islands are the console's own, served by the stage of the browser tests."""

from __future__ import annotations

import threading
import time
from typing import NamedTuple

import msgspec
from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.browser.stage import Stage, open_theatre
from tests.browser.test_map_and_timeline import crowded
from tests.support.chromium import VIEWPORT, launch

ENTITIES, RATE_HZ, EVENTS_HZ = 2000, 20.0, 1.0
WARM_S, MEASURED_S = 4.0, 8.0

COUNT = """(seconds) => new Promise((done) => {
  const began = performance.now();
  const took = [];
  let last = began;
  const slowest = () => took.sort((a, b) => a - b)[Math.floor(0.99 * took.length)];
  const frame = (now) => {
    took.push(now - last);
    last = now;
    if (now - began < 1000 * seconds) requestAnimationFrame(frame);
    else done([took.length / ((now - began) / 1000), slowest()]);
  };
  requestAnimationFrame(frame);
})"""


class Frames(NamedTuple):
    """Of a map with `entities`, poses told `rate_hz` times a second and the map itself anew every second.

    `slowest_ms` is the 99th percentile of a frame, `busy` the share of the time that the page's thread works.
    `panned_per_s`: while the map is dragged. `paint_ms`: the page's first contentful paint.
    """

    entities: int
    rate_hz: float
    per_s: float
    slowest_ms: float
    busy: float
    panned_per_s: float
    paint_ms: float


def console() -> Frames:
    with open_theatre() as theatre, sync_playwright() as playwright:
        stage = theatre.stage
        stage.map = crowded(stage.map, ENTITIES)
        browser = launch(playwright)
        page = browser.new_page(viewport=VIEWPORT, base_url=theatre.url)
        page.goto("/episodes/0417")
        page.wait_for_selector(".map-crowd:not([hidden])")
        paint_ms = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        over = threading.Event()
        moving = threading.Thread(target=_move, args=(stage, over), daemon=True)
        moving.start()
        page.wait_for_timeout(1000 * WARM_S)
        wire = page.context.new_cdp_session(page)
        wire.send("Performance.enable")
        before_s = _worked_s(wire)
        per_s, slowest_ms = page.evaluate(COUNT, MEASURED_S)
        busy = (_worked_s(wire) - before_s) / MEASURED_S
        panned_per_s = _panned(page)
        over.set()
        moving.join(5)
        browser.close()
    return Frames(ENTITIES, RATE_HZ, per_s, slowest_ms, busy, panned_per_s, paint_ms)


def _move(stage: Stage, over: threading.Event) -> None:
    """A robot that drives to and fro, and an event each second that fetches the map anew."""
    turn, began = 0, time.monotonic()
    while not over.is_set():
        stage.telemetry(2.0 + 4.0 * abs((turn / 100) % 2 - 1), 5.0, 0.02 * turn, pose=f"{turn}")
        if turn % int(RATE_HZ / EVENTS_HZ) == 0:
            stage.map = msgspec.structs.replace(stage.map, seq=stage.head + 1)
            stage.event("map")
        turn += 1
        over.wait(max(0.0, began + turn / RATE_HZ - time.monotonic()))


def _worked_s(wire: CDPSession) -> float:
    """Seconds of a processor that the page's thread has worked."""
    metrics = wire.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "ThreadTime"))


def _panned(page: Page) -> float:
    """Frames a second while the map is zoomed in and dragged in circles."""
    page.get_by_role("button", name="Zoom in").click()
    drag = """(seconds) => {
      const view = document.getElementById("map-view");
      const { left, top, width, height } = view.getBoundingClientRect();
      const at = (kind, x, y) => {
        const place = { clientX: left + x, clientY: top + y, button: 0, buttons: 1 };
        (kind === "mousedown" ? view : document).dispatchEvent(
          new MouseEvent(kind, { bubbles: true, view: window, ...place }));
      };
      at("mousedown", width / 2, height / 2);
      const began = performance.now();
      let frames = 0;
      return new Promise((done) => {
        const frame = (now) => {
          frames += 1;
          const turn = (now - began) / 300;
          at("mousemove", width / 2 + 80 * Math.cos(turn), height / 2 + 80 * Math.sin(turn));
          if (now - began < 1000 * seconds) return requestAnimationFrame(frame);
          at("mouseup", width / 2, height / 2);
          done(frames / ((now - began) / 1000));
        };
        requestAnimationFrame(frame);
      });
    }"""
    return float(page.evaluate(drag, 3))
