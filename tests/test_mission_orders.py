"""What the form of a new episode offers: which mission comes first, and what tells them apart."""

from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine

from backend.bootstrap import prepare_home, reader, ready_engine
from backend.config import load_settings
from backend.console import MissionOrders
from backend.persistence.leases import claim, release
from backend.usecases.ordering import RunRequest
from backend.web.deps import AS_MISSION, NewEpisode, OrderRefused
from robot_bridge.tabletop.tasks import TASK_NAMES


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MissionOrders:
    for name in ("OPENAI_API_KEY", "QUARTERDECK_PLANNER_API_KEY", "QUARTERDECK_PLANNER_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return MissionOrders(load_settings(home=tmp_path), create_engine("sqlite://"))


def test_the_mission_to_try_first_stands_first_and_the_home_s_own_last(
    orders: MissionOrders, tmp_path: Path
) -> None:
    (tmp_path / "missions").mkdir()
    (tmp_path / "missions" / "a-mission.yaml").write_text("name: a-mission\n", "utf-8")
    assert [each.value for each in orders.missions()] == [
        "recycling-s6",
        "recycling-dn14",
        "recycling-d10",
        "recycling-live6",
        "recycling-reveal5",
        "recycling-arena",
        "recycling-ros",
        *(f"tabletop-{task}" for task in TASK_NAMES),
        "a-mission",
    ]


def test_each_mission_says_its_size_its_reports_and_its_clock(orders: MissionOrders) -> None:
    said = {each.value: each.text for each in orders.missions()}
    assert len(set(said.values())) == len(said)
    assert said["recycling-s6"] == (
        "6 containers on 5 × 5 m; nothing is moved; 5 % of reports false, 2 ticks late."
        " Runs on while you decide, a tick each 1 s. Asks: every plan."
    )


def test_a_planner_that_cannot_be_used_names_the_variables_to_set(orders: MissionOrders) -> None:
    [openai] = [each for each in orders.planners() if each.value == "openai"]
    assert not openai.available
    assert "QUARTERDECK_PLANNER_API_KEY is missing" in openai.text
    assert "set QUARTERDECK_PLANNER_BASE_URL to a server" in openai.text


def test_a_robot_that_another_episode_commands_takes_no_second_one(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    prepare_home(settings)
    engine = ready_engine(settings)
    orders = MissionOrders(settings, engine)
    asked = NewEpisode(
        mission="recycling-ros", seed=1, planner="policy", memory=AS_MISSION, policy=AS_MISSION
    )
    first = orders.start(asked, "ada")
    request = msgspec.convert(reader(settings, engine).episode(first).request, RunRequest)
    assert request.robots == (f"sim-{first}", "ros-simulated-rover")
    lease = claim(engine, first, request.robots, "runner-1")

    with pytest.raises(OrderRefused, match=f"Episode {first} commands robot simulated-rover"):
        orders.start(asked, "ben")
    simulated = orders.start(msgspec.structs.replace(asked, mission="recycling-s6"), "ben")
    request = msgspec.convert(reader(settings, engine).episode(simulated).request, RunRequest)
    assert request.robots == (f"sim-{simulated}",)
    release(engine, lease)
    assert orders.start(asked, "ben") != first
