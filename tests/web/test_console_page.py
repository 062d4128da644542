"""The console's page and panels over HTTP: live, replayed, alone, and addresses that lead nowhere."""

import msgspec
import pytest
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy
from backend.persistence.telemetry import TelemetryWriter
from backend.usecases.reading import TelemetrySample
from backend.web.pages.map import MapData
from backend.web.pages.timeline import TimelineData
from tests.web.html import elements
from tests.web.stand import HX, Played, Stand

TELLING = ("td", "th", "dt", "h1", "h2", "h3")
PANELS = ("bar", "map", "plan", "timeline", "memory", "context", "exchange", "frames", "log", "audit")


@pytest.fixture(scope="module")
def ended(stand: Stand) -> Played:
    played = stand.play("s-6", policy=Policy(mode="auto"))
    return played.until(lambda state: state.ending is not None)


@pytest.fixture(scope="module")
def waiting(stand: Stand) -> Played:
    return stand.play("s-6").until(lambda state: state.approval is not None)


def test_the_page_is_whole_and_every_panel_is_in_it(client: TestClient, waiting: Played) -> None:
    page = client.get(f"/episodes/{waiting.episode}")
    ids = {element.get("id") for element in elements(page.text)}
    assert page.status_code == 200
    assert {"bar", "map", "plan", "evidence", "timeline", "console"} <= ids
    assert page.headers["vary"].startswith("HX-Request")


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_alone_is_what_stands_in_the_page(client: TestClient, ended: Played, panel: str) -> None:
    tab = f"?tab={panel}" if panel in PANELS[4:] else ""
    page = client.get(f"/episodes/{ended.episode}{tab}").text
    fragment = client.get(f"/episodes/{ended.episode}/{panel}", headers=HX)
    assert fragment.status_code == 200
    assert fragment.headers["vary"].startswith("HX-Request")
    words = [element.text for element in elements(fragment.text) if element.tag in TELLING]
    assert words
    page_words = {element.text for element in elements(page)}
    assert [word for word in words if word not in page_words] == []


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_opened_by_itself_leads_to_its_page(client: TestClient, ended: Played, panel: str) -> None:
    answer = client.get(f"/episodes/{ended.episode}/{panel}?at=7")
    assert answer.status_code == 303
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    assert 'data-at="7"' in page.text


@pytest.mark.parametrize("panel", PANELS)
def test_a_step_back_in_history_gets_the_page_never_the_fragment(
    client: TestClient, ended: Played, panel: str
) -> None:
    headers = {**HX, "hx-history-restore-request": "true"}
    assert client.get(f"/episodes/{ended.episode}/{panel}", headers=headers).status_code == 303


def test_every_moment_of_an_episode_can_be_replayed(client: TestClient, ended: Played) -> None:
    for at in range(1, ended.state.seq + 1, 9):
        answer = client.get(f"/episodes/{ended.episode}?at={at}")
        assert answer.status_code == 200, at
        assert f'data-at="{at}"' in answer.text
        assert "Nothing here can move the robot." in answer.text


def test_a_replay_offers_no_command_but_hold(client: TestClient, waiting: Played) -> None:
    page = elements(client.get(f"/episodes/{waiting.episode}?at={waiting.state.seq}").text)
    commands = [each for each in page if each.tag == "button" and each.has("data-command")]
    assert commands
    assert all(each.has("disabled") for each in commands)
    assert [each for each in page if each.tag == "form" and each.has("data-hold")]


def test_the_first_step_of_a_release_and_the_sheet_work_without_scripts(
    client: TestClient, waiting: Played
) -> None:
    asked = client.get(f"/episodes/{waiting.episode}/abort")
    assert asked.headers["location"] == f"/episodes/{waiting.episode}?ask=abort"
    assert "End this episode for good?" in client.get(asked.headers["location"]).text


BAD = {
    "an unknown episode": ("/episodes/nobody", 404, "There is no episode nobody."),
    "an unknown episode's map": ("/episodes/nobody/map.json", 404, "There is no episode nobody."),
    "a moment past the end": ("/episodes/{e}?at=99999", 404, "has no event 99999"),
    "the moment before the first": ("/episodes/{e}?at=0", 422, "at cannot be read"),
    "a moment that is no number": ("/episodes/{e}?at=now", 422, "at cannot be read"),
    "a tab that is none": ("/episodes/{e}?tab=secrets", 422, "tab cannot be read"),
    "a frame that is none": ("/episodes/{e}/frames/..%2f..%2fetc", 404, ""),
    "a frame that is not stored": ("/episodes/{e}/frames/" + "0" * 64, 404, "is not in the store"),
    "no page": ("/nothing/here", 404, "There is no such page"),
    "a long choice": ("/episodes/{e}?tab=context&chosen=" + "9" * 65, 422, "chosen cannot be read"),
}


