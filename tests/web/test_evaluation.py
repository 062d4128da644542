"""Evaluation over HTTP: from the list to a cell to an episode in the console, which takes no command."""

from __future__ import annotations

import csv
import io
import json

import pytest
from starlette.testclient import TestClient

from backend.evaluation.bare import play
from backend.evaluation.choices import memory_study
from backend.evaluation.live_arms import live_arm
from backend.evaluation.live_play import Place, play_live
from backend.persistence.chain import content_digest
from backend.persistence.recordings import DatabaseRecordings
from backend.persistence.results import DatabaseResults
from backend.planners.policy import PolicyPlanner
from backend.rig import grid_bridge, grid_rig
from backend.usecases.results import Run, Study
from tests.web.html import elements
from tests.web.stand import HERE, HX, ORIGIN, Stand

STUDY = memory_study("s-6", "static,attention", 0, 2)


@pytest.fixture(scope="module")
def run(stand: Stand) -> Run:
    results = DatabaseResults(stand.engine)
    begun = results.start(STUDY, "measured", "mara")
    rows = [play(arm, seed, grid_rig, index) for index, arm in enumerate(STUDY.arms) for seed in range(2)]
    results.add(begun.id, rows)
    return results.finish(begun.id)


@pytest.fixture(scope="module")
def unfinished(stand: Stand) -> Run:
    results = DatabaseResults(stand.engine)
    begun = results.start(STUDY, "measured", "mara")
    results.add(begun.id, [play(STUDY.arms[0], 0, grid_rig, 0)])
    return begun


def hrefs(text: str) -> list[str]:
    return [element.get("href") for element in elements(text) if element.tag == "a"]


def test_the_way_leads_from_the_list_to_an_episode(client: TestClient, run: Run) -> None:
    for address, onward in (
        ("/episodes", "/evaluation"),
        ("/evaluation", f"/evaluation/{run.id}"),
        (f"/evaluation/{run.id}", f"/evaluation/{run.id}/cells/1"),
        (f"/evaluation/{run.id}/cells/1", f"/episodes/evaluation-{run.id}-1-0"),
        (f"/evaluation/{run.id}/cells/1", f"/evaluation/{run.id}/cells/1/paths?seed=0"),
        (f"/evaluation/{run.id}/cells/1/paths?seed=0", f"/episodes/evaluation-{run.id}-0-0"),
        (f"/episodes/evaluation-{run.id}-1-0", f"/evaluation/{run.id}/cells/1"),
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert onward in hrefs(answer.text), address


def test_every_row_of_a_cell_leads_to_the_same_seed_under_another_memory(
    client: TestClient, run: Run, unfinished: Run
) -> None:
    pairs = [
        f"/compare?left=evaluation-{run.id}-1-{seed}&right=evaluation-{run.id}-0-{seed}" for seed in range(2)
    ]
    cell = client.get(f"/evaluation/{run.id}/cells/1").text
    ways = client.get(f"/evaluation/{run.id}/cells/1/paths?seed=0").text
    alone = client.get(f"/evaluation/{unfinished.id}/cells/0").text

    assert {href for href in hrefs(cell) if href.startswith("/compare")} == {*pairs}
    assert pairs[0] in hrefs(ways)
    assert [href for href in hrefs(alone) if href.startswith("/compare")] == []
    page = client.get(pairs[0])
    assert page.status_code == 200
    assert "S-6, seed 0" in page.text
    assert "A refuses" in page.text or "B refuses" in page.text


def test_an_evaluation_s_episode_says_what_it_is_and_replays(client: TestClient, run: Run) -> None:
    name = f"evaluation-{run.id}-1-0"
    page = client.get(f"/episodes/{name}").text
    [origin] = [element for element in elements(page) if element.get("id") == "origin"]
    assert "Evaluation: S-6, attention, seed 0" in origin.text
    assert "measured by version measured, with the same figures" in origin.text
    assert [element for element in elements(page) if element.has("data-hold")] == []

    head = next(element.get("data-head") for element in elements(page) if element.get("id") == "console")
    for at in (1, int(head) // 2, int(head)):
        replayed = client.get(f"/episodes/{name}?at={at}&tab=context")
        assert replayed.status_code == 200, at
        assert "Evaluation: S-6" in replayed.text
    assert client.get(f"/episodes/{name}/map.json?at=9").json()["entities"]
    assert client.get(f"/episodes/{name}/timeline.json").json()["head_seq"] == int(head)
    assert client.get(f"/episodes/{name}?at={int(head) + 1}").status_code == 404


def test_opened_again_it_is_the_same_and_never_in_the_operators_list(client: TestClient, run: Run) -> None:
    name = f"evaluation-{run.id}-0-1"
    first, second = (client.get(f"/episodes/{name}/timeline.json").json() for _ in range(2))

    assert first == second
    assert name not in client.get("/episodes").text
    assert name not in client.get("/episodes?q=evaluation").text


COMMANDS = [
    ("holds", {}),
    ("abort", {"reason": "x"}),
    ("conn", {"action": "take"}),
    ("releases", {"shown": "s"}),
    ("requests", {"guidance": ""}),
    ("guidance", {"guidance": "x"}),
]


@pytest.mark.parametrize(("address", "fields"), COMMANDS, ids=[address for address, _ in COMMANDS])
def test_nothing_in_it_can_be_commanded(
    stand: Stand, client: TestClient, run: Run, address: str, fields: dict[str, str]
) -> None:
    name = f"evaluation-{run.id}-1-1"
    before = client.get(f"/episodes/{name}/timeline.json").json()

    answer = client.post(f"/episodes/{name}/{address}", data=fields, headers=HX)

    assert answer.status_code in (409, 422), answer.text
    assert client.get(f"/episodes/{name}/timeline.json").json() == before
    assert stand.told == []


def test_its_live_socket_opens_and_tells_nothing_new(client: TestClient, run: Run) -> None:
    name = f"evaluation-{run.id}-1-0"
    head = client.get(f"/episodes/{name}/timeline.json").json()["head_seq"]

    with client.websocket_connect(f"/live?episode={name}&after={head}", headers={"origin": ORIGIN}) as socket:
        assert socket.receive_json()["type"] == "age"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/evaluation/99999", "There is no evaluation run 99999"),
        ("/evaluation/{run}/cells/9", "has no cell 9"),
        ("/evaluation/{run}/cells/0/paths?seed=77", "no episode of seed 77"),
        ("/evaluation/compare?first={run}&second=99999", "There is no evaluation run 99999"),
        ("/evaluation/99999/episodes.csv", "There is no evaluation run 99999"),
        ("/episodes/evaluation-99999-0-0", "There is no evaluation run 99999"),
        ("/episodes/evaluation-{run}-0-77", "no episode of seed 77"),
        ("/evaluation/nothing", "There is no evaluation run “nothing”"),
        ("/evaluation/99999999999/progress", "There is no evaluation run “99999999999”"),
        ("/evaluation/{run}/nothing", "There is no such page"),
        ("/evaluation/{run}?compare=telepathy", "telepathy"),
        ("/evaluation/{run}/cells/0?page=-1", "cannot be read"),
        ("/evaluation/compare?first={run}", "cannot be read"),
    ],
)
def test_what_is_not_there_is_said_in_words(client: TestClient, run: Run, address: str, says: str) -> None:
    answer = client.get(address.format(run=run.id))

    assert answer.status_code in (404, 422)
    assert says in answer.text
    [way] = [each for each in elements(answer.text) if each.tag == "a" and each.get("class") == "btn"]
    assert way.get("href") == "/" + address.split("/")[1].partition("?")[0]


