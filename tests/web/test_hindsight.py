"""What is known now beside what was believed, and why a step was taken: as pages and as the map's marks."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from backend.domain.command.policy import Policy
from backend.domain.execution.outcome import Result
from tests.web.html import elements
from tests.web.stand import HERE, Played, Stand


@pytest.fixture(scope="module")
def played(stand: Stand) -> Played:
    """DN-14, seed 1: the drone reports bottle_05 where it is not, and the robot goes there in vain."""
    done = stand.play("dn-14", seed=1, policy=Policy(mode="auto"))
    return done.until(lambda state: state.ending is not None)


@pytest.fixture(scope="module")
def failed(client: TestClient, played: Played) -> dict[str, Any]:
    [event] = [
        each
        for each in client.get(f"/api/v1/episodes/{played.episode}/events?kinds=step.ended&limit=500").json()[
            "events"
        ]
        if each["event"]["outcome"]["result"] != Result.SUCCEEDED
    ]
    found: dict[str, Any] = event
    return found


def told(html: str) -> str:
    """The page as it is read."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_replay_shows_both_times(client: TestClient, played: Played, failed: dict[str, Any]) -> None:
    at = failed["seq"] - 1
    page = client.get(f"/episodes/{played.episode}?at={at}&view=known").text
    [panel] = [each for each in elements(page) if each.get("id") == "evidence"]

    assert "bottle_05" in told(page)
    assert "Wrong pose, 5.00 m , and the plan rests on it" in told(page)
    assert "The plan of this moment rests on what was wrong of bottle_05." in page
    assert "Known now from the simulator" in page
    assert panel.get("data-known") == f"/episodes/{played.episode}/known.json?at={at}"


def test_the_map_draws_what_differs_and_nothing_else(
    client: TestClient, played: Played, failed: dict[str, Any]
) -> None:
    data = client.get(f"/episodes/{played.episode}/known.json?at={failed['seq'] - 1}").json()

    marks = {mark["entity"]: mark for mark in data["marks"]}

    assert data["seq"] == failed["seq"] - 1
    assert {name: (mark["place"], mark["believed"]) for name, mark in marks.items()} == {
        "bottle_05": ([5.0, 2.0], [5.0, 7.0]), "can_07": ([1.0, 4.0], [4.0, 0.0]),
    }  # fmt: skip
    assert marks["bottle_05"]["spoken"].startswith("Known now: bottle_05 5.00, 2.00 m.")


def test_a_live_page_is_told_nothing_of_it(client: TestClient, played: Played) -> None:
    page = client.get(f"/episodes/{played.episode}?view=known").text

    assert client.get(f"/episodes/{played.episode}/known.json").status_code == 404
    assert "data-known" not in page
    assert "Known now from" not in page


def test_where_things_are_is_no_operator_s_business_while_it_runs(client: TestClient, stand: Stand) -> None:
    """Whoever decides must not read the truth of a simulator; later evidence is everyone's."""
    running = stand.play("dn-14", seed=1, policy=Policy(mode="auto")).until(lambda state: state.seq > 200)
    page = client.get(f"/episodes/{running.episode}?at=100&view=known").text

    assert "Where things really are is told once the episode has ended." in page
    assert "from the simulator" not in page


def test_a_failure_is_explained_in_order(client: TestClient, played: Played, failed: dict[str, Any]) -> None:
    page = client.get(f"/episodes/{played.episode}/why").text
    found = [told(each) for each in re.findall(r"<h3>.*?</h3>", page, re.DOTALL)]
    order = ["Evidence: pose of bottle_05", "Question: call", "Plan 8 by policy", "Approved by the policy",
             "Step 3 went: grasp bottle_05", "Measured: grasp failed"]  # fmt: skip

    places = [next(n for n, title in enumerate(found) if words in title) for words in order]
    assert places == sorted(places)
    assert "Grasp bottle_05 failed. bottle_05 is not at (5, 7) m." in page
    assert "A false report was believed." in page
    assert "bottle_05: class bottle, pose (5, 7) m, confidence 0.59" in page
    assert "It was at 5.00, 2.00 m, 5.00 m away. Known from: simulator." in page
    assert f"seq {failed['seq']}" in told(page)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("plan=8&step=3", "Grasp bottle_05 failed."),
        ("plan=8", "Plan 8: 5 steps for bottle_05"),
        ("record=bottle_05&at=250", "Drone told bottle_05 at 5.00, 7.00 m"),
        ("seq=1", "Episode opened"),
    ],
)
def test_it_is_asked_by_step_plan_record_or_event(
    client: TestClient, played: Played, query: str, says: str
) -> None:
    page = client.get(f"/episodes/{played.episode}/why?{query}")

    assert page.status_code == 200
    assert says in page.text


