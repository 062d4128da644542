"""What the ROS side makes of what it hears: frames, stamps, standstill, detections, maps, pictures. Pure."""

import io
import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Message
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from robot_bridge.grid.layout import NOWHERE
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.tape import draw
from robot_bridge.ros.child.detections import Unusable, seen_in
from robot_bridge.ros.child.geometry import (
    FrameUnknown,
    TransformTree,
    compose,
    inverse,
    quaternion_of,
    transform_of,
    yaw_of,
)
from robot_bridge.ros.child.handshake import Published
from robot_bridge.ros.child.kinds import TypeMissing, split_action
from robot_bridge.ros.child.stamps import Stamps, Unfit
from robot_bridge.ros.child.standstill import Standstill
from robot_bridge.ros.child.troubles import Troubles
from robot_bridge.ros.child.watch import unlike
from robot_bridge.ros.pictures import PictureError, png_of
from robot_bridge.ros.places import RosPlace
from robot_bridge.ros.sim import vision
from robot_bridge.ros.sim.body import Body
from robot_bridge.ros.sim.motion import Point, follow, stand_off
from robot_bridge.ros.sim.occupancy import occupancy, origin_m, side_of
from robot_bridge.ros.sim.scene import MAP_CELLS, Scene, read_scene
from robot_bridge.ros.sim.simulation import Simulation
from robot_bridge.ros.sitemap import MapError, Occupancy, site_map

TIMES = {"future_s": 0.5, "jump_s": 1.0}


def at(x: float, y: float, yaw: float = 0.0) -> Any:
    return (x, y, 0.0), quaternion_of(yaw)


def pose_message(x: float, y: float, yaw: float = 0.0) -> Message:
    turn = quaternion_of(yaw)
    return Message(
        position=Message(x=x, y=y, z=0.0), orientation=Message(x=turn[0], y=turn[1], z=turn[2], w=turn[3])
    )


class TestFrames:
    @given(st.floats(-9, 9), st.floats(-9, 9), st.floats(-3, 3))
    def test_there_and_back_is_nowhere(self, x: float, y: float, yaw: float) -> None:
        (px, py, _), turn = compose(at(x, y, yaw), inverse(at(x, y, yaw)))

        assert (px, py, yaw_of(turn)) == pytest.approx((0, 0, 0), abs=1e-9)

    def test_the_map_is_reached_through_odometry(self) -> None:
        tree = TransformTree()
        tree.put("map", "odom", at(1.0, 0.0, math.pi / 2), 10.0)
        tree.put("odom", "base_link", at(2.0, 0.0), 12.0)
        tree.put("/base_link", "/camera", at(0.5, 0.0), None)

        placed = tree.lookup("map", "camera")

        (x, y, _), turn = placed.transform
        assert (x, y, yaw_of(turn)) == pytest.approx((1.0, 2.5, math.pi / 2))
        assert placed.stamp_s == 10.0  # the oldest that moves

    def test_siblings_are_placed_by_their_common_ancestor(self) -> None:
        tree = TransformTree()
        tree.put("map", "a", at(1.0, 1.0), 1.0)
        tree.put("map", "b", at(3.0, 1.0), 1.0)

        assert tree.lookup("a", "b").transform[0] == pytest.approx((2.0, 0.0, 0.0))

    def test_a_frame_that_hangs_nowhere_is_named(self) -> None:
        with pytest.raises(FrameUnknown, match="No transform leads from frame gripper to map"):
            TransformTree().lookup("map", "gripper")

    def test_a_loop_of_frames_ends(self) -> None:
        tree = TransformTree()
        tree.put("a", "b", at(1, 0), 1.0)
        tree.put("b", "a", at(1, 0), 1.0)

        with pytest.raises(FrameUnknown):
            tree.lookup("map", "a")

    @pytest.mark.parametrize("pose", [pose_message(math.nan, 0.0), pose_message(math.inf, 1.0)])
    def test_what_is_not_finite_is_no_pose(self, pose: Message) -> None:
        with pytest.raises(ValueError, match="NaN or infinity"):
            transform_of(pose)


