"""A site's map in the browser: imported, drawn on by mouse, finger and keys, and under an episode."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import Engine

from backend.persistence import tokens
from backend.web.app import create_app
from tests.browser.test_accessibility import AXE
from tests.support.chromium import PATIENCE_MS
from tests.support.serving import serving
from tests.web.stand import Stand, prepared

YAML = "image: hall.pgm\nresolution: 0.1\norigin: [-1, -1, 0]\nnegate: 0\n"


class Hall:
    """A console in this process, and the folder with the map's files."""

    def __init__(self, stand: Stand, url: str, folder: Path) -> None:
        self.stand, self.url, self.folder = stand, url, folder

    def link(self, name: str = "op-1") -> str:
        return f"{self.url}/signin?token={tokens.issue(self.stand.engine, name, 'sign_in', 60.0)}"


@pytest.fixture(scope="module")
def hall(sqlite_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    shades = np.full((80, 100), 205, np.uint8)
    shades[5:75, 5:95] = 254
    shades[5:75, [5, 94]] = shades[[5, 74], 5:95] = shades[30:34, 40:70] = 0
    Image.fromarray(shades).save(folder / "hall.pgm")
    (folder / "hall.yaml").write_text(YAML)
    stand = prepared(sqlite_engine, folder / "frames")
    with serving(create_app(stand.deps())) as url:
        yield Hall(stand, url, folder)


@pytest.fixture(scope="module")
def site(chromium: Browser, hall: Hall) -> Iterator[Page]:
    """The page of a site whose map was just imported through the form. What a browser complains of fails."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(hall.link())
    page.goto(f"{hall.url}/sites")
    page.get_by_label("YAML").set_input_files(hall.folder / "hall.yaml")
    page.get_by_label("Picture, PGM or PNG").set_input_files(hall.folder / "hall.pgm")
    page.get_by_role("button", name="Import").click()
    page.wait_for_url(f"{hall.url}/sites/hall")
    yield page
    context.close()
    assert [each for each in complaints if "422" not in each] == []


def ready(page: Page) -> Page:
    page.wait_for_selector("#site-view[data-ready]")
    return page


def test_a_region_and_a_station_are_drawn_and_saved(site: Page, hall: Hall) -> None:
    page = ready(site)
    page.get_by_role("button", name="Region", exact=True).click()
    page.keyboard.type("wet floor")
    page.keyboard.press("Tab")
    page.get_by_label("The robot may not go in").check()
    corner = page.locator("[data-handle='corner 0']")
    before = corner.bounding_box()
    assert before is not None
    corner.hover()
    page.mouse.down()
    page.mouse.move(before["x"] - 60, before["y"] + 40, steps=6)
    page.mouse.up()
    dragged = drawn(page)["regions"][0]["polygon_m"][0]
    corner.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    x, y = drawn(page)["regions"][0]["polygon_m"][0]
    assert (round(x - dragged[0], 2), round(y - dragged[1], 2)) == (0.1, 1.0)
    page.locator("[data-handle='side 1']").focus()
    page.keyboard.press("Enter")
    assert len(drawn(page)["regions"][0]["polygon_m"]) == 5
    page.get_by_role("button", name="Station", exact=True).click()
    page.keyboard.type("station_north")
    page.keyboard.press("Tab")
    page.get_by_label("x, m").fill("2.25")
    page.get_by_label("Heading, °").fill("90")
    page.get_by_label("Takes, classes").fill("can, cup")
    page.keyboard.press("Tab")
    kept = drawn(page)

    page.get_by_role("button", name="Save drawing as version 2").click()
    expect(page.get_by_role("button", name="Save drawing as version 3")).to_be_disabled()
    assert drawn(ready(page)) == kept
    assert kept["stations"][0] == {
        "id": "station_north", "x_m": 2.25, "y_m": kept["stations"][0]["y_m"], "yaw_rad": 1.5708,
        "accepts": ["can", "cup"],
    }  # fmt: skip
    assert kept["regions"][0]["restricted"]
    expect(page.locator(".versions")).to_contain_text("Version 2")


def test_what_is_removed_comes_back_and_what_is_refused_is_kept(site: Page) -> None:
    page = ready(site)
    page.locator("[data-handle='station 0']").focus()
    page.keyboard.press("Delete")
    assert drawn(page)["stations"] == []
    page.get_by_role("button", name="Undo").click()
    assert [each["id"] for each in drawn(page)["stations"]] == ["station_north"]
    page.locator("#regions-0").click()
    page.locator("#regions-0-name").fill("")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save drawing as version 3").click()
    expect(page.locator("#drawing .field-error")).to_contain_text("Give each region a name of its own.")
    assert drawn(ready(page))["regions"][0]["name"] == ""
    page.goto(re.sub(r"/drawing$", "", page.url))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_no_violations_and_its_floor_is_painted(
    site: Page, theme: Literal["light", "dark"]
) -> None:
    page = ready(site)
    page.emulate_media(color_scheme=theme)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [(v["id"], v["help"], [n["target"] for n in v["nodes"]][:3]) for v in found] == []
    shades = [pixel(page, at) for at in ((2, 2), (50, 60), (50, 48))]
    assert len(set(shades)) == 3, "unknown, free and occupied look alike"


def test_by_finger_a_station_is_dragged(chromium: Browser, hall: Hall, site: Page) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(hall.link("op-2"))
    page.goto(f"{hall.url}/sites/hall")
    ready(page)
    before = drawn(page)["stations"][0]
    pin = page.locator("[data-handle='station 0']")
    pin.scroll_into_view_if_needed()
    box = pin.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touches = context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [(x, y)]),
        *(("touchMove", [(x + 8 * step, y)]) for step in range(1, 6)),
        ("touchEnd", []),
    ):
        sent = [{"x": left, "y": top} for left, top in points]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})
    after = drawn(page)["stations"][0]
    context.close()
    assert after["x_m"] > before["x_m"]
    assert abs(after["y_m"] - before["y_m"]) < 0.2


def test_an_episode_on_that_site_shows_its_floor_and_can_hide_it(site: Page, hall: Hall) -> None:
    survey = hall.stand.deps().sites.survey("hall", 1)
    played = hall.stand.play("s-6", site=survey)
    played.tick(3)
    site.goto(f"{hall.url}/episodes/{played.episode}")
    site.wait_for_selector("html:not(.is-cut) .map-mark.is-told")
    floor = site.locator(".map-ground [data-layer=floor]")
    expect(floor.locator("image")).to_have_count(2)
    site.get_by_label("Floor", exact=True).click()
    expect(floor).to_be_hidden()


def test_the_pages_around_it_explain_refuse_and_remember(site: Page, hall: Hall) -> None:
    """A mission is written with a slip, which is said and loses nothing, then saved as a version; an order
    says what each choice means; the settings show planners and policies."""
    site.goto(f"{hall.url}/missions/recycling-s6")
    text = site.locator("#text")
    typed = text.input_value().replace("policy:", "polcy:", 1)
    text.fill(typed)
    site.get_by_role("button", name="Save as version").click()
    expect(site.locator(".field-error")).to_contain_text("Did you mean policy?")
    assert text.input_value() == typed
    text.fill(typed.replace("polcy:", "policy:").replace("title: ", "title: Again, ", 1))
    site.get_by_role("button", name="Save as version 1").click()
    expect(site.get_by_role("heading", level=1)).to_contain_text("Again, ")
    site.goto(f"{hall.url}/episodes/new?mission=recycling-s6")
    for name in ("mission", "site", "clock", "mode", "planner", "memory", "policy"):
        asked = site.locator(f"#new-{name}")
        expect(asked.locator(".help")).not_to_be_empty()
        assert any(asked.locator(".choice-text").all_inner_texts()), name
    site.goto(f"{hall.url}/settings")
    expect(site.locator("#planners-h ~ *").first).to_be_visible()
    expect(site.get_by_text("Not probed since this server started.").first).to_be_visible()
    expect(site.get_by_role("heading", name="Policies")).to_be_visible()


def drawn(page: Page) -> dict:  # type: ignore[type-arg]
    """What the form would send now."""
    found: dict = page.evaluate(  # type: ignore[type-arg]
        "() => { const form = document.getElementById('drawing');"
        " form.addEventListener('submit', (event) => event.preventDefault(), {once: true});"
        " form.requestSubmit(); return JSON.parse(document.getElementById('drawn').value); }"
    )
    return found


def pixel(page: Page, at: tuple[int, int]) -> tuple[int, ...]:
    """The colour of the map's cell `at`, column and row from the lower left."""
    box = page.locator("#site-view .map-ground .floor-free").bounding_box()
    assert box is not None
    x = box["x"] + box["width"] * (at[0] + 0.5) / 100
    y = box["y"] + box["height"] * (79.5 - at[1]) / 80
    shot = page.screenshot(clip={"x": x, "y": y, "width": 1, "height": 1})
    return tuple(np.array(Image.open(io.BytesIO(shot)).convert("RGB"))[0, 0].tolist())
