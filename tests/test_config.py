"""Settings come from one place, and what is wrong or dangerous does not boot."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.config import ConfigError, load_settings, refuse_open_door


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in os.environ:
        if name.startswith("QUARTERDECK_") or name == "OPENAI_API_KEY":
            monkeypatch.delenv(name)


def test_without_any_setting_all_state_lies_under_var_on_loopback() -> None:
    settings = load_settings()

    assert (settings.home, settings.host, settings.is_loopback) == (Path("var"), "127.0.0.1", True)
    assert settings.planner_api_key.get_secret_value() == ""


def test_a_variable_sets_what_its_name_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARTERDECK_HOME", "/srv/quarterdeck")
    monkeypatch.setenv("QUARTERDECK_PORT", "8400")
    monkeypatch.setenv("QUARTERDECK_LEASE_S", "2.5")

    settings = load_settings()

    assert (settings.home, settings.port, settings.lease_s) == (Path("/srv/quarterdeck"), 8400, 2.5)


def test_the_command_line_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARTERDECK_PORT", "8400")

    assert load_settings(port=8500, host=None).port == 8500


def test_the_key_that_other_programs_use_is_read_after_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-theirs")
    assert load_settings().planner_api_key.get_secret_value() == "sk-theirs"

    monkeypatch.setenv("QUARTERDECK_PLANNER_API_KEY", "sk-ours")
    assert load_settings().planner_api_key.get_secret_value() == "sk-ours"


def test_a_key_is_never_shown() -> None:
    assert "sk-secret" not in repr(load_settings(planner_api_key="sk-secret"))


def test_children_get_the_same_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, port=8401, lease_s=3.0, planner_api_key="sk-1", https=True)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)

    assert load_settings() == settings


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("PORT", "eighty", "QUARTERDECK_PORT is 'eighty'"),
        ("PORT", "70000", "QUARTERDECK_PORT is '70000'"),
        (
            "HOST",
            "my host",
            "QUARTERDECK_HOST is 'my host': give an IP address such as 127.0.0.1, or localhost",
        ),
        ("LEASE_S", "0", "QUARTERDECK_LEASE_S is '0'"),
        ("PLANNER_API", "soap", "QUARTERDECK_PLANNER_API is 'soap'"),
        ("LOG_LEVEL", "loud", "QUARTERDECK_LOG_LEVEL is 'loud'"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_holds(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"QUARTERDECK_{name}", value)

    with pytest.raises(ConfigError) as wrong:
        load_settings()

    assert told in str(wrong.value)
    assert "docs/reference/settings.md" in str(wrong.value)


@pytest.mark.parametrize(
    ("host", "accounts", "opens"),
    [
        ("127.0.0.1", 0, True),
        ("localhost", 0, True),
        ("::1", 0, True),
        ("0.0.0.0", 0, False),
        ("192.0.2.7", 0, False),
        ("::", 0, False),
        ("0.0.0.0", 1, True),
    ],
    ids=[
        "loopback",
        "by name",
        "IPv6 loopback",
        "everywhere",
        "one address",
        "IPv6 everywhere",
        "with an account",
    ],
)
def test_beyond_this_machine_it_opens_with_accounts_only(host: str, accounts: int, opens: bool) -> None:
    refusal = refuse_open_door(load_settings(host=host), accounts)

    assert (refusal is None) == opens
    if refusal is not None:
        assert "quarterdeck accounts add" in refusal.remedy


def test_on_loopback_the_console_answers_to_names_of_loopback_alone() -> None:
    assert load_settings().known_hosts == ("127.0.0.1", "localhost", "::1")
    assert load_settings(host="0.0.0.0").known_hosts == ()
    assert load_settings(host="0.0.0.0", hosts="deck.example, 192.0.2.7").known_hosts == (
        "deck.example",
        "192.0.2.7",
    )
