"""A recording is a robot that is only watched: heard at its own time, judged as a live one, sent nothing."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rosbags.rosbag1 import Reader
from rosbags.rosbag2 import StoragePlugin

from backend.bridge.messages import evidence_in
from backend.bridge.translate import evidence_from
from backend.domain.memory.evidence import Clocks, Evidence
from robot_bridge import contract, wire
from robot_bridge.ros.bag.reading import BagError, open_bag
from robot_bridge.ros.bag.writing import Described, bag_writer
from robot_bridge.ros.config import RobotFileError, read_robot
from robot_bridge.ros.setup import ros_world
from robot_bridge.ros.world import RosWorld
from robot_bridge.world import NotReady, Step
from tests.support.bags import BEGAN_S, drive, grid, kind, robot_of, said, seen, tf, write_bag, write_rosbag2


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def world_of(folder: Path, all_said: list[Any], rate: float = 1.0, **changes: Any) -> tuple[RosWorld, Clock]:
    write_bag(folder / "drive.bag", all_said)
    clock = Clock()
    file = robot_of(folder, "drive.bag", **changes)
    world = ros_world(file, folder, rate=rate, seed=0, monotonic=clock)
    with suppress(NotReady):
        world.describe()  # it plays from the moment that somebody asks for it
    return world, clock


def play(world: RosWorld, clock: Clock, seconds: float) -> list[Any]:
    """What was observed meanwhile."""
    seen_: list[Any] = []
    for _ in range(round(seconds / 0.05)):
        world.elapse(clock.now_s)
        seen_ += world.observe()
        clock.now_s += 0.05
    return seen_


def test_it_is_heard_at_its_own_time(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path, drive())
    play(world, clock, 0.5)
    hello = world.describe()
    early = play(world, clock, 0.3)
    late = play(world, clock, 1.2)

    assert [each["entity"] for each in hello["initial"]] == ["can_01"]
    assert hello["site"]["map"]["occupied"] == [[5, 0]]
    assert early == []
    [sighting] = late
    assert (sighting.entity, sighting.source, sighting.sensed_by) == ("can_02", "aerial", "drone")
    assert sighting.stamp_s == pytest.approx(1.0, abs=0.2)
    assert world.measure().pose.x_m == pytest.approx(0.5 * world.met_s, abs=0.15)


def test_it_can_be_hurried(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path, drive(8.0), rate=4.0)
    early = play(world, clock, 0.4)
    world.describe()
    [sighting] = [*early, *play(world, clock, 1.2)]

    assert sighting.stamp_s == pytest.approx(1.0, abs=0.4)
    assert world.measure().pose.x_m > 2.0


def test_nothing_is_sent_to_it_and_a_hold_is_answered(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path, drive())
    play(world, clock, 0.5)
    world.describe()
    refusal = world.check(Step("navigate", {"to": "can_01"}, world.measure().pose))
    world.halt("stop")
    play(world, clock, 0.5)

    assert refusal is not None
    assert refusal.code == "shadow"
    assert world.is_still()


def test_its_end_is_told(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path, drive(1.0))
    play(world, clock, 3.0)

    assert "The recording is over." in " ".join(world.troubles())


BROKEN: list[Any] = [
    pytest.param(tf(float("nan"), 0.0, 0.6), "/tf was refused: holds NaN", id="NaN"),
    pytest.param(
        seen("/drone/detections", 0.6, frame="moon", x_m=1.0, y_m=1.0),
        "No transform leads from frame moon to map",
        id="a foreign frame",
    ),
    pytest.param(said("/drone/detections", "{", 0.6), "is not the JSON of a detector", id="no JSON"),
    pytest.param(
        seen("/drone/detections", 0.6, x_m=1.0, y_m=1.0, confidence=7.0), "confidence of 7", id="too sure"
    ),
    pytest.param(
        ("/battery", "sensor_msgs/BatteryState", 0.6, None),
        "the battery: /battery was recorded as",
        id="a type",
    ),
]


@pytest.mark.parametrize(("odd", "told"), BROKEN)
def test_what_is_odd_is_refused_and_told_and_the_rest_goes_on(tmp_path: Path, odd: Any, told: str) -> None:
    if odd[0] == "/battery":
        odd = ("/battery", "std_msgs/String", 0.6, kind("std_msgs/String")(data="full"))
    world, clock = world_of(tmp_path, [*drive(), odd])
    play(world, clock, 0.5)
    world.describe()
    play(world, clock, 0.4)

    assert told in " ".join(world.troubles())
    play(world, clock, 2.5)
    assert world.measure().pose.x_m > 1.0


def test_a_stamp_from_the_future_is_refused(tmp_path: Path) -> None:
    late = seen("/drone/detections", 5.0, x_m=1.0, y_m=1.0)
    world, clock = world_of(tmp_path, [*drive(), (late[0], late[1], 0.6, late[3])])
    play(world, clock, 0.5)
    world.describe()
    play(world, clock, 0.4)

    assert "in the future" in " ".join(world.troubles())


def test_a_map_that_grows_is_told_now_and_then_and_the_latest_counts(tmp_path: Path) -> None:
    grown = [grid(1.0, blocked=(5, 6)), grid(2.0, blocked=(5, 7)), grid(7.0, blocked=(5, 7)), grid(7.5, 12)]
    world, clock = world_of(tmp_path, [*drive(14.0), *grown])
    play(world, clock, 0.5)
    assert world.take_map() is None
    world.describe()
    told = []
    for _ in range(135):
        play(world, clock, 0.1)
        taken = world.take_map()
        if taken is not None:
            told.append((round(world.met_s), taken["width"], taken["occupied"]))

    first, second = told
    assert first[1:] == (10, [[5, 0], [7, 0]])
    assert second[1:] == (12, [[5, 0]])
    assert second[0] - first[0] >= 5
    assert world.describe()["site"]["map"]["width"] == 12
    assert "The map" not in " ".join(world.troubles())


ODD_MAPS: list[Any] = [
    pytest.param({"frame": "moon"}, "The map is told in frame moon, and pose.map is map.", id="a frame"),
    pytest.param({"cell_m": 0.25}, "The map has cells of 0.25 m, and had 0.5 m before.", id="a resolution"),
    pytest.param({"side": 600}, "The site would have 600 × 600 cells.", id="a size"),
]


@pytest.mark.parametrize(("odd", "told"), ODD_MAPS)
def test_a_map_that_cannot_be_used_is_told_and_the_last_counts(
    tmp_path: Path, odd: dict[str, Any], told: str
) -> None:
    world, clock = world_of(tmp_path, [*drive(8.0), grid(1.0, **odd)])
    play(world, clock, 0.5)
    hello = world.describe()
    play(world, clock, 6.5)

    assert told in " ".join(world.troubles())
    assert world.take_map() is None
    assert world.describe()["site"] == hello["site"]


def test_what_was_not_recorded_is_told(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path, [each for each in drive() if each[0] != "/map"])
    play(world, clock, 0.5)

    with pytest.raises(NotReady, match="no map has come on map yet"):
        world.describe()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-400])


def scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[40:4000] = b"\x00" * 3960
    path.write_bytes(bytes(data))


HOSTILE: list[Any] = [
    pytest.param(cut, "cannot be read", id="cut off"),
    pytest.param(scribble, "cannot be read", id="overwritten"),
    pytest.param(lambda path: path.write_bytes(b"#ROSBAG V2.0\n"), "cannot be read", id="a header alone"),
    pytest.param(lambda path: path.write_bytes(b""), "cannot be read", id="empty"),
    pytest.param(lambda path: path.unlink(), "is not there", id="no file"),
]


@pytest.mark.parametrize(("spoil", "told"), HOSTILE)
def test_a_file_that_is_none_is_told(tmp_path: Path, spoil: Callable[[Path], Any], told: str) -> None:
    path = write_bag(tmp_path / "drive.bag", drive(1.0))
    spoil(path)

    with pytest.raises(BagError, match=told):
        open_bag(path)


def test_a_recording_of_another_robot_is_told(tmp_path: Path) -> None:
    with pytest.raises(BagError, match="holds none of the topics that the robot's file names"):
        world_of(tmp_path, [said("/chatter", "hello", 0.5)])


def test_only_a_robot_in_shadow_is_a_recording(tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match="shadow is false, and nothing can be sent to a recording"):
        read_robot(robot_of(tmp_path, "drive.bag", shadow=False))


def test_how_long_it_is(tmp_path: Path) -> None:
    bag = open_bag(write_bag(tmp_path / "drive.bag", drive(2.0)))

    assert bag.begins_s == pytest.approx(BEGAN_S)
    assert bag.length_s == pytest.approx(1.9)
    assert bag.topics["/drone/detections"] == "std_msgs/String"


@pytest.mark.parametrize("ending", ["bag", "mcap"])
def test_what_is_written_undecoded_is_read_and_played_again(tmp_path: Path, ending: str) -> None:
    first = write_bag(tmp_path / "first.bag", drive(2.0))
    again = tmp_path / f"again.{ending}"
    with bag_writer(again, {"robot": "rover"}) as writer:
        for topic, name, definition, md5 in described(first):
            writer.describe(Described(topic, name, definition, md5))
        for topic, name, at_s, data in raw(first):
            writer.write(topic, name, at_s, data)

    one, other = open_bag(first), open_bag(again)
    assert other.topics == one.topics
    assert other.length_s == pytest.approx(one.length_s)
    kept = [(each.topic, each.at_s, each.problem) for each in other.read({"/tf", "/survey"})]
    assert kept == [(each.topic, pytest.approx(each.at_s), "") for each in one.read({"/tf", "/survey"})]
    world = ros_world(
        robot_of(tmp_path, again.name), tmp_path, rate=1.0, seed=0, monotonic=(clock := Clock())
    )
    with suppress(NotReady):
        world.describe()
    play(world, clock, 1.0)
    assert [each["entity"] for each in world.describe()["initial"]] == ["can_01"]


def without_definitions(folder: Path) -> None:
    """As Foxy and Galactic wrote them."""
    [database] = folder.glob("*.db3")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM message_definitions")


@pytest.mark.parametrize("storage", [StoragePlugin.SQLITE3, StoragePlugin.MCAP], ids=["sqlite", "mcap"])
def test_a_folder_of_ros_2_is_played(tmp_path: Path, storage: StoragePlugin) -> None:
    folder = write_rosbag2(tmp_path / "drive", drive(), storage)
    if storage is StoragePlugin.SQLITE3:
        without_definitions(folder)
    clock = Clock()
    world = ros_world(robot_of(tmp_path, "drive"), tmp_path, rate=1.0, seed=0, monotonic=clock)
    with suppress(NotReady):
        world.describe()
    play(world, clock, 0.5)
    hello = world.describe()
    [sighting] = play(world, clock, 1.5)

    assert [each["entity"] for each in hello["initial"]] == ["can_01"]
    assert hello["site"]["map"]["occupied"] == [[5, 0]]
    assert sighting.entity == "can_02"
    assert world.measure().pose.x_m == pytest.approx(1.0, abs=0.15)
    assert "refused" not in " ".join(world.troubles())


NAMES: list[Any] = [
    pytest.param("drive.txt", "Call it .bag or .mcap", id="another ending"),
    pytest.param("there.bag", "is there already", id="a file that is there"),
    pytest.param("no/such/place.mcap", "cannot be written", id="no folder"),
]


@pytest.mark.parametrize(("name", "told"), NAMES)
def test_where_a_recording_cannot_go_is_told(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "there.bag").touch()

    with pytest.raises(BagError, match=told):
        bag_writer(tmp_path / name, {})


def described(path: Path) -> list[tuple[str, str, str, str]]:
    with Reader(path) as reader:
        return [
            (each.topic, each.msgtype.replace("/msg/", "/"), each.msgdef.data, each.digest)
            for each in reader.connections
        ]


def raw(path: Path) -> list[tuple[str, str, float, bytes]]:
    with Reader(path) as reader:
        return [
            (each.topic, each.msgtype.replace("/msg/", "/"), at_ns / 1e9, bytes(data))
            for each, at_ns, data in reader.messages()
        ]


def test_what_is_seen_keeps_the_robot_s_time_and_utc(tmp_path: Path) -> None:
    world, clock = world_of(tmp_path, drive())
    play(world, clock, 0.5)
    world.describe()
    began_s = time.time()
    [sighting] = play(world, clock, 1.0)
    told = wire.evidence(sighting)
    contract.check_report({"report": 1, "kind": "evidence", "met_s": 1.0, "evidence": told})
    evidence = evidence_in(told)

    assert evidence == evidence_from(sighting)
    assert isinstance(evidence.clocks, Clocks)
    assert evidence.clocks.robot_s == pytest.approx(BEGAN_S + 1.0, abs=0.2)
    assert abs(evidence.clocks.utc_s - began_s) < 60.0
    assert msgspec.json.decode(msgspec.json.encode(evidence), type=Evidence) == evidence


def test_without_rosbags_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_bag(tmp_path / "drive.bag", drive(2.0))
    monkeypatch.setattr("robot_bridge.ros.bag.reading.find_spec", lambda name: None)

    with pytest.raises(BagError, match=r"Run: pip install 'quarterdeck\[bags\]'"):
        open_bag(path)
