"""How heavy the heaviest page is, as a browser gets it: compressed, without frames."""

import gzip

from playwright.sync_api import Page

HEAVIEST = 400_000
"""Bytes."""


def test_the_console_with_all_it_loads_is_light(console: Page) -> None:
    loaded = console.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    addresses = {
        console.url,
        *(each for each in loaded if each.startswith("http") and "/frames/" not in each),
    }
    weights = {each: len(gzip.compress(console.request.get(each).body(), 5)) for each in addresses}
    assert len(weights) > 20
    assert sum(weights.values()) < HEAVIEST, sorted(weights.items(), key=lambda pair: -pair[1])[:5]
