"""Ablations: each changes what it says, and its question has the answer that docs/evaluation.md gives."""

from __future__ import annotations

import pytest

from backend.evaluation.ablations import ABLATIONS, ablation, long_mission
from backend.evaluation.bare import play
from backend.evaluation.choices import ablation_study
from backend.evaluation.errors import WrongStudy
from backend.rig import grid_rig, scenario_of
from backend.usecases.results import Arm


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_arm_can_be_played_and_has_its_place(name: str) -> None:
    of = ablation(name)

    assert len(of.arms) == len(of.x) == len(of.lines)
    assert len({(each.variant, each.method) for each in of.arms}) == len(of.arms)
    for each in of.arms:
        scenario_of(each)


@pytest.mark.parametrize("name", ABLATIONS)
def test_arms_are_paired_by_their_tapes(name: str) -> None:
    """All draw from the same generator: the scenario's own, or that of custom ones."""
    codes = {scenario_of(each).code for each in ablation(name).arms}

    assert len(codes) == 1


@pytest.mark.parametrize("name", [name for name in ABLATIONS if "long" not in name and name != "suppression"])
def test_the_published_setting_is_among_what_is_varied(name: str) -> None:
    attention = [each for each in ablation(name).arms if each.method == "attention"]

    rows = [_row(each) for each in attention]

    published = Arm(scenario="dn-14", method="attention", memory=ablation("factors").arms[0].memory)
    same_tape = published if not attention[0].parameters else _with(published, {"latency": 4})
    assert _row(same_tape) in rows


def test_long_missions_are_as_crowded_and_as_ample_as_dn_14() -> None:
    assert long_mission(14) == {"containers": 14, "size": 8, "budget": 240}
    for containers in (28, 50, 100, 200):
        grown = long_mission(containers)
        assert grown["containers"] / grown["size"] ** 2 == pytest.approx(14 / 64, rel=0.15)
        assert grown["budget"] / (containers * grown["size"]) == pytest.approx(240 / (14 * 8), rel=0.01)


def test_context_of_a_call_stays_flat_with_attention_and_grows_without() -> None:
    """14 and 50 containers, one seed; the docs tell it of 20 seeds up to 200."""
    a_call = {}
    for each in ablation("length").arms:
        if each.parameters["containers"] in (14, 50):
            result = play(each, 0, grid_rig)
            a_call[each.method, each.parameters["containers"]] = result.context / result.planner_calls

    assert a_call["attention", 50] <= 48 + 18 * 8
    assert a_call["attention", 50] < 1.3 * a_call["attention", 14]
    assert a_call["unfiltered", 50] > 10 * a_call["unfiltered", 14]


def test_few_records_hide_what_the_order_of_classes_needs() -> None:
    misled = {
        each.variant: play(each, 0, grid_rig).extra["misled"]
        for each in ablation("suppression").arms
        if each.variant in ("in order, K 4", "in order, K 40")
    }

    assert misled["in order, K 40"] == 0
    assert misled["in order, K 4"] >= 5


@pytest.mark.parametrize("seeds", [0, -3])
def test_no_seeds_are_refused(seeds: int) -> None:
    with pytest.raises(WrongStudy, match="is no number of seeds"):
        ablation_study(ablation("k"), 0, seeds)


def _with(arm: Arm, parameters: dict[str, int]) -> Arm:
    return Arm(scenario=arm.scenario, method=arm.method, memory=arm.memory, parameters=parameters)


def _row(arm: Arm) -> tuple[int, int, int]:
    result = play(arm, 3, grid_rig)
    return result.steps, result.context, result.planner_calls