@pytest.mark.parametrize(("path", "status", "says"), BAD.values(), ids=BAD)
def test_what_is_not_there_is_said_plainly(
    client: TestClient, ended: Played, path: str, status: int, says: str
) -> None:
    answer = client.get(path.format(e=ended.episode))
    told = client.get(path.format(e=ended.episode), headers=HX)
    assert answer.status_code == status
    assert says in answer.text
    assert "<html" in answer.text
    assert "Traceback" not in answer.text
    if path.count("/") > 2 and "json" not in path:
        assert told.status_code == status
        assert 'id="notice"' in told.text
        assert "<html" not in told.text


def test_an_address_that_does_not_take_that(client: TestClient, ended: Played) -> None:
    answer = client.request("PUT", f"/episodes/{ended.episode}", headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 405


def test_an_episode_that_nobody_runs_yet_is_looked_at_again(stand: Stand, client: TestClient) -> None:
    answer = client.get(f"/episodes/{stand.ordered()}")
    assert answer.status_code == 503
    assert answer.headers["refresh"] == "1"
    assert "has not begun" in answer.text


def test_a_broken_console_says_so_and_tells_nothing_else(stand: Stand, ended: Played) -> None:
    def broken(_: str) -> object:
        raise ZeroDivisionError("secret detail")

    with stand.client(inbox=broken) as client:
        answer = client.get(f"/episodes/{ended.episode}")
    assert answer.status_code == 500
    assert "The console failed" in answer.text
    assert "secret detail" not in answer.text
    assert "content-security-policy" in answer.headers


def test_the_map_and_the_timeline_as_their_islands_read_them(client: TestClient, ended: Played) -> None:
    live = client.get(f"/episodes/{ended.episode}/map.json")
    then = client.get(f"/episodes/{ended.episode}/map.json?at=20")
    timeline = client.get(f"/episodes/{ended.episode}/timeline.json")
    assert live.headers["content-type"] == "application/json"
    assert msgspec.json.decode(live.content, type=MapData).seq == ended.state.seq
    assert msgspec.json.decode(then.content, type=MapData).seq == 20
    data = msgspec.json.decode(timeline.content, type=TimelineData)
    assert data.head_seq == ended.state.seq
    assert [mark.kind for mark in data.marks].count("delivery") == 6


def test_a_frame_is_sent_as_it_was_stored_and_kept_for_ever(
    stand: Stand, client: TestClient, ended: Played
) -> None:
    name = stand.frames.put(b"\x89PNG, as it were")
    answer = client.get(f"/episodes/{ended.episode}/frames/{name}")
    assert answer.content == b"\x89PNG, as it were"
    assert answer.headers["content-type"] == "image/png"
    assert "immutable" in answer.headers["cache-control"]


def test_a_theme_comes_with_the_page_and_nonsense_does_not(stand: Stand) -> None:
    with stand.client() as client:
        client.cookies.set("qd_theme", "dark")
        assert 'data-theme="dark"' in client.get("/episodes").text
        client.cookies.set("qd_theme", '"><script>')
        assert "data-theme" not in client.get("/episodes").text


def test_home_is_the_list(client: TestClient) -> None:
    assert client.get("/").headers["location"] == "/episodes"
    assert client.get("/healthz").text == "ok\n"


def test_a_replayed_moment_has_the_telemetry_of_its_time(
    stand: Stand, client: TestClient, ended: Played
) -> None:
    writer = TelemetryWriter(stand.engine, ended.episode)
    for met_s, battery in ((10.0, 0.9), (30.0, 0.5)):
        extra = {"battery": battery, "doing": "navigate"}
        writer.add(TelemetrySample(robot="rover", met_s=met_s, x_m=1.0, y_m=2.0, speed_m_s=0.25, extra=extra))
    writer.flush()
    at = next(line.seq for line in ended.state.log if line.met_s >= 10)
    text = client.get(f"/episodes/{ended.episode}/map?at={at}", headers=HX).text
    readings = {
        element.get("data-reading"): element.text for element in elements(text) if element.has("data-reading")
    }
    assert (readings["speed"], readings["battery"]) == ("0.25 m/s", "90 %")
