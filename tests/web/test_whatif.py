"""The page of what-ifs: what it would ask is shown first, only that is asked, and what came of it stands
beside what was recorded. A viewer reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from backend.config import Settings
from backend.domain.command.policy import Policy
from backend.domain.episode.events import kind_of
from backend.experiments.desk import ExperimentDesk
from backend.persistence.inbox import clock_s
from backend.persistence.reader import SqlReader
from backend.sandbox.results import SILENT_S
from tests.support.fake_planner import FakePlanner
from tests.web.html import elements
from tests.web.stand import HERE, HX, Stand


@pytest.fixture(scope="module")
def episode(stand: Stand) -> str:
    played = stand.play("s-6", seed=3, policy=Policy(mode="auto"))
    return played.until(lambda state: state.ending is not None).episode


@pytest.fixture(scope="module")
def seqs(stand: Stand, episode: str) -> list[int]:
    """Of the calls."""
    entries = SqlReader(stand.engine).events(episode, kinds=("plan.requested",), limit=None)
    return [entry.recorded.seq for entry in entries]


@pytest.fixture(scope="module")
def model() -> Iterator[FakePlanner]:
    with FakePlanner() as fake:
        yield fake


@pytest.fixture(scope="module")
def asking(stand: Stand, model: FakePlanner) -> Iterator[TestClient]:
    """The console where planner openai can be asked."""
    settings = Settings(planner_base_url=model.url, planner_api_key=SecretStr("sk-very-secret"))
    with stand.client(experiments=desk(stand, settings)) as client:
        yield client


def desk(stand: Stand, settings: Settings, executor: Executor | None = None) -> ExperimentDesk:
    reader = stand.deps().reader
    return ExperimentDesk(settings, stand.engine, reader, executor or stand.asking)


def form_of(page: str) -> dict[str, str]:
    """What the Ask button of a page posts."""
    inside = page[page.index('class="whatif-ask"') :]
    inside = inside[: inside.index("</form>")]
    return {each.get("name"): each.get("value") for each in elements(inside) if each.tag == "input"}


def asked(client: TestClient, episode: str, **changed: Any) -> tuple[int, str]:
    """Looks, then asks exactly that; the number of what was asked, and its page."""
    form = form_of(client.get(f"/episodes/{episode}/whatif", params=changed).text)
    answer = client.post(f"/episodes/{episode}/experiments", data=form, headers=HERE)
    assert answer.status_code == 303, answer.text
    place = answer.headers["location"]
    return int(place.rpartition("/")[2]), client.get(place).text


def told(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))


def test_the_page_shows_what_a_change_would_show_and_asks_nobody(
    client: TestClient, episode: str, seqs: list[int], stand: Stand
) -> None:
    before = SqlReader(stand.engine).episode(episode)
    page = told(client.get(f"/episodes/{episode}/whatif?at={seqs[0] + 2}&k=2").text)

    assert "What if, at call 1, 00:00:00" in page
    assert "Call 1, K 2" in page
    assert "Leave: " in page
    assert "Ranked below K: record 2 scores" in page
    assert "Retrieved records: " in page
    assert "Nobody has been asked yet" in page
    assert "policy computes, or has its answers on record." in page
    assert SqlReader(stand.engine).episode(episode) == before


def test_only_what_was_shown_is_asked(client: TestClient, episode: str, seqs: list[int]) -> None:
    form = form_of(client.get(f"/episodes/{episode}/whatif?at={seqs[0]}&k=2").text)
    other = client.post(f"/episodes/{episode}/experiments", data={**form, "k": "3"}, headers=HERE)
    blind = client.post(f"/episodes/{episode}/experiments", data={"at": str(seqs[0])}, headers=HERE)

    assert (other.status_code, blind.status_code) == (409, 409)
    assert "This is not what the page showed. Nobody was asked." in told(other.text)
    assert "Call 1, K 3" in told(other.text)


def test_what_came_of_it_stands_beside_what_was_recorded(
    client: TestClient, episode: str, seqs: list[int], stand: Stand
) -> None:
    kinds = [kind_of(each.recorded.event) for each in SqlReader(stand.engine).events(episode, limit=None)]
    number, page = asked(client, episode, at=seqs[0], k=1, calls=3, run_on="on")
    text = told(page)

    assert "What if: K 1" in text
    assert re.search(r"\d of 3 plans the same", text)
    assert "Recorded Valid: it could run" in text
    assert "How it went on" in text
    assert "Run on, nothing changed" in text
    assert re.search(r"They part at deed \d+\.|The same deeds to the end\.", text)
    assert f"{number}: K 1" in told(client.get(f"/episodes/{episode}/whatif?at={seqs[0]}").text)
    after = [kind_of(each.recorded.event) for each in SqlReader(stand.engine).events(episode, limit=None)]
    assert after == kinds


def test_an_edited_record_is_read_like_a_correction(
    client: TestClient, episode: str, seqs: list[int]
) -> None:
    page = client.get(f"/episodes/{episode}/whatif?at={seqs[0]}").text
    record = re.findall(r'<option value="((?:can|bottle|carton)\w+)"', page)[0]
    _, moved = asked(client, episode, at=seqs[0], do="remove", entity=record)
    wrong = client.get(f"/episodes/{episode}/whatif?at={seqs[0]}&do=move&entity={record}&x_m=here&y_m=1")

    assert f"What if: {record}: removed" in told(moved)
    assert "“here” is no number." in told(wrong.text)
    assert 'class="whatif-ask"' not in wrong.text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"k": "0"}, "K cannot be “0”. Write a whole number from 1 to 1000, or leave it empty."),
        ({"threshold": "nan"}, "Threshold cannot be “nan”."),
        ({"calls": "51"}, "“51” calls cannot be asked. Write a whole number from 1 to 50."),
        ({"do": "move"}, "No record is chosen."),
        ({"do": "burn", "entity": "can_1"}, "A record is not edited so."),
        ({"prompt": "x" * 8001}, "It is too long. Write at most 8,000 characters."),
        ({"memory": "dream"}, "There is no memory"),
        ({"model": "tiny"}, "Planner policy asks no model, so it has no model."),
        ({"planner": "operator"}, "cannot be asked again"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_what_cannot_be_read_or_asked_is_said_beside_its_field(
    client: TestClient, episode: str, seqs: list[int], typed: dict[str, str], says: str
) -> None:
    page = client.get(f"/episodes/{episode}/whatif", params={"at": seqs[0], **typed})

    assert says in told(page.text)
    assert 'class="whatif-ask"' not in page.text


@pytest.mark.parametrize(("typed", "status"), [({"k": "0"}, 422), ({"planner": "operator"}, 409)])
def test_what_cannot_be_asked_is_not(
    client: TestClient, episode: str, seqs: list[int], typed: dict[str, str], status: int
) -> None:
    fragment = client.get(f"/episodes/{episode}/whatif/look", params={"at": seqs[0], **typed}, headers=HX)
    form = {"at": str(seqs[0]), **typed}
    posted = client.post(f"/episodes/{episode}/experiments", data=form, headers=HERE)

    assert 'class="whatif-ask"' not in fragment.text
    assert posted.status_code == status


def test_a_moment_between_two_calls_can_be_asked_at(
    client: TestClient, episode: str, seqs: list[int]
) -> None:
    at = seqs[1] - 5
    page = told(client.get(f"/episodes/{episode}/whatif?at={at}").text)
    _, result = asked(client, episode, at=at, here="on")

    assert "When call 1 was asked" in page
    assert f"At event {at}, as things stood then" in page
    assert f"Event {at}, " in told(result)
    assert "What was left of the plan" in told(result)


def test_a_model_s_estimate_comes_before_its_answer(
    asking: TestClient, model: FakePlanner, episode: str, seqs: list[int]
) -> None:
    page = asking.get(f"/episodes/{episode}/whatif?at={seqs[1]}&planner=openai&model=tiny&calls=2").text
    count = model.count

    assert "sk-very-secret" not in page
    assert "≈ 2 To openai; once more each where a plan is sent back" in told(page)
    assert "No dated price is known for this model" in told(page)
    assert re.search(r"Left today \d+ calls", told(page))
    assert count == 0
    _, result = asked(asking, episode, at=seqs[1], planner="openai", model="tiny", calls=2)
    assert model.count >= 2
    assert re.search(r"Spent \d+ calls", told(result))
    assert "tiny, 1 request" in told(result)


def test_a_viewer_reads_and_does_not_ask(
    stand: Stand, client: TestClient, episode: str, seqs: list[int]
) -> None:
    number, _ = asked(client, episode, at=seqs[0])
    form = form_of(client.get(f"/episodes/{episode}/whatif?at={seqs[0]}").text)
    with stand.client("watcher") as viewer:
        page = viewer.get(f"/episodes/{episode}/whatif?at={seqs[0]}").text
        result = viewer.get(f"/episodes/{episode}/experiments/{number}")
        refused = viewer.post(f"/episodes/{episode}/experiments", data=form, headers=HERE)

    assert "A viewer reads what-ifs." in told(page)
    assert 'class="whatif-ask"' not in page
    assert result.status_code == 200
    assert refused.status_code == 403


def test_one_that_is_under_way_fetches_itself_until_it_is_done(
    stand: Stand, episode: str, seqs: list[int]
) -> None:
    waiting: list[Callable[[], Any]] = []

    class Later(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            waiting.append(lambda: fn(*args, **kwargs))
            return Future()

    with stand.client(experiments=desk(stand, stand.planner_settings, Later())) as client:
        number, page = asked(client, episode, at=seqs[0], k=1)
        assert "Under way: beginning. Nothing moves." in told(page)
        assert 'hx-trigger="every 2s"' in page
        going = client.get(f"/episodes/{episode}/experiments/{number}", headers=HX)
        waiting.pop()()
        done = client.get(f"/episodes/{episode}/experiments/{number}", headers=HX)
        page = client.get(f"/episodes/{episode}/experiments/{number}").text

    assert "Under way" in told(going.text)
    assert done.headers["HX-Refresh"] == "true"
    assert "every 2s" not in page
    assert "of 1 plans the same" in told(page)


def test_one_whose_server_ended_says_that_it_is_lost(stand: Stand, episode: str, seqs: list[int]) -> None:
    class Gone(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return Future()

    with stand.client(experiments=desk(stand, stand.planner_settings, Gone())) as client:
        number, _ = asked(client, episode, at=seqs[0])
    later = clock_s(stand.engine) + SILENT_S + 1
    with stand.client(clock_s=lambda: later) as client:
        page = client.get(f"/episodes/{episode}/experiments/{number}").text

    assert "Lost. Nothing was heard of it for a while" in told(page)
    assert "every 2s" not in page


def test_what_is_not_there_says_so(client: TestClient, episode: str, seqs: list[int]) -> None:
    early = client.get(f"/episodes/{episode}/whatif?at=1")
    unknown = client.get("/episodes/nowhere/whatif")
    late = client.get(f"/episodes/{episode}/whatif?at=99999")
    number = client.get(f"/episodes/{episode}/experiments/999999")

    assert [each.status_code for each in (early, unknown, late, number)] == [404] * 4
    assert "There is no episode nowhere" in told(unknown.text)
    assert "There is no event 99999." in told(late.text)
    assert "The planner had not been asked by event 1" in told(early.text)
    assert "has no what-if 999999" in told(number.text)


def test_exchange_and_context_lead_there(client: TestClient, episode: str, seqs: list[int]) -> None:
    for tab in ("exchange", "context"):
        page = client.get(f"/episodes/{episode}?at={seqs[1] + 1}&tab={tab}").text
        assert f'href="/episodes/{episode}/whatif?at={seqs[1]}"' in page, tab
