"""Scenarios: the five that are named, and what a custom one may be."""

from typing import Any

import pytest

from robot_bridge.grid.scenarios import SCENARIOS, ScenarioError, custom, scenario_named


@pytest.mark.parametrize(
    ("name", "size", "containers", "budget", "code"),
    [("s-6", 5, 6, 80, 0), ("d-10", 7, 10, 150, 1), ("dn-14", 8, 14, 240, 2), ("live-6", 6, 6, 110, 3)],
)
def test_the_paper_s_scenarios(name: str, size: int, containers: int, budget: int, code: int) -> None:
    scenario = scenario_named(name)

    assert (scenario.size, scenario.containers, scenario.budget, scenario.code) == (
        size,
        containers,
        budget,
        code,
    )
    assert scenario.pick_failure == 0.05
    assert scenario.place_failure == 0.0


def test_a_custom_scenario_is_dn_14_with_other_values_and_its_own_code() -> None:
    scenario = scenario_named("custom", {"size": 12, "containers": 40})

    assert (scenario.size, scenario.containers, scenario.budget, scenario.code) == (12, 40, 240, 100)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        pytest.param({"sice": 5}, "sice is no parameter of a scenario. Choose of size,", id="unknown field"),
        pytest.param({"code": 2}, "code is no parameter", id="code is not free"),
        pytest.param({"size": 2.5}, "size is 2.5. Give a whole number.", id="half a cell"),
        pytest.param({"size": True}, "size is True. Give a whole number.", id="a truth value"),
        pytest.param({"detection": "high"}, "detection is 'high'. Give a number.", id="a word"),
        pytest.param({"detection": 1.5}, "detection is 1.5. Give 0 to 1.", id="more than certain"),
        pytest.param({"detection": float("nan")}, "detection is nan. Give 0 to 1.", id="no number"),
        pytest.param(
            {"size": 3, "containers": 9}, "containers is 9. Give 1 to 7.", id="too many for the floor"
        ),
        pytest.param({"known": 99}, "known is 99. Give 0 to 14.", id="more known than there are"),
    ],
)
def test_a_custom_scenario_that_cannot_be_says_why(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        custom(parameters)

    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [("dn-15", {}, "Choose one of s-6, d-10"), ("dn-14", {"size": 9}, "scenario dn-14 is fixed")],
)
def test_a_named_scenario_that_is_none_says_why(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        scenario_named(name, parameters)


def test_only_reveal_5_reveals_its_containers() -> None:
    assert [name for name, scenario in SCENARIOS.items() if scenario.is_revealed] == ["reveal-5"]