class TestStamps:
    def stamps(self, rate: float = 1.0) -> tuple[Stamps, dict[str, float], Troubles]:
        clock, troubles = {"ros": 100.0}, Troubles()
        return Stamps(TIMES, rate, troubles, lambda: clock["ros"]), clock, troubles

    @pytest.mark.parametrize(
        ("stamp_s", "told"),
        [(101.0, "1.0 s in the future"), (90.0, "10.0 s old, more than 5 s"), (99.0, ""), (0.0, "")],
    )
    def test_a_stamp_is_believed_or_refused_with_the_reason(self, stamp_s: float, told: str) -> None:
        stamps, _, _ = self.stamps()
        stamps.tick(1.0)

        if told:
            with pytest.raises(Unfit, match=told):
                stamps.age_of(stamp_s, old_s=5.0)
        else:
            assert stamps.age_of(stamp_s, old_s=5.0).age_s == (1.0 if stamp_s else 0.0)

    @pytest.mark.parametrize(("step_s", "jumped"), [(0.1, False), (-2.0, True), (60.0, True), (0.9, False)])
    def test_a_jump_of_the_clock_is_noticed_and_nothing_is_believed_for_a_moment(
        self, step_s: float, jumped: bool
    ) -> None:
        stamps, clock, troubles = self.stamps()
        stamps.tick(1.0)
        clock["ros"] += step_s

        assert stamps.tick(1.1) is jumped

        assert bool(troubles.now(1.1)) is jumped
        if jumped:
            with pytest.raises(Unfit, match="jumped a moment ago"):
                stamps.age_of(clock["ros"], old_s=None)
            stamps.tick(2.3)
        assert stamps.age_of(0.0, old_s=None).age_s == 0.0

    def test_a_simulation_that_hurries_does_not_jump(self) -> None:
        stamps, clock, _ = self.stamps(rate=10.0)
        stamps.tick(1.0)
        clock["ros"] += 1.0

        assert not stamps.tick(1.1)

    def test_a_clock_that_stands_still_is_told(self) -> None:
        stamps, _, troubles = self.stamps()
        stamps.tick(1.0)

        stamps.tick(2.5)

        assert troubles.now(2.5) == ["ROS's clock stands still: nothing publishes /clock."]


class TestStandstill:
    def heard(self, *readings: tuple[float, float]) -> Standstill:
        still = Standstill(0.02, 0.05)
        for now_s, speed_m_s in readings:
            still.hear(speed_m_s, 0.0, now_s)
        return still

    @pytest.mark.parametrize(
        ("readings", "now_s", "stands"),
        [
            ([], 1.0, False),
            ([(0.0, 0.0)], 0.1, False),
            ([(0.0, 0.0), (0.2, 0.01), (0.4, 0.0)], 0.4, True),
            ([(0.0, 0.0), (0.2, 0.5), (0.4, 0.0)], 0.45, False),
            ([(0.0, 0.0), (0.2, 0.0), (0.4, 0.0)], 2.0, False),
            ([(0.0, 0.0), (3.0, 0.0)], 3.1, False),
        ],
        ids=["nothing heard", "too short", "still", "moved meanwhile", "stale", "a gap says nothing"],
    )
    def test_it_is_measured_never_assumed(
        self, readings: list[tuple[float, float]], now_s: float, stands: bool
    ) -> None:
        assert self.heard(*readings).is_still(now_s) is stands

    def test_a_robot_without_a_speed_is_judged_by_its_pose(self) -> None:
        still = Standstill(0.02, 0.05)
        for tick in range(12):
            still.hear_pose(1.0 if tick > 3 else tick * 0.1, 0.0, 0.0, tick * 0.1)

        assert still.is_still(1.15)


SOURCE = {"cls": "object", "confidence": 0.5, "classes": {"7": "can"}}


def header(frame: str = "map", stamp_s: float = 5.0) -> Message:
    return Message(frame_id=frame, stamp=Message(to_sec=lambda: stamp_s))


JSON_OF = '{{"detections": [{}]}}'.format


class TestDetections:
    def test_json(self) -> None:
        body = {
            "frame_id": "odom",
            "stamp_s": 3.0,
            "detections": [{"id": "can_1", "cls": "7", "x_m": 1, "y_m": 2}],
        }

        (seen,) = seen_in(Message(data=json.dumps(body)), "json", SOURCE)

        assert (seen.entity, seen.cls, seen.confidence, seen.frame, seen.stamp_s) == (
            "can_1",
            "can",
            0.5,
            "odom",
            3.0,
        )

    def test_a_pose_array_has_the_file_s_class(self) -> None:
        message = Message(header=header("camera"), poses=[pose_message(1, 2), pose_message(3, 4)])

        assert [each.cls for each in seen_in(message, "pose_array", SOURCE)] == ["object", "object"]

    @pytest.mark.parametrize("is_new", [False, True], ids=["Noetic's vision_msgs", "the newer layout"])
    def test_vision_msgs_by_their_fields(self, is_new: bool) -> None:
        pose = Message(pose=pose_message(1.0, 0.0))
        weak, strong = Message(id=3, score=0.2, pose=pose), Message(id=7, score=0.9, pose=pose)
        if is_new:
            weak = Message(hypothesis=Message(class_id="3", score=0.2), pose=pose)
            strong = Message(hypothesis=Message(class_id="7", score=0.9), pose=pose)
        message = Message(header=header(), detections=[Message(header=header(), results=[weak, strong])])

        (seen,) = seen_in(message, "vision", SOURCE)

        assert (seen.entity, seen.cls, seen.confidence) == (None, "can", 0.9)

    @pytest.mark.parametrize(
        "data",
        ["", "[]", "{}", JSON_OF("{}"), JSON_OF('{"x_m": NaN, "y_m": 0}'), '{"detections": 3}',
         JSON_OF('{"x_m": "a", "y_m": 0}'), JSON_OF('{"x_m": 1e999, "y_m": 0}'), "[" * 5000],
    )  # fmt: skip
    def test_what_is_no_detection_is_refused(self, data: str) -> None:
        with pytest.raises(Unusable, match="is not the JSON of a detector"):
            seen_in(Message(data=data), "json", SOURCE)

    def test_far_too_many_are_a_defect_of_the_detector(self) -> None:
        message = Message(header=header(), poses=[pose_message(0, 0)] * 501)

        with pytest.raises(Unusable, match="501 detections"):
            seen_in(message, "pose_array", SOURCE)


