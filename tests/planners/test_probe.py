"""The start-up probe: a schema is enforced if the answer is the word that only the schema names."""

import json

import pytest

from backend.planners.errors import PlannerConfigurationError
from backend.planners.probe import probe
from backend.planners.settings import OpenAISettings
from tests.planners.samples import settings
from tests.support.fake_planner import FakePlanner


@pytest.mark.parametrize("api", ["responses", "chat"])
@pytest.mark.parametrize(("enforces", "shown"), [(True, "yes"), (False, "no")])
def test_a_server_that_answers(api: str, enforces: bool, shown: str) -> None:
    with FakePlanner(["refusal"], enforces=enforces) as fake:
        found = probe(settings(fake.url, api=api))

    assert found.enforced is enforces
    assert str(found) == f"schema enforced: {shown}"
    assert (found.api, found.base_url) == (api, fake.url)
    assert found.detail
    assert found.latency_s > 0
    assert (fake.probes, fake.count) == (1, 0), "the probe is no decision"


def test_a_server_that_does_not_answer() -> None:
    with FakePlanner() as fake:
        url = fake.url
    found = probe(settings(url))

    assert found.enforced is None
    assert str(found) == "schema enforced: unknown"
    assert "cannot be reached" in found.detail


def test_each_probe_asks_for_another_word_and_names_it_in_the_schema_alone() -> None:
    seen = []
    with FakePlanner() as fake:
        take = fake.take
        fake.take = lambda path, headers, body: (seen.append(body), take(path, headers, body))[1]
        for _ in range(2):
            probe(settings(fake.url))
        probe(settings(fake.url), constant="chosen")

    words = [
        body["response_format"]["json_schema"]["schema"]["properties"]["answer"]["const"] for body in seen
    ]
    assert len(set(words)) == 3
    assert words[2] == "chosen"
    for word, body in zip(words, seen, strict=True):
        assert word not in json.dumps(body["messages"])


def test_settings_that_cannot_work_are_said_to_be() -> None:
    with pytest.raises(PlannerConfigurationError, match="api_key is missing"):
        probe(OpenAISettings(model="m"))
