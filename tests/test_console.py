"""What the console is given: missions and planners, each with what is wrong in it, and the start of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from backend.bridge.addresses import announce, robot_home
from backend.bridge.channel import Address
from backend.config import Settings
from backend.console import MissionOrders, accounts_with_password, sign_in_code, web_deps
from backend.persistence.accounts import add_user
from backend.persistence.heads import runnerless
from backend.usecases.ports import BridgeUnreachable
from backend.web.deps import NewEpisode, OrderRefused
from tests.bridge.process import bridge
from tests.support.homes import new_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Settings, Engine]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("QUARTERDECK_PLANNER_API_KEY", raising=False)
    return new_home(tmp_path / "home")


@pytest.fixture
def orders(home: tuple[Settings, Engine]) -> MissionOrders:
    return MissionOrders(*home)


def asked(**changed: Any) -> NewEpisode:
    given = {"mission": "recycling-s6", "seed": 7, "planner": "policy", "memory": "", "policy": ""}
    return NewEpisode(**{**given, **changed})


def test_missions_are_offered_and_a_wrong_file_says_what_is_wrong(
    orders: MissionOrders, home: tuple[Settings, Engine]
) -> None:
    (home[0].home / "missions").mkdir()
    (home[0].home / "missions" / "mine.yaml").write_text("name: mine\ntitel: x")

    offered = {choice.value: choice for choice in orders.missions()}

    assert offered["recycling-s6"].available
    assert not offered["mine"].available
    assert "titel is no field of a mission" in offered["mine"].text


def test_planners_are_offered_and_one_without_a_key_says_so(orders: MissionOrders) -> None:
    offered = {choice.value: choice for choice in orders.planners()}

    assert [value for value, choice in offered.items() if choice.available] == [
        "policy", "operator", "surrogate", "oracle",
    ]  # fmt: skip
    for asks in ("openai", "per_chunk"):
        assert "QUARTERDECK_PLANNER_API_KEY is missing" in offered[asks].text
    assert "QUARTERDECK_PLANNER_RECORDING is not set" in offered["recorded"].text


def test_an_episode_is_ordered_as_the_form_says(orders: MissionOrders, home: tuple[Settings, Engine]) -> None:
    episode = orders.start(asked(memory="unfiltered", policy="on_risk"), "mara")

    [order] = runnerless(home[1])
    assert (order.episode, order.ordered_by) == (episode, "mara")
    mission = order.request["mission"]
    assert (order.request["seed"], order.request["planner"]) == (7, "policy")
    assert (mission["memory"]["entities"], mission["policy"]["mode"]) == ("unfiltered", "on_risk")
    assert mission["world"]["clock"] == "runs"


@pytest.mark.parametrize("memory", ["", "attention", "attention, frames gated"])
def test_the_mission_s_own_memory_keeps_its_gated_frames(
    memory: str, orders: MissionOrders, home: tuple[Settings, Engine]
) -> None:
    orders.start(asked(memory=memory), "mara")

    assert runnerless(home[1])[0].request["mission"]["memory"]["frames"] == "gated"


@pytest.mark.parametrize(
    ("changed", "field", "told"),
    [
        ({"mission": "recycling-s7"}, "mission", "is unknown"),
        ({"planner": "openai"}, "planner", "QUARTERDECK_PLANNER_API_KEY is missing"),
        ({"planner": "nobody"}, "planner", "Planner 'nobody' is unknown"),
        ({"memory": "atention"}, "memory", "is unknown"),
    ],
)
def test_what_cannot_be_started_is_refused_by_its_field(
    changed: dict[str, str], field: str, told: str, orders: MissionOrders, home: tuple[Settings, Engine]
) -> None:
    with pytest.raises(OrderRefused) as refused:
        orders.start(asked(**changed), "mara")

    assert refused.value.field == field
    assert told in refused.value.message
    assert refused.value.remedy
    assert runnerless(home[1]) == []


def test_it_asks_for_passwords_where_accounts_have_them(home: tuple[Settings, Engine]) -> None:
    sign_in_code(home[1], "someone")
    assert (accounts_with_password(home[1]), web_deps(*home).settings.sign_in) == (0, "link")

    add_user(home[1], "mara", "admin", "test", password_hash="$argon2id$stored")

    assert (accounts_with_password(home[1]), web_deps(*home).settings.sign_in) == (1, "account")


def test_the_sign_in_link_is_for_an_admin_and_good_once(home: tuple[Settings, Engine]) -> None:
    accounts = web_deps(*home).accounts
    code = sign_in_code(home[1], "someone")

    followed = accounts.follow(code)

    assert followed is not None
    assert (followed.name, followed.role) == ("someone", "admin")
    assert accounts.follow(code) is None


def test_a_stop_goes_straight_to_the_episode_s_bridge(
    orders: MissionOrders, home: tuple[Settings, Engine], tmp_path: Path
) -> None:
    settings, engine = home
    stop = web_deps(settings, engine).stop_directly
    episode = orders.start(asked(), "mara")
    with pytest.raises(BridgeUnreachable, match="is running here"):
        stop(episode, "s1", "mara")

    with bridge(tmp_path / "robot", "--scenario", "s-6", "--clock", "waits") as process:
        folder = robot_home(settings.home, f"sim-{episode}")
        folder.mkdir(parents=True)
        announce(folder, Address(process.ready["address"]))
        stop(episode, "s1", "mara")

    assert (folder / "address.json").stat().st_mode & 0o077 == 0, "it holds a token: its owner's alone"
