"""The stepped grid world: what happens in a step, in which order, and how each skill ends."""

from typing import Any

import pytest

from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from robot_bridge.world import Measured, Outcome, Pose, Step
from tests.bridge.support import SMALL, digest, navigate, quiet_tape, run, small_world

GRASP = Step("grasp", {"target": "bottle_01"})
DELIVER = Step("deliver", {"object": "bottle_01", "station": "station_plastic"})
STEPS, SURVEYS = SMALL.budget, SMALL.surveys


def at(step: int, value: Any, otherwise: Any) -> list[Any]:
    return [value if each == step else otherwise for each in range(STEPS)]


def seen(world: GridWorld) -> list[tuple[str | None, str, tuple[float, float], float]]:
    return [(each.entity, each.source, each.pose[:2], each.stamp_s) for each in world.observe()]


class TestEnteringAStep:
    def test_the_drone_sees_a_container_where_the_same_step_put_it(self) -> None:
        """(1) relocation comes before (2) survey; the report arrives two steps late, stamped when it was
        sensed.
        """
        world = small_world(
            relocates=at(5, True, False),
            destinations=at(5, (3, 3), (1, 1)),
            detected=[[survey == 1, False] for survey in range(SURVEYS)],
        )
        for _ in range(6):
            assert seen(world) == []
            world.advance()

        world.advance()

        assert world.met_s == 7
        assert seen(world) == [("bottle_01", "aerial", (3.0, 3.0), 5.0)]

    def test_late_reports_come_before_the_robot_s_own_sight(self) -> None:
        """(3) before (4): with the last word the robot's, a false report of its own cell cannot stand."""
        world = small_world(
            initial_cells=[(0, 1), (3, 0)],
            detected=[[True, True]] + [[False, False]] * (SURVEYS - 1),
            is_false=[[True, False]] * SURVEYS,
            false_cells=[[(2, 2), (2, 2)]] * SURVEYS,
        )
        world.start(navigate(0, 1))
        world.advance()
        world.observe()

        world.advance()

        assert seen(world) == [
            ("bottle_01", "aerial", (2.0, 2.0), 0.0),
            ("can_02", "aerial", (3.0, 0.0), 0.0),
            ("bottle_01", "onboard", (0.0, 1.0), 2.0),
        ]

    def test_truth_comes_before_the_robot_s_own_sight_and_only_when_asked_for(self) -> None:
        quiet, telling = (small_world(emits, initial_cells=[(0, 1), (3, 0)]) for emits in (False, True))
        for world in (quiet, telling):
            run(world, navigate(0, 1))

        assert [each[:2] for each in seen(quiet)] == [("bottle_01", "onboard")]
        assert [each[:2] for each in seen(telling)[2:]] == [
            ("bottle_01", "truth"),
            ("can_02", "truth"),
            ("bottle_01", "onboard"),
        ]

    def test_each_piece_of_evidence_is_handed_out_once(self) -> None:
        world = small_world(initial_cells=[(1, 0), (3, 0)])
        run(world, navigate(1, 0))

        assert len(world.observe()) == 1
        assert world.observe() == []

    @pytest.mark.parametrize("state", ["held", "delivered"])
    def test_what_is_held_or_delivered_neither_moves_nor_is_seen(self, state: str) -> None:
        world = small_world(
            relocates=[True] * STEPS,
            destinations=[(3, 3)] * STEPS,
            detected=[[True, False]] * SURVEYS,
            initial_cells=[(1, 0), (3, 0)],
            relocated=[1] + [0] * (STEPS - 1),
        )
        world.tape.relocates[1] = False
        run(world, navigate(1, 0))
        assert run(world, GRASP).result == "succeeded"
        if state == "delivered":
            run(world, navigate(0, 0, "station_plastic"))
            run(world, DELIVER)
        world.observe()
        for _ in range(12):
            world.advance()

        assert [entity for entity, *_ in seen(world) if entity == "bottle_01"] == []
        assert {each["entity"]: each["state"] for each in world.truth(world.met_s)}["bottle_01"] == state

    def test_past_its_end_the_tape_is_quiet_and_time_goes_on(self) -> None:
        world = small_world(
            relocates=[True] * STEPS, detected=[[True, True]] * SURVEYS, pick_fails=[True] * STEPS
        )
        for _ in range(STEPS + 1):
            world.advance()
        world.observe()
        before = world.truth(world.met_s)
        x, y = before[0]["pose"]["x_m"], before[0]["pose"]["y_m"]

        run(world, navigate(int(x), int(y)))

        assert run(world, GRASP).result == "succeeded"
        assert {each.source for each in world.observe()} <= {"onboard"}
        assert world.met_s > STEPS