def test_a_run_that_goes_on_fetches_how_far_it_is(client: TestClient, unfinished: Run, run: Run) -> None:
    page = client.get(f"/evaluation/{unfinished.id}").text
    assert "1 of 4 episodes" in page

    fragment = client.get(f"/evaluation/{unfinished.id}/progress", headers=HX)
    assert "1 of 4 episodes" in fragment.text
    assert "<html" not in fragment.text
    assert (
        client.get(f"/evaluation/{unfinished.id}/progress").headers["location"]
        == f"/evaluation/{unfinished.id}"
    )
    done = client.get(f"/evaluation/{run.id}/progress", headers=HX)
    assert done.headers["HX-Refresh"] == "true"


def test_a_page_that_waits_for_the_first_figures_loads_them(stand: Stand, client: TestClient) -> None:
    results = DatabaseResults(stand.engine)
    begun = results.start(STUDY, "measured", "mara")
    page = client.get(f"/evaluation/{begun.id}").text
    [panel] = [each for each in elements(page) if each.get("id") == "progress"]
    waits = panel.get("hx-get")
    assert "Starting: 0 of 4 episodes" in panel.text
    assert "Starting: 0 of 4" in client.get(waits, headers=HX).text

    results.add(begun.id, [play(STUDY.arms[0], 0, grid_rig, 0)])

    assert client.get(waits, headers=HX).headers["HX-Refresh"] == "true"
    going = client.get(waits.partition("?")[0], headers=HX)
    assert "Running: 1 of 4 episodes" in going.text
    assert "waiting" not in going.text
    results.finish(begun.id)


def test_the_list_alone_is_what_stands_in_the_page(client: TestClient, run: Run, unfinished: Run) -> None:
    fragment = client.get("/evaluation/list", headers=HX).text

    assert "<html" not in fragment
    assert f"/evaluation/{run.id}" in hrefs(fragment)
    assert "every 2s" in fragment, "one of them is not finished"
    assert client.get("/evaluation/list").headers["location"] == "/evaluation"


def test_results_come_as_files(client: TestClient, run: Run) -> None:
    as_csv = client.get(f"/evaluation/{run.id}/episodes.csv")
    rows = list(csv.DictReader(io.StringIO(as_csv.text)))
    assert [(row["method"], row["seed"]) for row in rows] == [
        ("static", "0"), ("static", "1"), ("attention", "0"), ("attention", "1"),
    ]  # fmt: skip
    assert as_csv.headers["content-disposition"] == f'attachment; filename="evaluation-run-{run.id}.csv"'

    lines = client.get(f"/evaluation/{run.id}/episodes.jsonl").text.splitlines()
    assert json.loads(lines[0])["code_version"] == "measured"
    assert len(lines) == 5