class TestMap:
    def test_cells_are_blocked_where_enough_of_them_is(self) -> None:
        percent = np.zeros((10, 10), np.int8)
        percent[0:5, 5:10] = 100  # the cell right of the first
        percent[7, 2] = 100  # a table's leg

        made = site_map(Occupancy(percent, 0.1, -0.25, -0.25), 0.5)

        assert (made["width"], made["height"], made["occupied"]) == (2, 2, [[1, 0]])

    def test_a_map_that_is_turned_is_turned_back(self) -> None:
        percent = np.zeros((5, 10), np.int8)
        percent[:, 5:] = 100

        made = site_map(Occupancy(percent, 0.1, 0.25, -0.25, math.pi / 2), 0.5)

        assert made["occupied"] == [[0, 1]]

    @pytest.mark.parametrize(
        ("percent", "cell_m", "told"),
        [(np.full((4, 4), -1, np.int8), 0.1, "Nothing of the map is known"),
         (np.zeros((4, 4), np.int8), 200.0, "would have 1201 × 1201 cells. Give a larger site.cell_m")],
    )  # fmt: skip
    def test_a_map_that_cannot_be_shown_is_told(self, percent: Any, cell_m: float, told: str) -> None:
        with pytest.raises(MapError, match=told):
            site_map(Occupancy(percent, cell_m, 0.0, 0.0), 0.5)


def picture(encoding: str, width: int, height: int, step: int) -> dict[str, Any]:
    return {"camera": "front", "encoding": encoding, "width": width, "height": height, "step": step}


class TestPictures:
    @pytest.mark.parametrize(
        ("encoding", "blob", "pixel"),
        [("rgb8", b"\1\2\3\0", (1, 2, 3)), ("bgr8", b"\1\2\3\0", (3, 2, 1)), ("mono8", b"\x09\0\0\0", 9)],
    )  # fmt: skip
    def test_raw(self, encoding: str, blob: bytes, pixel: Any) -> None:
        made = Image.open(io.BytesIO(png_of(picture(encoding, 1, 1, 4), blob)))

        assert made.getpixel((0, 0)) == pixel

    def test_depth_is_shaded_and_what_has_none_is_black(self) -> None:
        depth = np.array([[1.0, 2.0], [np.nan, 0.0]], np.float32)

        made = Image.open(io.BytesIO(png_of(picture("32FC1", 2, 2, 8), depth.tobytes())))

        assert made.getpixel((0, 0)) > made.getpixel((1, 0)) > made.getpixel((0, 1)) == 0

    def test_a_large_one_is_made_small(self) -> None:
        made = Image.open(io.BytesIO(png_of(picture("mono8", 2000, 1000, 2000), bytes(2_000_000))))

        assert made.size == (512, 256)

    @pytest.mark.parametrize(
        ("encoding", "blob"),
        [("rgb8", b""), ("rgb8", b"123"), ("yuv422", b"1234"), ("compressed", b"GIF89a")],
    )
    def test_what_is_no_picture_is_refused(self, encoding: str, blob: bytes) -> None:
        with pytest.raises(PictureError):
            png_of(picture(encoding, 2, 2, 6), blob)


def scene_of() -> Scene:
    scenario = SCENARIOS["reveal-5"]
    return Scene(scenario, draw(scenario, 7), 1.0, "", 1.0, (30.0, 60.0))


