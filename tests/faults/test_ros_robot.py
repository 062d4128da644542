"""What befalls a robot and its bridge, with real processes: each time the console is told what is wrong, the
robot is stopped or goes on, nothing is lost, and it heals by itself.
"""

import itertools
import math
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import Abort
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.geometry import Pose
from backend.domain.memory.record import Source
from robot_bridge.ledger import MemoryLedger
from robot_bridge.ros.bag.reading import open_bag
from robot_bridge.ros.bag.recording import Kept, record, topics_of
from robot_bridge.ros.bag.writing import bag_writer
from robot_bridge.ros.config import Camera, Detections, Skill, Until, read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.places import RosPlace
from robot_bridge.ros.process import Child
from robot_bridge.ros.sim.simulation import Simulation, free_port
from robot_bridge.ros.wiring import child_configuration, ros_environment
from robot_bridge.ros.world import RosWorld
from robot_bridge.world import NotReady, Step
from tests.faults.scene import Scene, mission_at
from tests.support.ros import PATIENCE_S, RATE, Mouth, RosRig, end, explore

FAR = (explore(3, 9), explore(7, 0))


OTHER_WAYS = {
    "wave": Skill(service="/test/wave", type="std_srvs/Trigger", description="Wave.", timeout_s=1.5),
    **{
        name: Skill(
            topic="/gripper/command",
            type="std_msgs/String",
            goal={"data": f'{{"position": {position}}}'},
            until=Until(joint="gripper_servo", least=least, most=most),
            description="Move the fingers.",
        )
        for name, position, least, most in (("shut", 0.0, 0.0, 0.1), ("open", 1.0, 0.9, 1.0))
    },
}
"""Skills that are a service's and a topic's."""
MISDEFINED = Skill(action="verify", type="quarterdeck_robots/Navigate")
"""The robot serves it by another definition."""


@pytest.fixture(scope="module")
def healthy(
    tmp_path_factory: pytest.TempPathFactory, simulated_robot: Simulation, ros_place: RosPlace
) -> Iterator[RosRig]:
    """The simulated rover, with two detectors and a camera more, which the tests speak for."""
    robot = read_robot(robot_file("simulated-rover", None))
    odd = Detections(topic="/test/odd", type="std_msgs/String", kind="json", source="aerial", old_s=20.0)
    vision = Detections(
        topic="/test/vision",
        type="vision_msgs/Detection3DArray",
        kind="vision",
        source="onboard",
        classes={"7": "can"},
        old_s=60.0,
    )
    robot = replace(
        robot,
        detections={**robot.detections, "odd": odd, "vision": vision},
        cameras={**robot.cameras, "big": Camera(topic="/test/big")},
        skills={**robot.skills, **OTHER_WAYS, "verify": MISDEFINED},
        times=replace(robot.times, lost_s=1.0, server_wait_s=1.0),
    )
    rig = RosRig(tmp_path_factory.mktemp("faults"), simulated_robot, robot, ros_place)
    try:
        yield rig
    finally:
        rig.close()


@pytest.fixture
def rig(healthy: RosRig) -> Iterator[RosRig]:
    """The robot, heard and standing, before a ledger of the test's own; and again so afterwards."""
    healthy.begin(MemoryLedger())
    healthy.hello()
    yield healthy
    healthy.settle()


def a_long_way(rig: RosRig) -> Step:
    pose = rig.world.measure().pose
    return max(FAR, key=lambda step: abs(step.goal.x_m - pose.x_m) + abs(step.goal.y_m - pose.y_m))


def under_way(rig: RosRig) -> None:
    assert rig.runner.submit("d1", a_long_way(rig))["state"] == "running"
    rig.until(rig.is_moving, "it moves")


def stood_since(rig: RosRig, outcome: dict[str, Any]) -> None:
    """It has not moved since its end was told. Here that takes a moment to be measured anew."""
    rig.until(rig.world.is_still, "it stands")
    told, now = outcome["measured"]["pose"], rig.world.measure().pose
    assert math.dist((told["x_m"], told["y_m"]), (now.x_m, now.y_m)) < 0.02


