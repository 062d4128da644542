"""Writing beside an episode, by the page's forms and by the API: who may, what is kept, what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from backend.domain.annotations.annotation import Annotation
from backend.persistence.annotations import SqlAnnotations
from backend.web.pages.timeline import TimelineData
from tests.web.stand import HERE, HX, Stand
from tests.web.test_commands import waits


@pytest.fixture(scope="module")
def episode(stand: Stand) -> str:
    return stand.play("s-6").until(waits).episode


@pytest.fixture(scope="module")
def others(stand: Stand) -> Iterator[dict[str, TestClient]]:
    with stand.client("op-2") as two, stand.client("watcher") as viewer, stand.client("boss") as boss:
        yield {"op-2": two, "watcher": viewer, "boss": boss}


def kept(stand: Stand, episode: str) -> dict[str, Annotation]:
    return {each.text: each for each in SqlAnnotations(stand.engine).of(episode)}


def write(client: TestClient, episode: str, text: str, headers: dict[str, str] = HX, **more: str) -> Response:
    form = {"text": text, "tags": "", "entity": "", "seq": "3", "until_seq": "", **more}
    return client.post(f"/episodes/{episode}/annotations", data=form, headers=headers)


def test_what_is_written_is_shown_beside_its_moment(stand: Stand, client: TestClient, episode: str) -> None:
    content = stand.deps().reader.episode(episode).content

    answer = write(
        client,
        episode,
        "Too close, @op-2; not @nobody.",
        tags="#Near-Miss stall",
        until_seq="5",
        entity="bottle_1",
        at="4",
    )

    assert answer.status_code == 200, answer.text
    assert answer.headers["hx-trigger"] == "qd:timeline"
    assert "<b>@op-2</b>" in answer.text
    assert "<b>@nobody</b>" not in answer.text
    assert 'href="/search?q=tag%3Anear-miss"' in answer.text
    assert re.search(r'class="is-here"', answer.text)
    data = msgspec.json.decode(client.get(f"/episodes/{episode}/timeline.json").content, type=TimelineData)
    [mark] = [mark for mark in data.marks if mark.kind == "annotation"]
    assert (mark.seq, mark.label) == (3, "op-1: Too close, @op-2; not @nobody.")
    [span] = data.spans
    assert span.start_s <= span.end_s
    assert [mark.seq for mark in data.marks] == sorted(mark.seq for mark in data.marks)
    assert stand.deps().reader.episode(episode).content == content


def test_an_edit_is_a_version_more_and_a_removal_hides_it(
    stand: Stand, client: TestClient, others: dict[str, TestClient], episode: str
) -> None:
    write(client, episode, "First words")
    id = kept(stand, episode)["First words"].id
    address = f"/episodes/{episode}/annotations/{id}"

    opened = client.get(f"/episodes/{episode}/annotations", params={"chosen": id}, headers=HX)
    form = {"text": "Better words", "seq": "4", "version": "1"}
    edited = client.post(address, data=form, headers=HX)
    late = client.post(address, data={**form, "text": "Late words"}, headers=HX)
    theirs = others["op-2"].post(address, data={**form, "version": "2"}, headers=HX)
    removed = others["boss"].post(f"{address}/removal", data={"version": "2"}, headers=HX)

    assert 'name="version" value="1"' in opened.text
    assert "First words</textarea>" in opened.text
    assert ("Better words" in edited.text, "Versions before" in edited.text) == (True, True)
    assert (late.status_code, "op-1 changed it meanwhile" in late.text) == (409, True)
    assert (theirs.status_code, "changed by its author" in theirs.text) == (403, True)
    assert (removed.status_code, "removed by boss" in removed.text) == (200, True)
    assert "Better words" not in kept(stand, episode)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"text": "  "}, "There is nothing written."),
        ({"text": "x", "seq": "soon"}, "The first event is no number."),
        ({"text": "x", "seq": "99999"}, "There is no event 99999."),
        ({"text": "x", "until_seq": "1"}, "A span from event 3 cannot end at 1."),
        ({"text": "x", "until_seq": "-"}, "The last event is no number."),
        ({"text": "x", "tags": "a<b>"}, "is no tag."),
    ],
)
def test_a_refused_one_is_shown_again_as_it_was_typed(
    stand: Stand, client: TestClient, episode: str, form: dict[str, str], told: str
) -> None:
    before = kept(stand, episode)

    fragment, page = write(client, episode, **form), write(client, episode, headers=HERE, **form)

    for answer in (fragment, page):
        assert (answer.status_code, told in answer.text) == (422, True)
        assert 'aria-invalid="true"' in answer.text
        assert f'value="{form.get("seq", "3")}"' in answer.text
    assert "<html" in page.text
    assert kept(stand, episode) == before


def test_a_viewer_reads_and_a_browser_without_scripts_writes(
    stand: Stand, client: TestClient, others: dict[str, TestClient], episode: str
) -> None:
    viewer = others["watcher"]

    refused = write(viewer, episode, "Mine")
    plainly = write(client, episode, "Without scripts", headers=HERE, at="2")
    shown = viewer.get(f"/episodes/{episode}", params={"tab": "annotations"})

    assert refused.status_code == 403
    assert plainly.headers["location"] == f"/episodes/{episode}?tab=annotations&at=2"
    assert "Without scripts" in shown.text
    assert "A viewer reads annotations and writes none." in shown.text
    assert 'class="annotate"' not in shown.text
    assert client.get(f"/episodes/{episode}/annotations").status_code == 303
    assert write(client, "nowhere", "x").status_code == 404


def test_the_api_writes_the_same(client: TestClient, others: dict[str, TestClient], episode: str) -> None:
    path = f"/api/v1/episodes/{episode}/annotations"
    made = client.post(path, json={"seq": 2, "text": "By program", "tags": "question"}, headers=HERE)
    one = f"{path}/{made.json()['id']}"

    changed = client.post(one, json={"seq": 2, "text": "By program again", "version": 1}, headers=HERE)
    viewer = others["watcher"].post(path, json={"seq": 2, "text": "x"}, headers=HERE)
    unknown = client.post(f"{path}/none", json={"seq": 2, "text": "x", "version": 1}, headers=HERE)
    listed = client.get(path).json()["annotations"]
    gone = client.delete(one, params={"version": 2}, headers=HERE)

    assert (made.status_code, made.json()["tags"], changed.json()["version"]) == (201, ["question"], 2)
    assert (viewer.status_code, unknown.status_code) == (403, 404)
    assert "By program again" in [each["text"] for each in listed]
    assert gone.json()["is_removed"] is True


def test_annotations_of_both_sides_are_marked_where_episodes_are_compared(
    stand: Stand, client: TestClient, episode: str
) -> None:
    other = stand.play("s-6", seed=2).until(waits).episode
    for each in (episode, other):
        write(client, each, f"Seen in {each}")

    page = client.get("/compare", params={"left": episode, "right": other})

    assert page.status_code == 200, page.text
    for each in (episode, other):
        assert f"op-1: Seen in {each}" in page.text
