"""Settings that cannot work are refused before anything is asked, by the setting's name and with a remedy."""

from typing import Any

import pytest

from backend.planners.errors import PlannerConfigurationError
from backend.planners.openai import OpenAIPlanner
from backend.planners.settings import OPENAI_URL, OpenAISettings, endpoint_of

LOCAL = "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize(
    ("changes", "api", "is_openai"),
    [
        pytest.param({"api_key": "sk-1"}, "responses", True, id="OpenAI answers by responses"),
        pytest.param({"api_key": "sk-1", "api": "chat"}, "chat", True, id="OpenAI by chat, if asked"),
        pytest.param({"base_url": LOCAL}, "chat", False, id="any other server by chat, without a key"),
        pytest.param({"base_url": LOCAL + "/", "api": "responses"}, "responses", False, id="or by responses"),
        pytest.param(
            {"base_url": "https://api.openai.com.example.net/v1"},
            "chat",
            False,
            id="a host that only looks like it",
        ),
    ],
)
def test_the_api_follows_from_the_host(changes: dict[str, Any], api: str, is_openai: bool) -> None:
    endpoint = endpoint_of(OpenAISettings(model="m", **changes))

    assert (endpoint.api, endpoint.is_openai) == (api, is_openai)
    assert not endpoint.base_url.endswith("/")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({}, "api_key is missing", id="no key at OpenAI"),
        pytest.param({"api_key": "sk-1\n"}, "api_key holds white space", id="a line break in the key"),
        pytest.param(
            {"api_key": "“sk-1”"}, "api_key holds white space or other", id="curly quotes in the key"
        ),
        pytest.param({"model": " ", "api_key": "k"}, "model is empty", id="no model"),
        pytest.param({"base_url": "localhost:8080"}, "base_url 'localhost:8080' is no http", id="no scheme"),
        pytest.param({"base_url": "ftp://host/v1"}, "is no http or https address", id="another scheme"),
        pytest.param({"base_url": "http://"}, "is no http or https address", id="no host"),
        pytest.param({"base_url": "http://host:99999/v1"}, "is no address", id="no such port"),
        pytest.param({"base_url": "http://[::1/v1"}, "is no address", id="half an address"),
        pytest.param(
            {"base_url": "http://me:pw@host/v1"}, "more than scheme, host", id="a password in the address"
        ),
        pytest.param({"base_url": LOCAL, "api": "assistants"}, "api is 'assistants'", id="an unknown API"),
        pytest.param({"base_url": LOCAL, "deadline_s": 0}, "deadline_s is 0", id="no time at all"),
        pytest.param({"base_url": LOCAL, "retries": -1}, "retries and backoff_s", id="fewer than no retries"),
    ],
)
def test_settings_that_cannot_work(changes: dict[str, Any], says: str) -> None:
    made = OpenAISettings(**({"model": "m"} | changes))

    with pytest.raises(PlannerConfigurationError) as caught:
        OpenAIPlanner(made)

    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


def test_no_key_is_ever_shown() -> None:
    made = OpenAISettings(model="m", api_key="sk-secret")

    assert "sk-secret" not in f"{made!r} {made} {endpoint_of(made)!r}"
    assert made.base_url == OPENAI_URL