def goes_again(rig: RosRig) -> None:
    """Healed: a step sent now ends where it was to go."""
    for attempt in range(20):  # a server that comes back takes a moment to be found
        rig.until(lambda: rig.world.check(a_long_way(rig)) is None, "steps can be taken")
        rig.runner.submit(f"again{attempt}", a_long_way(rig))
        outcome = rig.outcome(f"again{attempt}")
        if outcome["result"] != "not_executed":
            break
    assert outcome["result"] == "succeeded", outcome


def test_what_the_running_skill_says_of_itself_is_shown_while_it_runs(rig: RosRig) -> None:
    under_way(rig)

    rig.until(lambda: rig.world.telemetry()[0]["progress"] == "driving", "its feedback is heard")
    rig.outcome("d1")
    assert rig.world.telemetry()[0]["progress"] == ""


def test_a_ros_side_that_is_killed_is_started_again_and_stops_the_robot_first(rig: RosRig) -> None:
    under_way(rig)

    end(rig.child.pid, signal.SIGKILL)

    assert "No ROS" in rig.trouble("No ROS")
    outcome = rig.outcome("d1")
    assert (outcome["result"], outcome["reason"]) == ("failed", "connection_lost")
    stood_since(rig, outcome)
    goes_again(rig)


def test_a_ros_side_that_is_frozen_is_given_up_and_started_again(rig: RosRig) -> None:
    under_way(rig)
    frozen = rig.child.pid

    end(frozen, signal.SIGSTOP)

    rig.trouble("silent for")
    assert rig.outcome("d1")["reason"] in ("connection_lost", "arrived")
    assert rig.child.pid != frozen
    goes_again(rig)


def test_a_pipe_cut_in_mid_frame_stops_the_robot(rig: RosRig) -> None:
    under_way(rig)
    process = rig.child._process
    assert process is not None
    assert process.stdin is not None

    process.stdin.write(b"QDR1\x00\x00\x00\x40")
    process.stdin.close()

    rig.trouble("No ROS")
    outcome = rig.outcome("d1")
    assert outcome["reason"] == "connection_lost"
    stood_since(rig, outcome)
    goes_again(rig)


def test_the_ros_side_stops_the_robot_of_a_parent_that_says_nothing(rig: RosRig) -> None:
    """Nobody ticks here for a while: what happens then, the child does alone."""
    rig.runner.submit("d1", a_long_way(rig))
    rig.until(rig.is_moving, "it moves")
    rig.simulation.signal("skills", signal.SIGSTOP)  # else it arrives before the two seconds are over
    try:
        time.sleep(2.6)
    finally:
        rig.simulation.signal("skills", signal.SIGCONT)

    outcome = rig.outcome("d1")

    assert outcome["result"] in ("stopped", "cancelled", "failed")
    rig.until(rig.world.is_still, "it stands")
    for stop in rig.hello()["latched"]:
        rig.runner.send("release", epoch=1, stop_id=stop)
    goes_again(rig)


def test_an_action_server_killed_in_mid_goal_is_noticed_by_its_status(rig: RosRig) -> None:
    under_way(rig)

    rig.simulation.kill("skills")

    outcome = rig.outcome("d1")
    assert (outcome["result"], outcome["reason"]) == ("failed", "server_lost")
    assert "told no status" in outcome["message"]
    stood_since(rig, outcome)
    refused = rig.runner.submit("d2", a_long_way(rig))
    assert refused["state"] == "running"
    outcome = rig.outcome("d2")
    assert (outcome["result"], outcome["reason"]) == ("not_executed", "refused")
    assert "Nothing serves /navigate" in outcome["message"]
    rig.simulation.start_node("skills")
    goes_again(rig)


def test_a_robot_that_another_bridge_takes_is_given_up_and_taken_again_once_that_is_gone(
    rig: RosRig, ros_place: RosPlace
) -> None:
    under_way(rig)

    with Mouth(rig.simulation, ros_place, "usurper"):
        assert "node /quarterdeck_rover" in rig.trouble("another bridge commands this robot already")
        assert rig.runner.of_kind("outcome") == []

    outcome = rig.outcome("d1")
    assert (outcome["result"], outcome["reason"]) == ("failed", "connection_lost")
    goes_again(rig)