class TestSkills:
    @pytest.mark.parametrize(
        ("before", "step", "result", "reason", "steps"),
        [
            pytest.param([], navigate(2, 1), "succeeded", "arrived", 3, id="navigate"),
            pytest.param([], navigate(0, 0), "succeeded", "arrived", 0, id="navigate nowhere"),
            pytest.param([], navigate(9, 1), "failed", "unreachable", 0, id="navigate off the floor"),
            pytest.param([], Step("explore", {"cell": [3, 3]}), "succeeded", "arrived", 6, id="explore"),
            pytest.param(
                [], Step("approach", {"target": "can_02"}), "succeeded", "lined_up", 0, id="approach"
            ),
            pytest.param([], Step("verify", {"target": "can_02"}), "succeeded", "looked", 0, id="verify"),
            pytest.param([navigate(2, 1)], GRASP, "succeeded", "grasped", 1, id="grasp"),
            pytest.param([navigate(1, 1)], GRASP, "failed", "absent", 1, id="grasp where it is not"),
            pytest.param(
                [navigate(3, 0)], GRASP, "failed", "absent", 1, id="grasp another than the one there"
            ),
            pytest.param(
                [navigate(2, 1), GRASP],
                Step("grasp", {"target": "can_02"}),
                "failed",
                "hands_full",
                0,
                id="grasp with full hands",
            ),
            pytest.param(
                [navigate(2, 1), GRASP, navigate(0, 0)], DELIVER, "succeeded", "delivered", 1, id="deliver"
            ),
            pytest.param(
                [navigate(2, 1), GRASP], DELIVER, "failed", "not_at_station", 0, id="deliver on the way"
            ),
            pytest.param([], DELIVER, "failed", "not_holding", 0, id="deliver nothing"),
            pytest.param(
                [navigate(2, 1), GRASP, navigate(0, 0)],
                Step("deliver", {"object": "can_02", "station": "station_plastic"}),
                "failed",
                "not_holding",
                0,
                id="deliver what another hand would hold",
            ),
        ],
    )
    def test_how_it_ends_and_what_it_takes(
        self, before: list[Step], step: Step, result: str, reason: str, steps: int
    ) -> None:
        world = small_world()
        for each in before:
            run(world, each)
        started = world.t

        outcome = run(world, step)

        assert (outcome.result, outcome.reason, outcome.measured.moves) == (result, reason, steps)
        assert (outcome.started_s, outcome.ended_s) == (started, started + steps)
        assert world.t == started + steps
        assert world.executed == sum(run_steps for run_steps in [started, steps])

    @pytest.mark.parametrize(
        ("draw", "step", "reason", "held"),
        [("pick_fails", GRASP, "grasp_slipped", None), ("place_fails", DELIVER, "place_failed", "bottle_01")],
    )
    def test_the_tape_lets_a_skill_fail_at_the_step_it_is_executed_in(
        self, draw: str, step: Step, reason: str, held: str | None
    ) -> None:
        world = small_world(initial_cells=[(1, 0), (3, 0)])
        run(world, navigate(1, 0))
        if draw == "place_fails":
            run(world, GRASP)
            run(world, navigate(0, 0))
        getattr(world.tape, draw)[world.t] = True

        failed, again = run(world, step), run(world, step)

        assert (failed.result, failed.reason, failed.measured.held) == ("failed", reason, held)
        assert again.result == "succeeded"

    def test_moving_it_goes_in_x_first_and_says_where_it_was(self) -> None:
        outcome = run(small_world(), navigate(2, 1))

        assert outcome.measured.path == ((1.0, 0.0), (2.0, 0.0), (2.0, 1.0))
        assert outcome.measured.pose == Pose(2.0, 1.0, pytest.approx(1.5708, abs=1e-4), "map")
        assert outcome.message == "Arrived at (2, 1) m."

    def test_a_container_grasped_opens_no_gripper(self) -> None:
        world = small_world()
        run(world, navigate(2, 1))

        measured = run(world, GRASP).measured

        assert (measured.held, measured.gripper_open) == ("bottle_01", False)

    @pytest.mark.parametrize(("reason", "result"), [("cancelled", "cancelled"), ("stopped", "stopped")])
    def test_halting_ends_the_skill_where_the_robot_is_and_takes_no_time(
        self, reason: str, result: str
    ) -> None:
        world = small_world()
        world.start(navigate(2, 1))
        world.advance()

        outcome = world.halt(reason)

        assert outcome is not None
        assert (outcome.result, outcome.reason, outcome.ended_s) == (result, reason, 1)
        assert outcome.measured.path == ((1.0, 0.0),)
        assert world.is_still()
        assert world.halt(reason) is None

    @pytest.mark.parametrize(
        ("step", "code", "field"),
        [
            pytest.param(Step("fly", {}), "unknown_skill", "step.skill", id="unknown skill"),
            pytest.param(Step("grasp", {}), "wrong_arguments", "step.arguments", id="missing argument"),
            pytest.param(
                Step("grasp", {"target": "bottle_01", "speed": 2}),
                "wrong_arguments",
                "step.arguments",
                id="unknown argument",
            ),
            pytest.param(
                Step("grasp", {"target": "bottle_09"}),
                "unknown_name",
                "step.arguments.target",
                id="unknown entity",
            ),
            pytest.param(
                Step("grasp", {"target": ["bottle_01"]}), "unknown_name", "step.arguments.target", id="a list"
            ),
            pytest.param(
                Step("deliver", {"object": "bottle_01", "station": "bin"}),
                "unknown_name",
                "step.arguments.station",
                id="unknown station",
            ),
            pytest.param(Step("navigate", {"to": "bottle_01"}), "no_goal", "step.goal", id="no goal"),
            pytest.param(
                Step("navigate", {"to": "x"}, Pose(1, 1, 0, "odom")),
                "no_goal",
                "step.goal",
                id="another frame",
            ),
            pytest.param(
                Step("explore", {"cell": [1.5, 0]}), "wrong_cell", "step.arguments.cell", id="half a cell"
            ),
            pytest.param(
                Step("explore", {"cell": [4, 0]}),
                "wrong_cell",
                "step.arguments.cell",
                id="cell off the floor",
            ),
            pytest.param(
                Step("explore", {"cell": "3,3"}), "wrong_cell", "step.arguments.cell", id="cell as a word"
            ),
            pytest.param(
                navigate(1, 1, cameras=("wrist",)), "unknown_camera", "step.cameras", id="unknown camera"
            ),
        ],
    )
    def test_a_step_that_no_robot_here_can_take_is_refused(self, step: Step, code: str, field: str) -> None:
        refusal = small_world().check(step)

        assert refusal is not None
        assert (refusal.code, refusal.field) == (code, field)
        assert refusal.remedy


