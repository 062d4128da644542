"""An episode in shadow over HTTP: ordered so, said on every page of it, approved, and nothing sent."""

from starlette.testclient import TestClient

from backend.domain.episode.events import ApprovalGranted, StepDispatched
from tests.web.stand import HERE, HX, Stand
from tests.web.test_commands import events, form_of, waits

ORDER = {"mission": "s-6", "seed": "7", "planner": "policy", "policy": "every_plan", "mode": "shadow"}


def test_what_is_approved_in_shadow_is_kept_and_not_sent(stand: Stand, client: TestClient) -> None:
    address = client.post("/episodes", data=ORDER, headers=HERE).headers["location"]
    played = stand.played[address.rpartition("/")[2]].until(waits)
    assert "Shadow: nothing is sent." in client.get(address).text
    with played.running():
        approval = played.state.approval
        assert approval is not None
        grant = f"{address}/approvals/{approval.id}/grant"
        assert client.post(grant, data=form_of(played), headers=HX).status_code == 200
    played.tick(20)

    page = client.get(address).text
    assert "is approved; nothing is sent" in page
    assert "Nothing is sent in shadow." in page
    assert "Starting." not in page
    assert "Shadow: nothing is sent." in client.get(f"{address}?at=3").text
    assert events(stand, played, ApprovalGranted)
    assert events(stand, played, StepDispatched) == []
    with played.running():
        assert client.post(f"{address}/abort", data={"reason": "seen enough"}, headers=HX).status_code == 200
    assert played.state.ending is not None
    assert [told for told in stand.told if told[0] == played.episode] == [], "its drivers' robot was stopped"


def test_other_episodes_say_nothing_of_it(stand: Stand, client: TestClient) -> None:
    played = stand.play("s-6").until(waits)

    assert 'id="shadow"' not in client.get(f"/episodes/{played.episode}").text
    refused = client.post("/episodes", data={**ORDER, "mode": "half"}, headers=HERE)
    assert refused.status_code == 422
    assert "“half” does not fit." in refused.text
