"""Settings: where planners are asked, what a probe found, and never a key."""

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from backend.config import Settings
from tests.support.fake_planner import FakePlanner
from tests.web.stand import HERE, HX, Stand

KEY = "sk-very-secret"


def test_no_key_is_ever_shown(client: TestClient) -> None:
    page = client.get("/settings").text

    assert KEY not in page
    assert "QUARTERDECK_PLANNER_API_KEY" in page
    assert "2026-" in page, "the price table has its date"


@pytest.mark.parametrize(
    ("enforces", "says"), [(True, "Schema enforced"), (False, "Schema not enforced")], ids=["held", "ignored"]
)
def test_a_probe_says_whether_the_schema_holds(stand: Stand, enforces: bool, says: str) -> None:
    with FakePlanner(enforces=enforces) as fake:
        settings = Settings(planner_base_url=fake.url, planner_api_key=SecretStr(KEY), planner_backoff_s=0)
        with replaced(stand, settings).client() as client:
            before = client.get("/settings").text
            card = client.post("/settings/planners/openai/probe", headers=HX)
            after = client.get("/settings").text

    assert "Not probed since this server started." in before
    assert says in card.text
    assert says in after, "the verdict is kept until the server ends"
    assert fake.probes == 1
    assert KEY not in card.text + after


def test_a_server_that_does_not_answer_is_said_with_the_remedy(stand: Stand) -> None:
    settings = Settings(planner_base_url="http://127.0.0.1:9/v1", planner_connect_timeout_s=1.0)
    with replaced(stand, settings).client() as client:
        card = client.post("/settings/planners/openai/probe", headers=HX).text

    assert "No answer." in card
    assert "Is the server running?" in card


def test_who_may_probe(stand: Stand, client: TestClient) -> None:
    assert client.post("/settings/planners/policy/probe", headers=HERE).status_code == 404
    with stand.client("watcher") as viewer:
        assert viewer.post("/settings/planners/openai/probe", headers=HERE).status_code == 403
        assert "Probe now" not in viewer.get("/settings").text


def replaced(stand: Stand, settings: Settings) -> Stand:
    return Stand(stand.engine, stand.frames, planner_settings=settings)