class TestSimulation:
    @pytest.mark.parametrize("light", [1.0, 0.6])
    def test_the_wrist_camera_places_what_it_sees(self, light: float) -> None:
        there = [vision.Thing("can", 0.35, 0.02), vision.Thing("bottle", 0.6, -0.2)]

        found = vision.find(*vision.draw(there, light))

        assert sorted(each.cls for each in found) == ["bottle", "can"]
        for thing in found:
            wanted = next(each for each in there if each.cls == thing.cls)
            assert (thing.ahead_m, thing.left_m) == pytest.approx((wanted.ahead_m, wanted.left_m), abs=0.02)

    @pytest.mark.parametrize("light", [1.0, 0.6, 0.28, 0.2, 0.0])
    def test_what_is_too_dim_to_be_told_apart_is_said_to_be_dark(self, light: float) -> None:
        there = [vision.Thing("can", 0.35, 0.02), vision.Thing("bottle", 0.6, -0.2)]
        picture, depth = vision.draw(there, light)

        assert len(vision.find(picture, depth)) == (2 if vision.is_bright(picture) else 0)

    @pytest.mark.parametrize(
        ("at", "station"),
        [(Point(4.15, 4.5, 0.0), 1), (Point(0.0, 0.35, -math.pi / 2), 0), (Point(4.15, 4.0, 0.0), -1)],
        ids=["before the station", "before the other", "beside the station"],
    )
    def test_what_is_let_go_is_delivered_only_on_a_station(self, at: Point, station: int) -> None:
        body = Body(scene_of())
        sim_s = itertools.count(1.0)
        cell = body.floor.cells[0]
        body.at = stand_off(*body.scene.centre(cell), 0.0)
        for position in (1.0, 0.0, 1.0):
            body.at = at if body.held else body.at
            body.grip(position, body.floor.ids[0])
            for _ in range(3):
                body.move(next(sim_s), 0.0)

        assert body.floor.delivered_to[0] == station
        assert (body.floor.cells[0] == NOWHERE) is (station >= 0)

    @pytest.mark.parametrize(("met_s", "cut"), [(29.9, False), (30.0, True), (59.9, True), (60.0, False)])
    def test_the_drone_s_link_is_cut_for_a_while(self, met_s: float, cut: bool) -> None:
        assert scene_of().is_drone_cut(met_s) is cut

    def test_a_scene_is_read_as_it_was_written(self, tmp_path: Path, ros_place: RosPlace) -> None:
        Simulation(tmp_path, seed=3, obstacles=25, light=0.4, drone_cut_s=(30.0, 60.0), place=ros_place)
        scene = read_scene(str(tmp_path / "scene.json"))

        assert (len(scene.obstacles), scene.light, scene.drone_cut_s) == (25, 0.4, (30.0, 60.0))
        assert scene.scenario == replace(SCENARIOS["reveal-5"], obstacles=25)
        assert scene.floor().cells

    def test_the_floor_as_a_laser_maps_it_is_the_floor(self) -> None:
        scene = scene_of()
        side = side_of(scene)
        percent = np.array(occupancy(scene), np.int8).reshape(side, side)
        found = site_map(Occupancy(percent, scene.cell_m / MAP_CELLS, *[origin_m(scene)] * 2), scene.cell_m)

        assert (found["width"], found["height"], "first" in found) == (scene.size, scene.size, False)
        assert {(x, y) for x, y in found["occupied"]} == scene.obstacles
        assert (percent == -1).sum() > 1000

    def test_a_path_is_followed_at_one_cell_a_second(self) -> None:
        there, left = follow(Point(0, 0, 0), [Point(0.5, 0, 0), Point(0.5, 0.5, math.pi / 2)], 1.5)

        assert (there.x_m, there.y_m, len(left)) == (pytest.approx(0.5), pytest.approx(0.25), 1)

    def test_the_stand_off_leaves_the_place_ahead(self) -> None:
        assert stand_off(1.0, 1.0, 0.0) == Point(pytest.approx(0.65), 1.0, 0.0)


def test_an_action_has_three_parts() -> None:
    assert split_action("int32 a\n---\n---\nstring b\n") == ["int32 a", "", "string b"]
    with pytest.raises(TypeMissing, match="three parts"):
        split_action("int32 a\n---\n")


ALIKE = [
    ("a/B", Published("a/B", "1"), "1", ""),
    ("a/B", Published("a/B", "1"), "2", "by another definition than is installed here"),
    ("a/B", Published("a/C", "1"), "1", "/t is a/C, and the robot's file says a/B"),
    ("a/B", Published("a/B", "1"), "*", ""),
    ("a/B", Published("a/B", "*"), "2", ""),
    ("a/B", Published("*", "*"), "2", ""),
]


@pytest.mark.parametrize(("wanted", "there", "here", "told"), ALIKE)
def test_a_type_of_another_name_or_definition_is_told(
    wanted: str, there: Published, here: str, told: str
) -> None:
    found = unlike("/t", wanted, there, lambda name: here)

    assert told in found
    assert bool(found) is bool(told)