def test_a_service_is_a_skill_as_well(rig: RosRig, ros_place: RosPlace) -> None:
    """It waves, says that it cannot, says nothing any more, and is gone."""
    told = []
    with Mouth(rig.simulation, ros_place, "wave"):
        for number in range(3):
            rig.runner.submit(f"w{number}", Step("wave", {}))
            outcome = rig.outcome(f"w{number}")
            told.append((outcome["result"], outcome["reason"], outcome["message"].partition(" for ")[0]))
    rig.runner.submit("w3", Step("wave", {}))
    gone = rig.outcome("w3")

    assert told == [
        ("succeeded", "done", "Waved."),
        ("failed", "failed", "The arm is folded."),
        ("failed", "server_lost", "Service /test/wave has not answered"),
    ]
    assert (gone["result"], gone["reason"]) == ("not_executed", "refused")
    assert "Nothing serves /test/wave" in gone["message"]


def test_an_action_of_another_definition_is_told_apart_from_one_that_is_away(rig: RosRig) -> None:
    rig.runner.submit("d1", Step("verify", {"target": "can_01"}))
    outcome = rig.outcome("d1")

    assert outcome["result"] == "not_executed"
    assert "/verify tells its status and takes no goal from here" in outcome["message"]


def test_a_topic_is_a_skill_once_something_measures_that_it_is_done(rig: RosRig) -> None:
    for name in ("shut", "open"):
        rig.runner.submit(name, Step(name, {}))
        outcome = rig.outcome(name)

        assert outcome["result"] == "succeeded", outcome["message"]
        assert outcome["measured"]["gripper_open"] is (name == "open")


def test_a_frozen_robot_is_told_and_no_standstill_is_claimed_of_it(rig: RosRig) -> None:
    under_way(rig)

    rig.simulation.signal("base", signal.SIGSTOP)
    frozen_s = time.monotonic()
    try:
        told = rig.trouble("silent")
        took_s = time.monotonic() - frozen_s
        reply = rig.runner.send("stop", stop_id="s1", actor="operator:ada")
        rig.pass_time(1.0)
        unconfirmed = not rig.runner.of_kind("stopped")
    finally:
        rig.simulation.signal("base", signal.SIGCONT)

    assert "The robot is silent for" in told
    assert took_s < 30.0
    assert reply["latched"]
    assert not reply["standstill"]
    assert unconfirmed
    rig.until(lambda: rig.runner.of_kind("stopped"), "standstill is measured at last")
    assert rig.outcome("d1")["result"] in ("stopped", "failed", "succeeded")
    rig.runner.send("release", epoch=1, stop_id="s1")
    goes_again(rig)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("nan", "odd was refused: is not the JSON of a detector"),
        ("frame", "No transform leads from frame nowhere to map"),
        ("future", "in the future; synchronise the clocks"),
        ("type", "/test/odd is std_msgs/Int32, and the robot's file says std_msgs/String"),
        ("redefined", "/test/odd is std_msgs/String by another definition than is installed here"),
    ],
)
def test_detections_that_cannot_be_believed_are_refused_with_the_reason(
    rig: RosRig, ros_place: RosPlace, what: str, told: str
) -> None:
    with Mouth(rig.simulation, ros_place, what):
        rig.trouble(told)

    assert [each for each in rig.runner.of_kind("evidence") if each["evidence"]["sensed_by"] == "odd"] == []


def test_a_flood_of_detections_is_thinned_and_told(rig: RosRig, ros_place: RosPlace) -> None:
    with Mouth(rig.simulation, ros_place, "flood"):
        told = rig.trouble("messages a second")
        before = len(rig.runner.of_kind("evidence"))
        rig.pass_time(1.0)
        came = [each["evidence"] for each in rig.runner.of_kind("evidence")[before:]]

    rig.trouble("detections odd: nothing on /test/odd for")  # it was killed, and is registered still
    assert "detections odd" in told
    assert 1 <= len([each for each in came if each["sensed_by"] == "odd"]) <= 20
    rig.runner.submit("d1", a_long_way(rig))
    assert rig.outcome("d1")["result"] == "succeeded"