def test_two_runs_stand_beside_each_other(client: TestClient, run: Run, unfinished: Run) -> None:
    page = client.get(f"/evaluation/compare?first={run.id}&second={unfinished.id}").text

    assert f"Run {unfinished.id} minus run {run.id}" in page
    assert "A difference below would be a defect." in page


def test_a_viewer_sees_it_all(stand: Stand, run: Run) -> None:
    with stand.client("watcher") as watcher:
        for address in ("/evaluation", f"/evaluation/{run.id}", f"/episodes/evaluation-{run.id}-1-0"):
            assert watcher.get(address).status_code == 200


@pytest.fixture(scope="module")
def live(stand: Stand) -> Run:
    """A live model's study, of which journals are kept. What stands for the model computes."""
    results, recordings = DatabaseResults(stand.engine), DatabaseRecordings(stand.engine)
    arms = tuple(
        [live_arm(method, "policy", {"model": "stand-in"}) for method in ("unfiltered", "attention")]
    )
    study = Study(kind="planner", name="live-6: stand-in", arms=arms, first_seed=3, seeds=1)
    begun = results.start(study, "measured", "mara")
    for index, arm in enumerate(arms):
        place = Place(arm=index, seed=3, episode=f"measured-{begun.id}-{index}", code_version="measured")
        played = play_live(place, arm, grid_bridge(arm, 3), PolicyPlanner(), content_digest)
        recordings.keep(begun.id, played.row, played.recording, played.journal)
    again = results.start(study, "measured")
    recordings.keep(again.id, played.row, played.recording, ())
    return results.finish(begun.id)


def test_a_live_model_s_run_leads_to_ways_and_to_the_journals_it_kept(client: TestClient, live: Run) -> None:
    page = client.get(f"/evaluation/{live.id}")
    assert "Calls to the model" in page.text
    assert f"/evaluation/{live.id}/cells/0/paths?seed=3" in hrefs(page.text)
    ways = client.get(f"/evaluation/{live.id}/cells/0/paths?seed=3")
    assert [f"/episodes/measured-{live.id}-{index}" in hrefs(ways.text) for index in (0, 1)] == [True, True]
    assert f"/episodes/measured-{live.id}-1" in hrefs(client.get(f"/evaluation/{live.id}/cells/1").text)


def test_a_kept_journal_is_no_operators_episode(stand: Stand, client: TestClient, live: Run) -> None:
    name = f"measured-{live.id}-1"
    page = client.get(f"/episodes/{name}")
    assert "As it was measured by version measured" in page.text
    assert f"/evaluation/{live.id}/cells/1" in hrefs(page.text)
    assert [element for element in elements(page.text) if element.has("data-hold")] == []
    assert name not in client.get("/episodes").text
    for address, fields in COMMANDS:
        assert client.post(f"/episodes/{name}/{address}", data=fields, headers=HX).status_code in (409, 422)
    assert stand.told == []


def test_an_operator_starts_a_run_and_a_viewer_does_not(stand: Stand, client: TestClient) -> None:
    stand.spawned.clear()
    wrong = client.post("/evaluation", data={"study": "memory:dn-14", "seeds": "0"}, headers=HERE)
    assert wrong.status_code == 422
    assert "“0” is no such number." in wrong.text
    [kept] = [each for each in elements(wrong.text) if each.tag == "option" and each.has("selected")]
    assert kept.get("value") == "memory:dn-14"
    assert stand.spawned == []

    with stand.client("watcher") as watcher:
        assert 'action="/evaluation"' not in watcher.get("/evaluation").text
        for address in ("/evaluation", "/evaluation/1/continuation"):
            assert (
                watcher.post(address, data={"study": "memory:s-6", "seeds": "1"}, headers=HERE).status_code
                == 403
            )


def test_a_started_run_leads_to_its_page_and_a_second_is_refused(stand: Stand) -> None:
    results = DatabaseResults(stand.engine)
    for each in results.runs():
        results.finish(each.id)
    stand.spawned.clear()
    with stand.client() as client:
        answer = client.post("/evaluation", data={"study": "memory:dn-14", "seeds": "2"}, headers=HERE)
        assert answer.status_code == 303
        assert stand.spawned == [
            ["evaluate", "memory", "--scenario", "dn-14", "--method", "all", "--seeds", "2"]
        ]
        assert "0 of 10 episodes" in client.get(answer.headers["location"]).text
        second = client.post("/evaluation", data={"study": "ablation:k", "seeds": "2"}, headers=HERE)
        assert second.status_code == 409
        assert "One at a time" in second.text
        assert answer.headers["location"] in hrefs(second.text)
        again = client.post(f"{answer.headers['location']}/continuation", headers=HERE)
        assert again.status_code == 409
