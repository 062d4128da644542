"""The arena as a world: the same for a seed, stopped at once, saved and taken up again."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from robot_bridge import contract, wire
from robot_bridge.arena.world import HALT_WITHIN_S, STEP_S, ArenaWorld
from robot_bridge.bridge import Bridge
from robot_bridge.ledger import MemoryLedger
from robot_bridge.paced import PacedWorld
from robot_bridge.recording import EVERY_STEPS
from robot_bridge.sqlite_ledger import open_ledger
from robot_bridge.world import Pose, Step
from robot_bridge.worlds import WorldOptions, make_world
from tests.arena.support import ARENA, arena, begin, holding, run, step, through_json, to_station, told
from tests.bridge.support import Runner, digest


def played(world: ArenaWorld, steps: int) -> str:
    begin(world, step(world, "navigate", 1))
    seen = []
    for _ in range(steps):
        world.advance()
        seen.append(world.observe())
    return digest([world.save(), seen])


def test_a_seed_plays_the_same_again_to_the_byte() -> None:
    assert played(arena(3), 80) == played(arena(3), 80)
    assert played(arena(3), 80) != played(arena(4), 80)


def test_a_world_that_was_saved_goes_on_as_it_would_have() -> None:
    first, second = arena(3), arena(3)
    holding(first)
    second.restore(through_json(first.save()))

    assert run(first, to_station(first, "navigate", 0)) == run(second, to_station(second, "navigate", 0))
    assert first.save() == second.save()


def test_what_was_saved_does_not_change_while_the_world_goes_on() -> None:
    world = arena(3)
    begin(world, step(world, "navigate", 1))
    for _ in range(30):
        world.advance()
    saved = world.save()
    kept = deepcopy(saved)
    for _ in range(40):
        world.advance()

    assert saved == kept
    assert saved != world.save()


def test_a_bridge_that_comes_back_knows_what_was_where_and_writes_each_row_once(tmp_path: Path) -> None:
    bridge = Bridge(arena(), open_ledger(tmp_path), lambda: 0.0)
    runner = Runner(bridge)
    runner.hello()
    for number, skill in enumerate(("navigate", "approach", "grasp")):
        runner.submit(f"d{number}", step(bridge._world, skill, 0))
        while bridge.running:
            runner.send("advance", epoch=1)
    world = bridge._world
    size = len(json.dumps(world.save()))

    again = arena()
    Bridge(again, open_ledger(tmp_path), lambda: 0.0)

    assert [again.truth(t) for t in (0.0, 5.0, 99.0)] == [world.truth(t) for t in (0.0, 5.0, 99.0)]
    assert again.truth(99.0)[0]["state"] == "held"
    assert open_ledger(tmp_path).history() == [list(row) for row in world.floor._log]
    run(world, to_station(world, "navigate", 0))
    assert len(json.dumps(world.save())) < 1.2 * size


def test_a_home_that_kept_the_past_with_the_rest_is_read_and_hands_it_over() -> None:
    world, again = arena(), arena()
    past = [list(row) for row in world.floor._log]
    saved = through_json(world.save())
    del saved["floor"]["told"]

    again.restore({**saved, "floor": {**saved["floor"], "log": past}})

    assert again.take_history() == past
    assert (again.take_history(), again.save()) == ([], world.save())


def test_another_seeds_home_is_refused() -> None:
    with pytest.raises(ValueError, match="This home holds scenario arena-6 with seed 3"):
        arena(4).restore(through_json(arena(3).save()))


@pytest.mark.parametrize("skill", ["navigate", "grasp"])
def test_a_halt_stands_still_within_a_fifth_of_a_second(skill: str) -> None:
    world = arena()
    if skill == "grasp":
        for each in ("navigate", "approach"):
            run(world, step(world, each, 0))
    begin(world, step(world, skill, 0))
    for _ in range(12):
        world.advance()
    assert not world.physics.is_still()
    begun_s = world.met_s

    outcome = world.halt("stopped")

    assert outcome is not None
    assert told(outcome) == ("stopped", "stopped")
    assert world.met_s - begun_s <= HALT_WITHIN_S
    assert world.is_still()


def test_the_drone_is_late_and_partly_wrong_and_the_robot_sees_what_is_near() -> None:
    world = arena()
    world.observe()
    for skill in ("navigate", "approach"):
        run(world, step(world, skill, 0))
    seen = world.observe()

    aerial = [each for each in seen if each.source == "aerial"]
    assert aerial
    assert {world.met_s >= each.stamp_s + ARENA.latency_s for each in aerial} == {True}
    near = [each for each in seen if each.source == "onboard" and each.entity == world.ids[0]]
    assert near
    assert near[-1].pose[:2] == pytest.approx(world.floor.spot(0), abs=0.03)


def test_truth_is_kept_for_replay_alone() -> None:
    world = arena()
    holding(world)

    states = {each["entity"]: each["state"] for each in world.truth(world.met_s)}
    assert states[world.ids[0]] == "held"
    assert {each["state"] for each in world.truth(0.0)} == {"floor"}
    assert not any(each.source == "truth" for each in world.observe())
    assert any(each.source == "truth" for each in ArenaWorld(ARENA, 1, emits_truth=True).observe())


def test_what_it_says_of_itself_keeps_the_contract_through_the_bridge() -> None:
    bridge = Bridge(PacedWorld(arena(), 0.1), MemoryLedger(), lambda: 0.0)
    runner = Runner(bridge)
    hello = runner.send("hello", epoch=1, contract=contract.CONTRACT_VERSION)

    assert (hello["world"], hello["total"], hello["budget_s"]) == ("arena", 6, 600.0)
    assert len(hello["site"]["map"]["occupied"]) == 3
    telemetry = bridge.telemetry()
    contract.check_report(telemetry)
    assert telemetry["robots"][0]["arm"]["opening_m"] == pytest.approx(0.095, abs=0.005)
    outcome = wire.outcome("d1", run(arena(), Step("explore", {"cell": [3, 3]})))
    contract.check_report({"report": 1, "kind": "outcome", "met_s": 1.0, "outcome": outcome})
    assert outcome["measured"]["opening_m"] == pytest.approx(0.095, abs=0.005)


@pytest.mark.parametrize(
    "goal", [None, Pose(math.nan, 0.0), Pose(0.0, math.inf), Pose(0.0, 0.0, 0.0, "odom")]
)
def test_no_step_without_the_believed_place(goal: Pose | None) -> None:
    world = arena()

    refusal = world.check(Step("approach", {"target": world.ids[0]}, goal))

    assert refusal is not None
    assert (refusal.code, refusal.field) == ("no_goal", "step.goal")


def test_pictures_show_the_action_from_before_to_its_end() -> None:
    world = arena()
    frames = run(world, step(world, "navigate", 0, ("overhead", "front"))).frames

    for camera in ("overhead", "front"):
        seen = [frame for frame in frames if frame.camera == camera]
        assert 2 <= len(seen) <= 17
        steps = [frame.step for frame in seen]
        assert steps[0] == 0
        assert steps == sorted(set(steps)), "one picture a step"
        assert {later - earlier for earlier, later in pairwise(steps[:-1])} == {EVERY_STEPS}
        assert steps[-1] == round(world.met_s / STEP_S)
        assert seen[0].png != seen[-1].png
        assert all(frame.png.startswith(b"\x89PNG") for frame in seen)
    assert frames[0].png != frames[1].png, "each camera its own view"


def test_of_the_drone_nothing_is_heard_once_its_tape_has_ended() -> None:
    world = ArenaWorld(replace(ARENA, budget_s=1), 1)
    flying = [each["name"] for each in world.telemetry()]
    while world.met_s < 1:
        world.advance()

    assert flying == ["rover", "drone"]
    assert [each["name"] for each in world.telemetry()] == ["rover"]


def test_a_world_that_does_not_exist_says_which_do() -> None:
    with pytest.raises(ValueError, match=r"scenario arena-9 is unknown. Choose one of arena-6."):
        make_world(WorldOptions(world="arena", scenario="arena-9"))