class TestTruth:
    def test_it_is_kept_by_step(self) -> None:
        world = small_world(relocates=at(2, True, False), destinations=at(2, (3, 3), (1, 1)))
        for _ in range(4):
            world.advance()
        poses = [world.truth(t)[0]["pose"] for t in (0, 1, 2, 3)]

        assert [(pose["x_m"], pose["y_m"]) for pose in poses] == [(2, 1), (2, 1), (3, 3), (3, 3)]

    def test_no_evidence_and_no_description_tells_it(self) -> None:
        world = GridWorld(
            SMALL, 0, tape=quiet_tape(relocates=at(1, True, False), destinations=at(1, (1, 2), (1, 1)))
        )
        world.advance()

        told = repr((world.observe(), world.describe(), world.telemetry(), world.measure()))

        assert "x_m=1.0, y_m=2.0" not in told
        assert "'x_m': 1.0, 'y_m': 2.0" not in told


def test_of_the_drone_nothing_is_heard_once_its_tape_has_ended() -> None:
    """Neither what it sees nor where it is: a marker that flies on would say that somebody listens to it."""
    world = GridWorld(SMALL, 0, tape=quiet_tape())
    flying = [each["name"] for each in world.telemetry()]
    while world.t < SMALL.budget:
        world.advance()

    assert flying == ["rover", "drone"]
    assert [each["name"] for each in world.telemetry()] == ["rover"]


