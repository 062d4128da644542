"""Label and picture change together, whatever the network does; the report is one sheet of paper."""

import re

import msgspec
from playwright.sync_api import Browser, Page, Route, expect

from backend.web.pages.evidence import Evidence
from tests.browser.stage import Stage, Theatre
from tests.web.examples import evidence


def test_no_label_ever_stands_over_another_frame_s_picture(console: Page, stage: Stage) -> None:
    """The next action's labels come at once, its pictures slowly: meanwhile no old picture is left."""
    console.locator("#tab-frames").click()
    expect(console.locator("#frames .frame")).to_have_count(16)
    console.evaluate("window.oldFrame = document.querySelector('#frames .frame image')")
    held: list[Route] = []
    console.route("**/frames/g*", lambda route: held.append(route))
    stage.evidence["frames"] = other_action(evidence.OPEN["frames"])
    stage.event("frames")

    expect(console.locator("#frames .frame image").first).to_have_attribute("href", re.compile("/frames/g1$"))
    shown = console.evaluate(
        """() => [...document.querySelectorAll("#frames .frame")].map((frame) => [
            frame.querySelector("svg[role=img]").getAttribute("aria-label"),
            frame.querySelector("image").getAttribute("href"),
        ])"""
    )
    assert [re.sub(r".*frame (\d+) of.*", r"g\1", label) for label, _ in shown] == [
        address.rpartition("/")[2] for _, address in shown
    ]
    assert console.evaluate("window.oldFrame.isConnected") is False
    for route in held:
        route.continue_()


def other_action(shown: Evidence) -> Evidence:
    """The same strip of an action later: frames g1 to g16."""
    film = shown.panel
    frames = tuple(
        msgspec.structs.replace(each, sha256=f"g{each.number}", alt=each.alt.replace("40", "41"))
        for each in film.frames  # type: ignore[union-attr]
    )
    return msgspec.structs.replace(shown, panel=msgspec.structs.replace(film, action=41, frames=frames))


def test_a_report_is_one_sheet_on_paper(chromium: Browser, theatre: Theatre) -> None:
    """In the dark theme too, paper is white; what is for the screen alone does not print."""
    context = chromium.new_context(color_scheme="dark", base_url=theatre.url)
    page = context.new_page()
    page.goto("/stage?name=report")
    pdf = page.pdf(prefer_css_page_size=True)
    page.emulate_media(media="print")

    assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 1
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.locator(".report-tools")).to_be_hidden()
    expect(page.locator(".report-map")).to_be_visible()
    colour = page.evaluate("getComputedStyle(document.querySelector('.report')).backgroundColor")
    assert colour == "rgb(255, 255, 255)"
    context.close()
