"""The tabletop behind the bridge: what it says of itself, how it stops, ends, and comes back."""

import weakref
from pathlib import Path
from typing import Any

import pytest

from robot_bridge import contract
from robot_bridge.bridge import Bridge
from robot_bridge.ledger import MemoryLedger
from robot_bridge.sqlite_ledger import open_ledger
from robot_bridge.tabletop.catalogue import EPISODE_STEPS
from robot_bridge.tabletop.scenarios import SCENARIOS, Scenario, scenario_named
from robot_bridge.tabletop.world import TabletopWorld
from robot_bridge.world import Step
from robot_bridge.worlds import WorldOptions, make_world
from tests.bridge.support import Runner
from tests.tabletop.support import SEED, refusal_of, run, table


def new_table(scenario: str, *, emits_truth: bool = False) -> TabletopWorld:
    return TabletopWorld(scenario_named(scenario), SEED, emits_truth)


@pytest.mark.parametrize(
    ("text", "scenario"),
    [
        ("bin-fill/easy", Scenario("bin-fill", "easy")),
        ("stop-cube/hard/delegate", Scenario("stop-cube", "hard", "delegate")),
        ("stop-cube/hard/refuse", Scenario("stop-cube", "hard", "direct", refuses=True)),
        ("stop-cube/hard/delegate/refuse", Scenario("stop-cube", "hard", "delegate", refuses=True)),
    ],
)
def test_a_scenario_is_named_by_its_text(text: str, scenario: Scenario) -> None:
    assert scenario_named(text) == scenario
    assert scenario.name == text
    assert text in SCENARIOS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("juggle/easy", "scenario juggle/easy names no task. Choose one of bin-fill,"),
        ("bin-fill/brutal", "scenario bin-fill/brutal names no difficulty. Write bin-fill/ and one of easy,"),
        ("bin-fill", "scenario bin-fill names no difficulty."),
        ("bin-fill/easy/refuse/delegate", "scenario bin-fill/easy/refuse/delegate is unknown. After the"),
    ],
)
def test_a_text_that_names_no_scenario_is_told_why(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^scenario") as refused:
        scenario_named(text)

    assert str(refused.value).startswith(message)


def test_its_clock_waits() -> None:
    with pytest.raises(ValueError, match="Write clock: waits"):
        make_world(WorldOptions(world="tabletop", scenario="bin-fill/easy", clock="runs"))

    assert make_world(WorldOptions(world="tabletop", scenario="bin-fill/easy", clock="waits")).tick_s == 0.05


def test_hello_tells_the_task_and_both_views() -> None:
    bridge = Bridge(new_table("video-unmask/easy/delegate", emits_truth=True), MemoryLedger(), lambda: 0.0)

    hello = Runner(bridge).hello()

    contract.check_reply("hello", hello)
    told = (hello["task"], hello["difficulty"], hello["executor"], hello["budget_s"], hello["total"])
    assert told == ("video-unmask", "easy", "delegate", 65.0, 0)
    assert hello["instruction"].startswith("Watch the video, then pick up the container")
    assert [skill["name"] for skill in hello["catalogue"]["skills"]] == ["locate", "wait", "delegate"]
    assert [view["camera"] for view in hello["views"]] == ["front", "wrist"]
    assert hello["subgoal"]["phrase"] == "pick up the container"
    assert (hello["tool"]["z_m"], hello["held"]) == (0.35, None)


def test_a_demonstration_is_drawn_as_it_is_asked_for() -> None:
    world = table("video-unmask/easy")
    runner = Runner(Bridge(world, MemoryLedger(), lambda: 0.0))
    total = runner.hello()["demonstration"]
    assert total == len(world.shown) > 50

    reply = runner.send("demonstration", first=total - 3, count=64)
    past = runner.send("demonstration", first=total, count=4)

    contract.check_reply("demonstration", reply)
    assert (reply["total"], [frame["step"] for frame in reply["frames"]]) == (
        total, [total - 3, total - 2, total - 1]
    )  # fmt: skip
    assert past["frames"] == []
    assert world.steps == 0


def test_a_demonstration_that_cannot_be_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    world = table("video-unmask/easy")
    runner = Runner(Bridge(world, MemoryLedger(), lambda: 0.0))
    monkeypatch.setattr(world.cameras, "problem", lambda: "cannot be seen")

    reply = runner.send("demonstration", first=0, count=1)

    assert reply["error"]["code"] == "no_renderer"
    assert runner.hello()["views"] == []


def test_a_task_without_a_demonstration_has_no_frame_of_it() -> None:
    runner = Runner(Bridge(table(), MemoryLedger(), lambda: 0.0))

    assert runner.hello()["demonstration"] == 0
    assert runner.send("demonstration", first=0, count=4)["frames"] == []


def test_the_world_stands_as_it_is_laid_out_after_the_demonstration() -> None:
    world = table("move-cube/easy")

    poses = world.physics.poses()
    for thing in world.task.layout.things:
        assert poses[thing.name][:3] == pytest.approx(thing.pose[:3], abs=1e-3)


def test_a_waypoint_that_is_not_reached_ends_the_task() -> None:
    world = table()

    outcome = run(world, "move", x_m=0.9, y_m=0.0, z_m=0.2)

    assert (outcome.result, outcome.reason) == ("not_executed", "unreachable")
    assert outcome.verdict is not None
    assert (outcome.verdict.status, outcome.verdict.reason) == ("error", "unreachable")
    assert refusal_of(world, "wait", steps=1).code == "task_over"
    assert world.steps == 0


def test_the_task_s_own_verdict_ends_the_skill_at_that_step() -> None:
    world = table("swing-xtimes/easy")
    button = world.task.layout.thing("button").pose
    run(world, "move", x_m=button.x_m, y_m=button.y_m, z_m=0.12, gripper="close")

    outcome = run(world, "move", x_m=button.x_m, y_m=button.y_m, z_m=0.039)

    assert outcome.verdict is not None
    assert (outcome.verdict.status, outcome.verdict.reason) == ("fail", "early_press")
    assert (outcome.result, outcome.reason) == ("failed", "task_fail")
    assert refusal_of(world, "wait", steps=1).code == "task_over"


def test_an_episode_ends_with_its_steps() -> None:
    world = table()

    outcome = run(world, "wait", steps=EPISODE_STEPS)

    assert outcome.verdict is not None
    assert (outcome.verdict.status, world.steps, world.met_s) == ("timeout", EPISODE_STEPS, 65.0)
    assert (outcome.result, outcome.reason) == ("failed", "task_timeout")


@pytest.mark.parametrize(("reason", "result"), [("cancelled", "cancelled"), ("stopped", "stopped")])
def test_a_stop_halts_the_arm_at_once(reason: str, result: str) -> None:
    world = table()
    world.start(Step("move", {"x_m": 0.1, "y_m": 0.2, "z_m": 0.1}))
    for _ in range(8):
        world.advance()
    assert not world.is_still()
    before = world.measure().tool

    outcome = world.halt(reason)

    assert outcome is not None
    assert (outcome.result, outcome.reason) == (result, reason)
    assert world.is_still()
    assert before is not None
    assert outcome.measured.tool == pytest.approx(before, abs=0.03)
    assert world.telemetry()[0]["doing"] == "idle"
    assert run(world, "wait", steps=1).result == "succeeded"


def outcomes_of(world: TabletopWorld) -> list[Any]:
    return [
        run(world, "move", x_m=0.0, y_m=0.1, z_m=0.1, gripper="close"),
        run(world, "locate", camera="wrist", pixel=[250, 100]),
        run(world, "sequence", moves=[{"skill": "wait", "arguments": {"steps": 3}, "check": None}]),
        world.truth(world.met_s),
    ]


def test_a_seed_and_the_same_commands_give_the_same_bytes() -> None:
    assert outcomes_of(new_table("stop-cube/easy")) == outcomes_of(table("stop-cube/easy"))


def test_a_table_that_was_put_back_goes_on_as_the_one_that_was_not() -> None:
    world, again = table("stop-cube/easy"), new_table("stop-cube/easy")
    run(world, "move", x_m=0.0, y_m=0.1, z_m=0.1)

    again.restore(world.save())

    assert again.save() == world.save()
    assert outcomes_of(again) == outcomes_of(world)


def test_a_bridge_that_comes_back_ends_what_was_running(tmp_path: Path) -> None:
    runner = Runner(Bridge(table(), open_ledger(tmp_path), lambda: 0.0))
    runner.hello()
    runner.submit("d1", Step("move", {"x_m": 0.1, "y_m": 0.2, "z_m": 0.1}))
    for _ in range(5):
        runner.send("advance", epoch=1)

    after = Runner(Bridge(new_table("bin-fill/easy"), open_ledger(tmp_path), lambda: 0.0))

    status = after.send("status", dispatch_id="d1")
    assert (status["executions"], status["outcome"]["reason"]) == (1, "restarted")
    assert after.hello()["latched"] == ["restart-1"]


def test_a_world_that_is_let_go_of_closes_its_cameras_at_once() -> None:
    """Each holds some 25 MB: an evaluation makes hundreds."""
    world = new_table("bin-fill/easy")
    run(world, "move", x_m=0.0, y_m=0.1, z_m=0.2)
    cameras = weakref.ref(world.cameras)

    del world

    assert cameras() is None


def test_another_world_s_state_is_refused() -> None:
    with pytest.raises(ValueError, match="This home holds scenario bin-fill/easy with seed 11"):
        new_table("bin-fill/hard").restore(table().save())
