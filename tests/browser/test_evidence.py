"""The evidence under the plan, tab by tab: what each shows, and that nothing of it is cut at the widths of a
desk. And what a mark of the map says of a belief."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.examples import page

DESKS = ((1600, 1000), (1280, 800))
HALO_PX = "mark => Number(mark.querySelector('.halo').getAttribute('r'))"
CUT = """() => [...document.querySelectorAll("#evidence :is(td, th)")].filter((cell) => {
  const pane = cell.closest(".scroll").getBoundingClientRect(), box = cell.getBoundingClientRect();
  const isSeen = box.width > 1 && getComputedStyle(cell).clipPath === "none";
  return isSeen && (box.right > pane.right + 1 || box.left < pane.left - 1);
}).map((cell) => cell.textContent.trim())"""
COVERED = """() => [...document.querySelectorAll("#exchange > .xch-cols > *")].filter((text) => {
  const under = document.querySelector("#exchange > .budgets").getBoundingClientRect();
  const box = text.getBoundingClientRect();
  return box.width === 0 || box.bottom > under.top + 1 || box.height < 100;
}).map((text) => text.textContent.slice(0, 40))"""
SHOWS = {
    "memory": {".kline": 1, "td.fac .meter": 40},
    "context": {".seg": 9, ".chg": 3, ".difflines .ins": 1, ".difflines .from a": 2},
    "exchange": {".attempts tbody tr": 2, ".latbar": 2, ".budgets > div": 2, "[data-copy]": 1},
    "frames": {".strip-frames figure": 16, ".gate input": 3},
    "log": {".log tbody tr": 3, ".notes li": 2},
    "audit": {".audit tbody tr": 3, ".audit tbody a": 3, "form select": 2},
}


@pytest.mark.parametrize("tab", SHOWS)
def test_a_tab_shows_its_evidence_and_cuts_none_of_it(console: Page, tab: str) -> None:
    console.locator(f"#tab-{tab}").click()
    expect(console.locator(f"#tab-{tab}")).to_have_attribute("aria-current", re.compile("true|page"))
    for shown, least in SHOWS[tab].items():
        assert console.locator("#evidence").locator(shown).count() >= least, shown
    for width, height in DESKS:
        console.set_viewport_size({"width": width, "height": height})
        assert console.evaluate(CUT) == [], width
        assert console.evaluate(COVERED) == [], width


def test_rows_lead_to_their_moment(console: Page) -> None:
    for tab, row in (("log", "#log td.fig a"), ("audit", ".audit tbody td:first-child a")):
        console.locator(f"#tab-{tab}").click()
        console.locator(row).last.click()
        expect(console).to_have_url(re.compile(r"[?&]at=\d+"))
        expect(console.locator(".console")).to_have_class(re.compile("is-replay"))
        console.wait_for_selector("html:not(.is-cut) .map-mark.is-told")
        console.keyboard.press("Escape")
        expect(console).not_to_have_url(re.compile(r"[?&]at=\d+"))


def test_a_mark_says_what_is_believed(console: Page) -> None:
    """Its status by shape, doubt by its halo, age by fading, the planner's K by a ring, the target by
    brackets; where it was stands beside it, and the legend and the scale say what is what."""
    drawn = {each.id: console.locator(f"[data-mark='entity {each.id}']") for each in page.LAB.entities}
    for each in page.LAB.entities:
        mark = drawn[each.id]
        assert mark.locator(f".st-{each.shape}").count() == 1
        assert mark.locator(".kring").count() == int(each.in_k), each.id
        assert mark.locator(".bracket").count() == int(each.is_target), each.id
    doubted = sorted(page.LAB.entities, key=lambda each: each.doubt)
    assert drawn[doubted[0].id].evaluate(HALO_PX) < drawn[doubted[-1].id].evaluate(HALO_PX)
    old, new = (pick(page.LAB.entities, key=lambda each: each.seen_met_s) for pick in (min, max))
    paleness = [drawn[each.id].locator(".ent").get_attribute("class") for each in (old, new)]
    assert re.search(r"age-[123]", paleness[0] or "")
    assert "age-0" in (paleness[1] or "")
    assert console.locator(".was").count() == sum(each.was is not None for each in page.LAB.entities) > 0
    for word in ("Observed", "Assigned", "Grasped", "Delivered", "Reconsider", "Lost"):
        expect(console.locator("#map-legend")).to_contain_text(word)
    expect(console.locator(".scale")).to_have_text(re.compile(r"^[\d.]+ m$"))
