"""Missions and sites over HTTP: read by all, written by operators, nothing lost on the way."""

from itertools import takewhile

import pytest
from starlette.testclient import TestClient

from tests.web.html import elements
from tests.web.stand import HERE, Stand

SITE = "name: {name}\ntitle: A wet yard\nrules: [Keep left.]\n"


def test_missions_are_listed_with_their_versions(client: TestClient) -> None:
    page = client.get("/missions").text

    assert "Recycling, six containers" in page
    assert "/missions/recycling-s6" in page


def test_a_site_is_written_read_and_written_again(client: TestClient) -> None:
    saved = client.post("/sites", data={"text": SITE.format(name="yard-1")}, headers=HERE)
    assert (saved.status_code, saved.headers["location"]) == (303, "/sites/yard-1")
    changed = SITE.format(name="yard-1").replace("Keep left.", "Keep right.").replace("\n", "\r\n")
    again = client.post("/sites/yard-1", data={"text": changed, "shown_version": 1}, headers=HERE)
    assert again.status_code == 303

    newest, oldest = client.get("/sites/yard-1").text, client.get("/sites/yard-1?version=1").text
    assert "Keep right." in newest
    assert "Keep left." in oldest
    assert "op-1" in newest
    assert "\r" not in next(each for each in elements(newest) if each.tag == "textarea").text


def test_who_saves_over_another_is_asked_first_and_keeps_what_was_typed(client: TestClient) -> None:
    client.post("/sites", data={"text": SITE.format(name="yard-2")}, headers=HERE)
    client.post("/sites/yard-2", data={"text": SITE.format(name="yard-2"), "shown_version": 1}, headers=HERE)
    mine = SITE.format(name="yard-2").replace("Keep left.", "Mine.")
    refused = client.post("/sites/yard-2", data={"text": mine, "shown_version": 1}, headers=HERE)

    assert refused.status_code == 409
    assert "op-1 saved version 2 meanwhile." in refused.text
    assert "Mine." in refused.text
    shown = next(each for each in elements(refused.text) if each.get("name") == "shown_version")
    assert shown.get("value") == "2"


@pytest.mark.parametrize("address", ["/sites", "/sites/yard-3"])
def test_what_is_wrong_is_said_at_the_text_and_kept(client: TestClient, address: str) -> None:
    client.post("/sites", data={"text": SITE.format(name="yard-3")}, headers=HERE)
    wrong = SITE.format(name="yard-3") + "regoins: []\n"
    refused = client.post(address, data={"text": wrong, "shown_version": 1}, headers=HERE)

    assert refused.status_code == 422
    assert "regoins is no field of a site. Did you mean regions?" in refused.text.replace("</b> ", " ")
    assert "regoins: []" in refused.text


def test_a_viewer_reads_and_writes_nothing(stand: Stand) -> None:
    with stand.client("watcher") as viewer:
        assert viewer.get("/missions/recycling-s6").status_code == 200
        assert "Save as version" not in viewer.get("/missions/recycling-s6").text
        assert viewer.get("/missions/new").status_code == 403
        assert viewer.post("/sites", data={"text": "name: x"}, headers=HERE).status_code == 403
        assert viewer.post("/missions/recycling-s6", data={"text": ""}, headers=HERE).status_code == 403


@pytest.mark.parametrize(
    "address",
    ["/missions/nowhere", "/missions/recycling-s6?version=9", "/sites/nowhere", "/sites/new?like=nowhere"],
)
def test_what_is_not_there(client: TestClient, address: str) -> None:
    answer = client.get(address)

    assert answer.status_code == 404
    assert "The list names those there are." in answer.text or "Its page lists those it has." in answer.text


def test_no_other_page_writes_here(client: TestClient) -> None:
    foreign = {"sec-fetch-site": "cross-site"}
    assert (
        client.post("/sites", data={"text": SITE.format(name="yard-4")}, headers=foreign).status_code == 403
    )
    assert client.get("/sites/yard-4").status_code == 404


def test_a_text_that_would_be_markup_stays_text(client: TestClient) -> None:
    text = SITE.format(name="yard-5").replace("A wet yard", '"</textarea><script>alert(1)</script>"')
    client.post("/sites", data={"text": text}, headers=HERE)
    page = client.get("/sites/yard-5").text

    assert "<script>alert" not in page
    assert page.count("</textarea>") == 1


def test_a_version_tells_what_changed_field_by_field(client: TestClient) -> None:
    first = SITE.format(name="yard-7") + "regions: [{name: wet, polygon_m: [[0, 0], [1, 0], [1, 1]]}]\n"
    second = "# Drier now.\n" + first.replace("Keep left.", "Keep right.").replace("[1, 1]]", "[2, 1]]")
    third = second.replace("title: A wet yard\n", "")
    for shown, text in enumerate((first, second, third)):
        answer = client.post(
            "/sites/yard-7" if shown else "/sites", data={"text": text, "shown_version": shown}, headers=HERE
        )
        assert answer.status_code == 303

    assert "Changes since" not in client.get("/sites/yard-7?version=1").text
    assert changed(client, "/sites/yard-7") == ("version 2", ["title gone A wet yard"])
    assert changed(client, "/sites/yard-7?version=2") == (
        "version 1",
        ["rules gone Keep left.", "rules new Keep right.", "regions[wet].polygon_m gone [1,1]",
         "regions[wet].polygon_m new [2,1]"],
    )  # fmt: skip
    since, lines = changed(client, "/sites/yard-7?version=1&against=3")
    assert since == "version 3"
    assert "title new A wet yard" in lines
    assert client.get("/sites/yard-7?against=9").status_code == 404
    only_comments = first.replace("name:", "# The same.\nname:", 1)
    client.post("/sites/yard-7", data={"text": only_comments, "shown_version": 3}, headers=HERE)
    assert "only comments, layout or order differ" in client.get("/sites/yard-7?against=1").text


def changed(client: TestClient, address: str) -> tuple[str, list[str]]:
    """Since when, and each field with how it changed, what it was and what it is."""
    found = elements(client.get(address).text)
    heading = next(each.text for each in found if each.get("id") == "changes-h")
    start = next(index for index, each in enumerate(found) if each.get("class") == "changes")
    lines: list[str] = []
    for each in takewhile(lambda each: each.tag != "section", found[start:]):
        if each.tag == "dt":
            lines.append("")
        if each.get("class") in ("mono", "k") or each.tag in ("del", "ins"):
            lines[-1] = f"{lines[-1]} {each.text}".strip()
        if each.tag == "p":
            break
    return heading.removeprefix("Changes since "), lines