def test_evidence_leads_on_to_the_plan_and_the_steps_that_rested_on_it(
    client: TestClient, played: Played
) -> None:
    page = told(client.get(f"/episodes/{played.episode}/why?record=bottle_05&at=250").text)

    for words in ("Plan 8: 5 steps for bottle_05 rested on it", "Step 3 of plan 8 went: grasp bottle_05",
                  "It was at 5.00, 2.00 m, 5.00 m away"):  # fmt: skip
        assert words in page


def test_what_missed_the_line_is_told_with_the_plan_that_came_to_use_it(
    client: TestClient, played: Played
) -> None:
    """14 records, 8 of them sent."""
    page = client.get(f"/episodes/{played.episode}/why?plan=1").text
    table = page.partition('id="missed-h"')[2].partition("</table>")[0]

    assert table.count('<th scope="row"') == 6
    assert re.findall(r'<td class="fig">(\d+)</td>', table) == ["9", "10", "11", "12", "13", "14"]
    assert "Plan " in told(table)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("seq=99999", "has no event 99999"),
        ("plan=999", "There is no plan 999"),
        ("plan=8&step=99", "Plan 8 has no step 99"),
        ("record=nobody", "Memory has no record"),
    ],
)
def test_what_is_not_there_is_said(client: TestClient, played: Played, query: str, says: str) -> None:
    page = client.get(f"/episodes/{played.episode}/why?{query}")

    assert page.status_code == 404
    assert says in page.text


def test_an_episode_that_has_only_begun_has_nothing_to_explain(client: TestClient, stand: Stand) -> None:
    begun = stand.play("s-6")

    assert "No step has gone yet" in client.get(f"/episodes/{begun.episode}/why").text


def test_every_event_of_a_whole_episode_can_be_asked_about(client: TestClient, played: Played) -> None:
    for seq in range(1, played.state.seq + 1, 7):
        assert client.get(f"/episodes/{played.episode}/why?seq={seq}").status_code == 200, f"seq {seq}"


def test_the_api_tells_both_times(client: TestClient, played: Played, failed: dict[str, Any]) -> None:
    address = f"/api/v1/episodes/{played.episode}/hindsight"
    then = client.get(f"{address}?at={failed['seq'] - 1}").json()
    wrong = {each["entity"]: each["differences"] for each in then["entities"] if each["differences"]}

    assert wrong["bottle_05"] == [{"kind": "wrong_pose", "distance_m": 5.0, "is_certain": True}]
    assert then["misled"]["by_why"] == {"false_report": 3.0}
    assert client.get(address).json()["seq"] == played.state.seq
    assert client.get(f"{address}?at=99999").status_code == 404


def test_the_report_adds_up_what_plans_rested_on(client: TestClient, played: Played) -> None:
    page = told(client.get(f"/episodes/{played.episode}/report").text)

    assert "Plans rested on a wrong belief for 3 s of 1:23 in which plans rested on records." in page
    assert "A false report was believed: 3 s." in page
    assert "Plan 8, 3 s: wrong pose of bottle_05, 5.00 m off" in page


def test_a_report_of_an_earlier_moment_tells_nothing_of_later(client: TestClient, played: Played) -> None:
    page = client.get(f"/episodes/{played.episode}/report?at=100").text

    assert "Plans rested on" not in page


def test_a_failure_is_labelled_with_its_cause(
    client: TestClient, played: Played, failed: dict[str, Any]
) -> None:
    page = client.get(f"/episodes/{played.episode}/why").text
    assert "What is known speaks for: false report." in told(page)
    assert '<option value="false-report" selected>' in page

    form = {"seq": failed["seq"], "at": failed["seq"], "tags": "false-report", "text": "The drone erred."}
    assert client.post(f"/episodes/{played.episode}/annotations", data=form, headers=HERE).status_code == 303
    assert "False report, by op-1" in client.get(f"/episodes/{played.episode}/why").text


def test_who_may_not_annotate_is_offered_no_label(stand: Stand, played: Played) -> None:
    with stand.client("watcher") as watching:
        page = watching.get(f"/episodes/{played.episode}/why").text

    assert 'id="label-h"' in page
    assert 'name="tags"' not in page


def test_what_memory_has_not_heard_of_is_a_row_that_leads_nowhere(client: TestClient, stand: Stand) -> None:
    """REVEAL-5 knows one of five at first."""
    done = stand.play("reveal-5", seed=1, policy=Policy(mode="auto")).until(lambda state: state.ending)
    page = client.get(f"/episodes/{done.episode}?at=12&view=known").text

    known = client.get(f"/api/v1/episodes/{done.episode}/memory?at=12").json()["records"]

    assert 0 < len(known) < 5
    assert page.count("Not yet known") == page.count(">No record<") == 5 - len(known)
    assert page.count('<span class="mono entity">') == 5 - len(known)
