"""Sites' maps over HTTP: taken from map_server's files, shown, drawn on, and given back as they were."""

import io
import json
import zipfile
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.web.html import elements
from tests.web.stand import HERE, Stand

YAML = b"""\
image: hall.pgm
resolution: 0.5
origin: [-1.0, 2.0, 0.25]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""
SHADES = np.array([[0, 254, 205], [254, 254, 254]], np.uint8)
DRAWN = {
    "regions": [{"name": "wet floor", "restricted": True, "polygon_m": [[0, 2], [1, 2], [1, 3]]}],
    "stations": [{"id": "station_a", "x_m": 0.5, "y_m": 3.5, "yaw_rad": 1.5, "accepts": ["can"]}],
}


def pgm(shades: np.ndarray = SHADES) -> bytes:
    file = io.BytesIO()
    Image.fromarray(shades).save(file, "PPM")
    return file.getvalue()


def upload(client: TestClient, name: str, text: bytes = YAML, picture: bytes | None = None):  # type: ignore[no-untyped-def]
    files = {"map": ("hall.yaml", text), "picture": ("hall.pgm", pgm() if picture is None else picture)}
    return client.post("/sites/maps", data={"name": name}, files=files, headers=HERE)


def draw(client: TestClient, name: str, version: int, drawn: object = DRAWN):  # type: ignore[no-untyped-def]
    sent = {"drawn": drawn if isinstance(drawn, str) else json.dumps(drawn), "shown_version": version}
    return client.post(f"/sites/{name}/drawing", data=sent, headers=HERE)


def test_a_map_comes_in_is_drawn_on_and_goes_out_as_it_was(client: TestClient) -> None:
    taken = upload(client, "hall")
    assert (taken.status_code, taken.headers["location"]) == (303, "/sites/hall")
    saved = draw(client, "hall", 1)
    assert (saved.status_code, saved.headers["location"]) == (303, "/sites/hall")

    page = client.get("/sites/hall").text
    assert "wet floor" in page
    assert "1.5 × 1 m in cells of 0.5 m" in page
    drawing = client.get("/sites/hall/map.json").json()
    assert drawing["drawn"] == DRAWN
    assert drawing["ground"]["floor"]["place"] == [-1.0, 2.0]
    archive = zipfile.ZipFile(io.BytesIO(client.get("/sites/hall/map.zip").content))
    assert b"resolution: 0.5" in archive.read("hall.yaml")
    again = np.array(Image.open(io.BytesIO(archive.read("hall.pgm"))))
    assert again.tolist() == SHADES.tolist()


@pytest.mark.parametrize(
    ("kind", "white"), [("occupied", [[0, 0]]), ("known", [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]])]
)
def test_its_pictures_show_each_kind_from_the_top(
    client: TestClient, kind: str, white: list[list[int]]
) -> None:
    upload(client, "pictured")
    answer = client.get(f"/sites/pictured/floor/{kind}.png")

    assert np.argwhere(np.array(Image.open(io.BytesIO(answer.content)))).tolist() == white
    assert "immutable" in answer.headers["cache-control"]


def test_what_was_written_by_hand_stays_and_a_map_is_replaced(client: TestClient) -> None:
    region = "regions:\n  - name: a\n    polygon_m: [[0, 0], [1, 0], [1, 1]]\n"
    text = f"# Ours.\nname: yard-m\n{region}\n# Told.\nrules: [Keep left.]\n"
    client.post("/sites", data={"text": text}, headers=HERE)
    assert upload(client, "yard-m").status_code == 303
    assert draw(client, "yard-m", 2, {"regions": [], "stations": DRAWN["stations"]}).status_code == 303

    kept = next(each for each in elements(client.get("/sites/yard-m").text) if each.tag == "textarea").text
    assert "# Ours." in kept
    assert "# Told. rules: [Keep left.]" in kept
    assert "regions" not in kept
    assert "{id: station_a, x_m: 0.5, y_m: 3.5, yaw_rad: 1.5, accepts: [can]}" in kept
    assert "regions" in client.get("/sites/yard-m?version=2").text


REFUSED = [
    pytest.param("hall-x", YAML.replace(b"0.5\n", b"none\n", 1), None, "resolution is", id="no resolution"),
    pytest.param("hall-x", YAML.replace(b"0.25", b".nan"), None, "origin is no pose", id="no origin"),
    pytest.param("hall-x", b"resolution: 0.1\norigin: [0, 0, 0]\n", None, "image", id="no image"),
    pytest.param("hall-x", b"\xff\xfe", None, "is no YAML", id="no text"),
    pytest.param("hall-x", YAML, b"P5 no picture", "cannot be read", id="no picture"),
    pytest.param("hall-x", YAML, pgm()[:-3], "cannot be read", id="cut off"),
    pytest.param("Hall!", YAML, None, "will not do", id="no name"),
    pytest.param("maps", YAML, None, "will not do", id="a name that is taken"),
]


@pytest.mark.parametrize(("name", "text", "picture", "told"), REFUSED)
def test_what_is_no_map_is_told_at_its_field(
    client: TestClient, name: str, text: bytes, picture: bytes | None, told: str
) -> None:
    refused = upload(client, name, text, picture)

    assert refused.status_code == 422
    assert told in refused.text
    assert "field-error" in refused.text
    assert client.get("/sites/hall-x").status_code == 404


BAD_DRAWINGS = [
    pytest.param("{", "This is no drawing", id="no JSON"),
    pytest.param({"regions": [{"name": "a", "polygon_m": [[0, 0], [1, 1]]}]}, "has 2 corners", id="a line"),
    pytest.param({"stations": [{"id": "", "x_m": 0, "y_m": 0}]}, "Give each station an id", id="no id"),
    pytest.param({"stations": [{"id": "<b>", "x_m": 1e300, "y_m": 0}]}, "Give metres on the map", id="far"),
]


@pytest.mark.parametrize(("drawn", "told"), BAD_DRAWINGS)
def test_a_drawing_that_cannot_be_is_refused_and_kept(client: TestClient, drawn: object, told: str) -> None:
    upload(client, "drawn-on")
    version = int(
        client.get("/sites/drawn-on").text.partition('name="shown_version" value="')[2].partition('"')[0]
    )
    refused = draw(client, "drawn-on", version, drawn)

    assert refused.status_code == 422
    assert told in refused.text.replace("</b> ", " ")
    shown = next(each for each in elements(refused.text) if each.get("id") == "site-map")
    assert shown.get("data-typed") == (drawn if isinstance(drawn, str) else json.dumps(drawn))


def test_who_draws_over_another_is_asked_first(client: TestClient) -> None:
    upload(client, "both")
    draw(client, "both", 1)
    refused = draw(client, "both", 1)

    assert refused.status_code == 409
    assert "op-1 saved version 2 meanwhile." in refused.text
    assert "station_a" in next(each for each in elements(refused.text) if each.get("id") == "site-map").get(
        "data-typed"
    )


def test_a_viewer_looks_and_draws_nothing(stand: Stand, client: TestClient) -> None:
    upload(client, "seen")
    with stand.client("watcher") as viewer:
        assert upload(viewer, "seen").status_code == 403
        assert draw(viewer, "seen", 1).status_code == 403
        page = viewer.get("/sites/seen").text
        assert "data-may-draw" not in page
        assert "Import" not in page


def test_an_episode_shows_the_floor_of_its_site(stand: Stand, client: TestClient) -> None:
    upload(client, "floored")
    survey = stand.deps().sites.survey("floored")
    played = stand.play("s-6", site=survey)

    floor = client.get(f"/episodes/{played.episode}/map.json").json()["ground"]["floor"]
    assert client.get(floor["occupied"]).headers["content-type"] == "image/png"
    assert "surveyed floor" in client.get(f"/episodes/{played.episode}").text
    plain = stand.play("s-6")
    assert client.get(f"/episodes/{plain.episode}/map.json").json()["ground"]["floor"] is None
    assert client.get(f"/episodes/{plain.episode}/floor/occupied.png").status_code == 404


def test_a_large_map_may_come_and_a_larger_may_not(client: TestClient) -> None:
    assert upload(client, "large", picture=pgm(np.full((1200, 1200), 205, np.uint8))).status_code == 303
    body = urlencode({"text": "x" * 1_100_000})
    form = {"Content-Type": "application/x-www-form-urlencoded", **HERE}
    assert client.post("/sites", content=body, headers=form).status_code == 413
