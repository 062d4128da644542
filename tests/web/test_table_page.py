"""The panels of a real tabletop episode: views, the point of a pixel, the action, the demonstration."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from backend.evaluation.bare import play_named
from backend.evaluation.rebuild import Place
from backend.evaluation.tabletop_arms import Setting
from backend.evaluation.tabletop_choices import tabletop_study
from backend.persistence.results import DatabaseResults
from backend.rig import world_rig
from tests.web.stand import HX, Stand

STUDY = tabletop_study("video-unmask", "execution_grounded", "4", None, Setting(drop=0.0, miscount=0.0))


@pytest.fixture(scope="module")
def episode(stand: Stand, client: TestClient) -> str:
    """Its row alone is stored: the console plays it again, with what its cameras saw."""
    results = DatabaseResults(stand.engine)
    run = results.start(STUDY, "1.0")
    results.add(run.id, [play_named(STUDY.arms[0], 4, world_rig).row])
    name = Place(run.id, 0, 4).name
    until_s = time.monotonic() + 60
    while 'id="console"' not in client.get(f"/episodes/{name}").text:
        assert time.monotonic() < until_s, "It was not played again within a minute."
        time.sleep(0.2)
    return name


def _panel(client: TestClient, episode: str, tab: str, **query: str) -> str:
    answer = client.get(f"/episodes/{episode}/{tab}?{urlencode(query)}", headers=HX)
    assert answer.status_code == 200, answer.text[:300]
    return answer.text


def test_a_table_opens_with_its_views_and_says_what_was_asked_and_measured(
    client: TestClient, episode: str
) -> None:
    page = client.get(f"/episodes/{episode}").text
    assert 'data-tab="table"' in page
    assert page.count('class="probe"') == 2
    assert "images saved by gating" in page or "No frames were recorded" in page


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"camera": "front", "x_px": "256", "y_px": "300"}, "m in map"),
        ({"camera": "wrist", "x_px": "256", "y_px": "256"}, "m in map"),
        ({"camera": "front", "x_px": "512", "y_px": "0"}, "is no pixel"),
        ({"camera": "front", "x_px": "a", "y_px": "0"}, "is no pixel"),
        ({"camera": "front", "x_px": "", "y_px": "0"}, "is missing"),
        ({"camera": "none", "x_px": "1", "y_px": "1"}, "Click a picture"),
    ],
    ids=["a point", "by the wrist", "off the picture", "no number", "nothing typed", "no such camera"],
)
def test_a_pixel_is_read_or_refused(
    client: TestClient, episode: str, query: Mapping[str, str], told: str
) -> None:
    assert told in _panel(client, episode, "table", **query)


def test_nothing_is_claimed_of_what_no_sensor_tells(client: TestClient, episode: str) -> None:
    """Neither what the fingers hold nor deliveries, of which a table has none; steps are what counts."""
    page = client.get(f"/episodes/{episode}").text
    assert "What the fingers hold is not measured" in page
    assert "Held: not measured" in page
    assert re.search(r">Step</dt><dd[^>]*>\d+ of 1,300<", page)
    for claim in ("nothing held", "holds nothing", "Empty", "0 delivered", "stale visit", "Delivered</dt>"):
        assert claim not in page, claim


def test_the_demonstration_shows_what_was_asked_for_and_given(client: TestClient, episode: str) -> None:
    html = _panel(client, episode, "demonstration")
    assert "frames shown" in html
    assert html.count("<figure>") > 0
    assert "Segment 1" in html
    first = _panel(client, episode, "demonstration", chosen="1")
    assert "View 1: skim" in first


def test_a_replay_shows_each_moment_as_it_was(client: TestClient, episode: str) -> None:
    early = _panel(client, episode, "table", at="2")
    late = _panel(client, episode, "table")
    assert "Action 1" not in early
    assert early != late


def test_no_tab_of_a_table_is_on_a_mobile_robots_page(client: TestClient, stand: Stand) -> None:
    played = stand.play()
    page = client.get(f"/episodes/{played.episode}").text
    assert 'id="tab-memory"' in page
    assert 'id="tab-table"' not in page
    assert "No table here" in client.get(f"/episodes/{played.episode}?tab=table").text
