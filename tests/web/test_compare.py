"""Two episodes side by side: whatever is asked, the page says what it can, and every link leads on."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy
from backend.persistence.heads import order_episode
from tests.web.html import elements
from tests.web.stand import Stand

AUTO = Policy(mode="auto")
NAMES = ("attention", "unfiltered", "other-seed", "other-world", "goes-on")


@pytest.fixture(scope="module")
def client(stand: Stand, client: TestClient) -> TestClient:
    """With two memories of one seed, another seed, another world, and one that goes on."""
    for name, scenario, seed, memory in (
        ("attention", "d-10", 1, "attention"),
        ("unfiltered", "d-10", 1, "unfiltered"),
        ("other-seed", "d-10", 2, "attention"),
        ("other-world", "s-6", 1, "attention"),
    ):
        ordered(stand, name)
        stand.play(scenario, seed=seed, policy=AUTO, memory=memory, episode=name).until(
            lambda state: state.ending is not None
        )
    ordered(stand, "goes-on")
    stand.play("d-10", seed=1, policy=AUTO, episode="goes-on").tick(15)
    return client


def ordered(stand: Stand, name: str) -> None:
    order_episode(stand.engine, name, {"mission": {"name": "s-6"}}, "ada")


def seen(client: TestClient, left: str, right: str, **more: str) -> str:
    answer = client.get("/compare", params={"left": left, "right": right, **more})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_it_opens_where_they_first_part_and_says_how(client: TestClient) -> None:
    page = seen(client, "attention", "unfiltered")
    [first] = [each for each in elements(page) if each.get("class") == "is-first"]

    assert first.get("aria-current") == "step"
    assert "A is shown" in "".join(first.inside)
    assert "memory.entities" in page


def test_an_episode_beside_itself_never_parts(client: TestClient) -> None:
    page = seen(client, "attention", "attention")

    assert "They never part" in page
    assert "A and B are the same episode." in page


@pytest.mark.parametrize(
    ("right", "words"),
    [
        ("other-seed", "Their seeds differ."),
        ("other-world", "They ran in different worlds."),
        ("goes-on", "B has not ended."),
    ],
)
def test_what_cannot_be_compared_is_said(client: TestClient, right: str, words: str) -> None:
    page = seen(client, "attention", right)

    assert words in page
    assert ("Not looked for" in page) is (right == "other-world")
    assert ("Believed otherwise here" in page) <= (right == "goes-on")


@pytest.mark.parametrize("by", ["step", "time", "delivery"])
def test_every_place_is_shown_and_every_link_leads_on(client: TestClient, by: str) -> None:
    end = seen(client, "attention", "unfiltered", by=by, at="999999")
    [lanes] = [each for each in elements(end) if each.get("id") == "cmp-lanes"]
    assert lanes.get("data-at") == lanes.get("data-last")

    page = seen(client, "attention", "unfiltered", by=by, at="3")
    [lanes] = [each for each in elements(page) if each.get("id") == "cmp-lanes"]
    assert float(lanes.get("data-at")) == 3
    hrefs = {each.get("href") for each in elements(page) if each.tag == "a"}
    inside = [href for href in hrefs if href.startswith(("/compare?", "/episodes/"))]
    assert len(inside) > 10
    for href in sorted(inside)[::7]:
        assert client.get(href).status_code == 200, href


def test_both_sides_stand_where_the_cursor_does(client: TestClient, stand: Stand) -> None:
    page = seen(client, "attention", "unfiltered", by="delivery", at="2")
    opens = [each.get("href") for each in elements(page) if each.get("id") in ("open-A", "open-B")]

    for href in opens:
        name, seq = re.fullmatch(r"/episodes/(.+)\?at=(\d+)", href).groups()  # type: ignore[union-attr]
        state = stand.deps().reader.state(name, int(seq))
        assert len(state.delivered) == 2
        assert f"seq {int(seq):,}" in page


def test_what_was_swapped_is_the_same_the_other_way_round(client: TestClient) -> None:
    there = texts(seen(client, "attention", "unfiltered"), "fig cmp-at")
    back = texts(seen(client, "unfiltered", "attention"), "fig cmp-at")

    assert there == back


def texts(page: str, kind: str) -> list[str]:
    return ["".join(each.inside) for each in elements(page) if each.get("class") == kind]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"left": "attention", "right": "nowhere"}, 404),
        ({"left": "evaluation-9-0-0", "right": "attention"}, 404),
        ({"left": "attention", "right": "unfiltered", "at": "nan"}, 422),
        ({"left": "attention", "right": "unfiltered", "at": "-1"}, 422),
        ({"left": "attention", "right": "unfiltered", "at": "soon"}, 422),
        ({"left": "attention", "right": "unfiltered", "by": "mood"}, 422),
        ({"left": "x" * 300, "right": "unfiltered"}, 422),
    ],
    ids=lambda it: str(it)[:60],
)
def test_bad_questions_are_refused_in_words(client: TestClient, query: dict[str, str], status: int) -> None:
    answer = client.get("/compare", params=query)

    assert answer.status_code == status
    assert "<h1" in answer.text


def test_one_that_has_not_begun_says_so(client: TestClient, stand: Stand) -> None:
    waiting = stand.ordered()
    answer = client.get("/compare", params={"left": "attention", "right": waiting})

    assert answer.status_code in (404, 409, 503)
    assert f"Episode {waiting} has not begun" in answer.text


def test_two_are_chosen_with_their_like_first(client: TestClient) -> None:
    answer = client.get("/compare", params={"left": "attention"})
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    rows = re.findall(r'name="left" value="([^"]+)"', page.partition('class="panel cmp-choose"')[2])

    assert rows[0] == "attention"
    assert set(rows[1:3]) == {"unfiltered", "goes-on"}
    assert "mission of A, another seed" in page
    assert client.get("/compare/choice", params={"q": "no such thing"}).text.count("No episode is like") == 1
    assert client.get("/compare/choice", params={"left": "nowhere"}).status_code == 404


def test_the_list_and_the_episode_lead_here(client: TestClient) -> None:
    assert 'href="/compare/choice?left=attention"' in client.get("/episodes?show=ended").text
    assert 'href="/compare/choice?left=attention"' in client.get("/episodes/attention?at=5").text


def test_a_compared_episode_that_goes_on_is_read_on(client: TestClient, stand: Stand) -> None:
    before = seen(client, "goes-on", "attention", at="9999")
    stand.played["goes-on"].tick(40)
    after = seen(client, "goes-on", "attention", at="9999")

    assert texts(before, "k fig") != texts(after, "k fig")
