"""The list over HTTP, and the form that starts an episode."""

import pytest
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy
from backend.web.deps import NewEpisode
from backend.web.ordering import read_order
from tests.web.html import Element, elements
from tests.web.stand import HERE, HX, Played, Stand


@pytest.fixture(scope="module")
def waiting(stand: Stand) -> Played:
    return stand.play("s-6").until(lambda state: state.approval is not None)


@pytest.fixture(scope="module")
def ended(stand: Stand) -> Played:
    return stand.play("d-10", policy=Policy(mode="auto")).until(lambda state: state.ending is not None)


def rows(text: str) -> dict[str, Element]:
    found = [
        element
        for element in elements(text)
        if element.tag == "tr" and element.get("id").startswith("episode-")
    ]
    return {row.get("id").removeprefix("episode-"): row for row in found}


def test_what_needs_a_person_comes_first(client: TestClient, waiting: Played, ended: Played) -> None:
    page = client.get("/episodes")
    shown = list(rows(page.text))
    assert shown.index(waiting.episode) < shown.index(ended.episode)
    assert "Awaiting approval" in rows(page.text)[waiting.episode].text
    assert ". First plan" in rows(page.text)[waiting.episode].text
    [count] = [
        element
        for element in elements(page.text)
        if "need" in element.get("class").split() and element.tag == "span" and element.get("aria-label")
    ]
    assert int(count.text) >= 1


@pytest.mark.parametrize(
    ("query", "finds"),
    [("?show=need", "waiting"), ("?show=ended", "ended"), ("?q=D-10", "ended"), ("?q=nothing+like+it", "")],
)
def test_filters(client: TestClient, waiting: Played, ended: Played, query: str, finds: str) -> None:
    shown = rows(client.get(f"/episodes{query}").text)
    assert (waiting.episode in shown, ended.episode in shown) == (finds == "waiting", finds == "ended")


def test_mine_are_those_i_command_or_ordered(stand: Stand, client: TestClient, ended: Played) -> None:
    mine = stand.play("s-6", by="op-1").tick(2)
    shown = rows(client.get("/episodes?show=mine").text)
    assert mine.episode in shown
    assert ended.episode not in shown


def test_the_list_alone_is_what_stands_in_the_page(
    client: TestClient, waiting: Played, ended: Played
) -> None:
    fragment = client.get("/episodes/list", headers=HX)
    assert "<html" not in fragment.text
    assert set(rows(fragment.text)) == set(rows(client.get("/episodes").text))
    assert client.get("/episodes/list?show=ended").headers["location"] == "/episodes?show=ended"


def test_a_filter_that_is_none(client: TestClient) -> None:
    assert client.get("/episodes?show=everything").status_code == 422


def test_an_episode_that_was_only_ordered_stands_in_the_list(stand: Stand, client: TestClient) -> None:
    ordered = stand.ordered()
    assert "its runner is starting" in rows(client.get("/episodes").text)[ordered].text


ORDER = {"mission": "s-6", "seed": "7", "planner": "policy", "memory": "attention", "policy": "every_plan"}


def test_an_order_leads_to_its_episode(stand: Stand, client: TestClient) -> None:
    answer = client.post("/episodes", data=ORDER, headers=HERE)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    played = stand.played[answer.headers["location"].rpartition("/")[2]]
    assert (played.state.seed, played.state.policy.mode) == (7, "every_plan")


WRONG = {
    "a seed that is no number": ({"seed": "seven"}, "seed", "“seven” is no such number."),
    "a seed below none": ({"seed": "-1"}, "seed", "“-1” is no such number."),
    "a seed that is too large": ({"seed": "99999999999"}, "seed", "“99999999999” is no such number."),
    "no seed": ({"seed": ""}, "seed", "The seed is missing."),
    "no mission": ({"mission": ""}, "mission", "Nothing is chosen."),
    "an unknown mission": ({"mission": "x-1"}, "mission", "There is no mission x-1."),
    "an unknown memory": ({"memory": "elephant"}, "memory", "“elephant” does not fit."),
    "an unknown policy": ({"policy": "yolo"}, "policy", "“yolo” does not fit."),
    "no planner": ({"planner": " "}, "planner", "Nothing is chosen."),
}


@pytest.mark.parametrize(("wrong", "field", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_order_is_refused_at_its_field_and_the_rest_is_kept(
    stand: Stand, client: TestClient, wrong: dict[str, str], field: str, says: str
) -> None:
    before = len(stand.played)
    answer = client.post("/episodes", data={**ORDER, **wrong}, headers=HERE)
    assert answer.status_code == 422
    found = elements(answer.text)
    [said] = [element for element in found if element.get("id").startswith(f"new-{field}-error")]
    assert said.text.startswith(says)
    kept = {element.get("name"): element.get("value") for element in found if element.has("checked")}
    assert {name: kept.get(name) for name in ("planner", "policy") if name != field} == {
        name: ORDER[name] for name in ("planner", "policy") if name != field
    }
    assert len(stand.played) == before


def test_several_faults_are_all_said() -> None:
    errors = read_order({**ORDER, "seed": "x", "policy": "y"})
    assert not isinstance(errors, NewEpisode)
    assert {error.field for error in errors} == {"seed", "policy"}


def test_a_choice_that_cannot_be_had_is_drawn_and_says_why(client: TestClient) -> None:
    page = client.get("/episodes/new?mission=d-10").text
    found = elements(page)
    [model] = [element for element in found if element.get("value") == "openai"]
    assert model.has("disabled")
    assert "No key is set." in page
    [chosen] = [element for element in found if element.get("name") == "mission" and element.has("checked")]
    assert chosen.get("value") == "d-10"