def episode(world: GridWorld) -> list[Any]:
    """A fixed tour: to each container's initial place, grasp, and home with it. All that is seen and
    measured.
    """
    told: list[Any] = [seen_on_a_grid(world)]

    def do(step: Step) -> Outcome:
        outcome = run(world, step)
        measured = outcome._replace(measured=of_a_grid(outcome.measured))[:8]
        told.extend([measured, seen_on_a_grid(world), world.telemetry()])
        return outcome

    for index, cell in enumerate(world.tape.initial_cells):
        target, station = world.ids[index], world.tape.types[index]
        do(Step("navigate", {"to": target}, world.layout.poses[cell]))
        if do(Step("grasp", {"target": target})).result == "succeeded":
            do(Step("navigate", {"to": "station"}, world.layout.poses[world.layout.stations[station]]))
            do(Step("deliver", {"object": target, "station": world.layout.station_ids[station]}))
    return [*told, world.truth(world.met_s)]


def seen_on_a_grid(world: GridWorld) -> list[Any]:
    """Without the clock that only other robots have."""
    return [each[:-1] for each in world.observe()]


def of_a_grid(measured: Measured) -> Any:
    """Without what only other robots measure."""
    return (measured.pose, measured.held, measured.gripper_open, measured.path, measured.moves)


GOLDEN = {
    ("s-6", 0): "55caaa642add26bb",
    ("s-6", 1): "b01417ddb87291af",
    ("d-10", 0): "cb6b33e9e66d0c4a",
    ("d-10", 1): "bab449a317037c2c",
    ("dn-14", 0): "59ed2cee3a854d4a",
    ("dn-14", 1): "00354cb4ef0e0173",
    ("live-6", 0): "16bdf733107dc436",
    ("live-6", 1): "82b1e2ffc518a71d",
    ("reveal-5", 0): "ba9e4f3febdf53f0",
    ("reveal-5", 1): "1c307f57894993dd",
}


@pytest.mark.parametrize(("name", "seed"), GOLDEN, ids=str)
def test_a_seed_plays_the_episode_it_always_played(name: str, seed: int) -> None:
    assert digest(episode(GridWorld(SCENARIOS[name], seed))) == GOLDEN[name, seed]


def test_reveal_5_knows_one_container_and_settles_no_station() -> None:
    world = GridWorld(SCENARIOS["reveal-5"], 3)
    described = world.describe()

    assert [each["entity"] for each in described["initial"]] == [world.ids[0]]
    assert described["total"] == 5
    assert [station["accepts"] for station in described["site"]["stations"]] == [[], []]
    assert described["site"]["assignment"] == "at_reveal"
    assert described["site"]["map"]["cell_m"] == 0.5
    assert len(described["site"]["map"]["occupied"]) == 14


def test_reveal_5_reveals_each_container_to_the_drone_not_before_its_time() -> None:
    world = GridWorld(SCENARIOS["reveal-5"], 3)
    first: dict[str | None, float] = {}
    for _ in range(world.scenario.budget):
        for each in world.observe():
            if each.source == "aerial":
                first.setdefault(each.entity, each.stamp_s)
        world.advance()

    assert set(first) == set(world.ids)
    assert all(first[entity] >= world.tape.revealed_at[index] for index, entity in enumerate(world.ids))
