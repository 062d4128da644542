"""The search over HTTP: what is asked, what is found, where it leads."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from backend.domain.annotations.annotation import Draft
from backend.persistence.annotations import SqlAnnotations
from tests.web.stand import Stand
from tests.web.test_commands import waits


@pytest.fixture(scope="module")
def episode(stand: Stand) -> str:
    made = stand.play("s-6").until(waits).episode
    draft = Draft(seq=3, text="Stands in the way of <b>op-2</b>, @op-2", tags="near-miss")
    SqlAnnotations(stand.engine).add(made, draft, "op-1", "operator")
    return made


def test_a_moment_is_found_and_opens(client: TestClient, episode: str) -> None:
    page = client.get("/search", params={"q": "way tag:near-miss"})

    assert page.status_code == 200
    assert "<b>way</b>" in page.text
    assert "of &lt;b&gt;op-2&lt;/b&gt;" in page.text
    [place] = re.findall(r'class="find-at fig" href="([^"]+)"', page.text)
    assert unescape(place) == f"/episodes/{episode}?tab=annotations&at=3"
    assert 'aria-current="page"' in client.get(unescape(place)).text
    assert "1 moment." in page.text


def test_every_kind_of_moment_leads_to_a_tab(client: TestClient, episode: str) -> None:
    rows = client.get("/api/v1/search", params={"q": f"episode:{episode} -in:ending", "limit": 200}).json()
    for kind in ("record", "plan", "annotation"):
        found = client.get("/api/v1/search", params={"q": f"episode:{episode} in:{kind}"}).json()["found"]
        assert found, kind
        assert client.get(found[0]["href"]).status_code == 200
    assert rows["behind"] == 0
    assert {row["episode"] for row in rows["found"]} == {episode}


def test_what_cannot_be_asked_says_what_can(client: TestClient, episode: str) -> None:
    page = client.get("/search", params={"q": "colour:red"})
    api = client.get("/api/v1/search", params={"q": "colour:red"})
    nothing = client.get("/search", params={"q": "xyzzy"})
    empty = client.get("/search")

    assert (page.status_code, "There is no field colour." in page.text) == (422, True)
    assert 'value="colour:red"' in page.text
    assert (api.status_code, api.json()["field"]) == (422, "q")
    assert "Nothing found" in nothing.text
    assert "Ask for words, phrases or fields" in empty.text


def test_pages_follow_each_other(client: TestClient, episode: str) -> None:
    asked = {"q": f"episode:{episode} in:record", "limit": 2}
    first = client.get("/api/v1/search", params=asked).json()
    second = client.get("/api/v1/search", params={**asked, "offset": first["next"]}).json()

    assert first["next"] == 2
    assert [row["seq"] for row in (*first["found"], *second["found"])] == sorted(
        {row["seq"] for row in (*first["found"], *second["found"])}
    )