def test_types_that_are_not_installed_are_decoded_by_what_their_sender_says(
    rig: RosRig, ros_place: RosPlace
) -> None:
    with Mouth(rig.simulation, ros_place, "vision"):

        def seen() -> dict | None:
            found = [each["evidence"] for each in rig.runner.of_kind("evidence")]
            return next((each for each in found if each["sensed_by"] == "vision"), None)

        evidence = rig.until(seen, "it is seen")

    at = rig.world.measure().pose
    assert (evidence["cls"], evidence["confidence"], evidence["source"]) == ("can", 0.75, "onboard")
    away_m = ((evidence["pose"]["x_m"] - at.x_m) ** 2 + (evidence["pose"]["y_m"] - at.y_m) ** 2) ** 0.5
    assert away_m == pytest.approx(0.5, abs=0.05)
    assert evidence["pose"]["frame_id"] == "map"


def test_a_picture_of_ten_megabytes_is_taken_and_made_small(rig: RosRig, ros_place: RosPlace) -> None:
    with Mouth(rig.simulation, ros_place, "big"):
        rig.pass_time(3.0)
        rig.runner.submit("d1", a_long_way(rig)._replace(cameras=("big",)))
        frames = rig.outcome("d1")["frames"]

    assert frames
    assert all(len(frame["png_base64"]) < 500_000 for frame in frames)


def has_enough(kept: Kept) -> bool:
    return kept.messages.get("/tf", 0) >= 20 and "/map" in kept.messages


def test_its_topics_are_recorded_and_played_again(rig: RosRig, ros_place: RosPlace, tmp_path: Path) -> None:
    file = robot_file("simulated-rover", None)
    configuration = child_configuration(read_robot(file), file.parent, 1.0)
    configuration["master"] = rig.simulation.environment()["ROS_MASTER_URI"]
    topics = topics_of(configuration, with_cameras=False)
    path = tmp_path / "drive.mcap"
    with bag_writer(path, {}) as writer:
        kept = record(ros_place, configuration, topics, rig.simulation.environment(), writer, has_enough)

    bag = open_bag(path)
    assert kept.ended == ""
    assert kept.messages["/tf"] >= 20
    assert abs(kept.utc_s - time.time()) < 600
    assert bag.topics["/map"] == "nav_msgs/OccupancyGrid"
    assert abs(bag.begins_s - kept.ros_s) < 60.0, "it is at another time than ROS's"
    assert [each.problem for each in bag.read(set(bag.topics))] == [""] * sum(kept.messages.values())


class Driver:
    """Somebody else at the robot's helm: drives it to and fro by goals of their own."""

    def __init__(self, rig: RosRig) -> None:
        self._rig = rig
        self._ways = itertools.count()

    def go_on(self) -> None:
        rig = self._rig
        if rig.runner.bridge.running is None:
            rig.runner.submit(f"driven{next(self._ways)}", a_long_way(rig))
        rig.runner.send("heartbeat", epoch=rig.runner.epoch)
        rig.runner.bridge.tick()
        rig.runner.listen()


WALL = (-1, -1)
"""Beyond the floor that was known when the episode began."""


