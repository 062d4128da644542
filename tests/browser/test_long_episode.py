"""A tab left open: its memory does not grow with the events that it was told."""

from collections.abc import Callable

from playwright.sync_api import CDPSession, Page

from tests.browser.stage import Stage
from tests.browser.test_live import until

ROUNDS, EVENTS = 4, 2500
PANELS = ("bar", "map", "plan", "memory", "timeline", "audit")


def used(page: Page, wire: CDPSession) -> tuple[float, int]:
    """Megabytes of the heap and nodes of the page, once nothing that is garbage is left."""
    page.wait_for_timeout(1500)
    wire.send("HeapProfiler.collectGarbage")
    return (
        wire.send("Runtime.getHeapUsage")["usedSize"] / 1e6,
        int(wire.send("Memory.getDOMCounters")["nodes"]),
    )


def test_memory_stays_flat_over_ten_thousand_events(
    console: Page, stage: Stage, record_property: Callable[[str, object], None]
) -> None:
    wire = console.context.new_cdp_session(console)
    measured = []
    for _ in range(ROUNDS):
        stage.flood(EVENTS, *PANELS)
        until(lambda: int(console.locator("#timeline").get_attribute("data-head") or 0) >= stage.head, 60)
        measured.append(used(console, wire))
    record_property("heap_mb_and_nodes", measured)
    (_, _), (warm_mb, warm_nodes), *_, (last_mb, last_nodes) = measured
    assert last_mb < 1.25 * warm_mb + 1, measured
    assert last_nodes < 1.25 * warm_nodes + 500, measured