def test_an_episode_in_shadow_proposes_for_a_robot_that_others_drive_and_sends_it_nothing(
    rig: RosRig, ros_place: RosPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it goes by the map that the robot makes meanwhile."""
    for name, value in rig.simulation.environment().items():
        monkeypatch.setenv(name, value)
    rover = robot_file("simulated-rover", None)
    told = rover.read_text("utf-8").replace("quarterdeck_rover", "quarterdeck_watch")
    robots = tmp_path / "home" / "ros"
    robots.mkdir(parents=True)
    (robots / "watched.yaml").write_text(
        told.replace("[actions/", f"[{rover.parent}/actions/").replace(
            " actions/Handle", f" {rover.parent}/actions/Handle"
        )
    )
    mission = mission_at("recycling-ros", clock="runs", tick_s=1.0 / RATE, approve="every-plan")
    world = replace(mission.world, scenario="watched")
    scene = Scene(tmp_path / "home", replace(mission, world=world, shadow=True))
    driver, ended = Driver(rig), False
    began: Pose | None = None
    mouths = ExitStack()

    def end_once_enough_was_seen(state: State) -> bool:
        nonlocal ended, began
        if began is None:
            mouths.enter_context(Mouth(rig.simulation, ros_place, "map"))
        at, began = state.robot.pose, began or state.robot.pose
        is_far = abs(at.x_m - began.x_m) + abs(at.y_m - began.y_m) > 2.0
        sensed = [each for each in state.memory.records.values() if each.source is Source.ONBOARD]
        approved = state.approval is not None and state.approval.status is ApprovalStatus.APPROVED
        if not ended and is_far and sensed and approved and WALL in state.site.map.occupied:
            ended = True
            scene.person.put(Abort(stop_id="over", reason="seen enough"))
        return False

    with mouths:
        scene.play(until=end_once_enough_was_seen, meanwhile=driver.go_on)

    outcomes = [each["outcome"] for each in rig.runner.of_kind("outcome")]
    assert {each["result"] for each in outcomes} <= {"succeeded"}, "its drivers were disturbed"
    assert ended
    assert of_kind(scene, e.RobotObserved)
    [mapped] = of_kind(scene, e.SiteMapped)
    opened = of_kind(scene, e.EpisodeOpened)[0].site
    assert mapped.map.width == opened.map.width + 1
    assert mapped.cells == opened.map.width + opened.map.height + 1
    assert mapped.version == opened.version
    assert of_kind(scene, e.StepDispatched) == []
    assert scene.ledger() == {}
    scene.check_the_record_is_whole()


def of_kind(scene: Scene, kind: type[Any]) -> list[Any]:
    return [each.event for each in scene.journal() if isinstance(each.event, kind)]


def test_a_clock_that_jumps_is_told(rig: RosRig) -> None:
    rig.simulation.kill("clock")
    try:
        rig.trouble("clock stands still")
    finally:
        rig.simulation.start_node("clock")

    assert "s." in rig.trouble("clock jumped by -")
    rig.hello()
    goes_again(rig)


def alone(place: RosPlace, folder: Path, port: int) -> RosWorld:
    """The bridge of a robot that is not there."""
    robot = read_robot(robot_file("simulated-rover", None))
    robot = replace(robot, ros=replace(robot.ros, master=f"http://127.0.0.1:{port}"))
    configuration = child_configuration(robot, robot_file("simulated-rover", None).parent, 1.0)
    child = Child(place, configuration, ros_environment(robot, folder), log_file=folder / "ros.log")
    return RosWorld(robot, child, time.monotonic)


def test_what_keeps_a_robot_from_being_there_at_all_is_told(ros_place: RosPlace, tmp_path: Path) -> None:
    """No master, no such interpreter, and a ROS side that ends without a word."""
    lacks = {
        "No ROS master answers at http://127.0.0.1:": ros_place,
        "it cannot be started: [Errno 2]": RosPlace("/no/such/python"),
        "it ended with code 1 and is started anew; ros.log may say why": RosPlace("/bin/false"),
    }
    worlds = {told: alone(place, tmp_path, free_port()) for told, place in lacks.items()}
    heard: dict[str, str] = {}
    until_s = time.monotonic() + PATIENCE_S
    while set(heard) != set(lacks) and time.monotonic() < until_s:
        for told, world in worlds.items():
            world.elapse(time.monotonic())
            [trouble] = world.troubles()
            if told in trouble:
                heard[told] = trouble
        time.sleep(0.01)
    for world in worlds.values():
        world.close()

    assert set(heard) == set(lacks), [world.troubles() for world in worlds.values()]
    with pytest.raises(NotReady, match="No ROS master answers"):
        worlds["No ROS master answers at http://127.0.0.1:"].describe()


def test_a_master_that_is_lost_and_a_robot_that_is_rebooted(rig: RosRig) -> None:
    """Power cut of the whole robot in mid-skill; then master and nodes come back on the same address."""
    under_way(rig)

    rig.simulation.close()

    rig.trouble("No ROS master answers at http://127.0.0.1")
    assert rig.runner.of_kind("outcome") == []
    assert not rig.world.is_still()
    rig.simulation.start_master()
    rig.trouble("nobody publishes /odom")
    rig.simulation.start_nodes()
    outcome = rig.outcome("d1")
    assert (outcome["result"], outcome["reason"]) == ("failed", "connection_lost")
    goes_again(rig)


def test_a_master_that_was_restarted_alone_is_another_one(rig: RosRig) -> None:
    under_way(rig)

    rig.simulation.kill("master")
    rig.simulation.start_master()

    rig.trouble("nobody publishes /odom")
    rig.simulation.kill("clock", "base", "skills", "drone")
    rig.simulation.start_nodes()
    assert rig.outcome("d1")["reason"] in ("connection_lost", "arrived")
    goes_again(rig)
