"""Pictures, depth and calibration: exact colours, and points that come out where the things are."""

import io

import numpy as np
import pytest
from PIL import Image

from robot_bridge.tabletop.camera import Cameras
from robot_bridge.tabletop.colours import RGB
from robot_bridge.tabletop.deprojecting import at_depth, at_height, pixel_of
from robot_bridge.tabletop.pointing import pointing_at
from robot_bridge.tabletop.values import Change, Pose
from robot_bridge.world import Frame
from tests.tabletop.support import LAYOUT, Rig


@pytest.fixture(scope="module")
def rig() -> Rig:
    rig = Rig()
    rig.go(-0.15, 0.0, 0.35)
    return rig


@pytest.fixture(scope="module")
def cameras(rig: Rig) -> Cameras:
    cameras = Cameras(rig.physics.model)
    assert cameras.problem() == ""
    return cameras


@pytest.fixture(scope="module")
def front(rig: Rig, cameras: Cameras) -> Frame:
    return cameras.view(rig.physics.look(), "front", 7)


def pixels(png: bytes | None) -> np.ndarray:
    assert png is not None
    return np.array(Image.open(io.BytesIO(png)))


def colours_in(png: bytes) -> set[tuple[int, ...]]:
    image = pixels(png).astype(np.uint32)
    packed = np.unique(image[..., 0] << 16 | image[..., 1] << 8 | image[..., 2]).tolist()
    return {(each >> 16, each >> 8 & 255, each & 255) for each in packed}


@pytest.mark.parametrize("camera", ["front", "wrist"])
@pytest.mark.parametrize("size_px", [512, 256])
def test_each_pixel_is_of_a_colour_that_there_is(
    rig: Rig, cameras: Cameras, camera: str, size_px: int
) -> None:
    png = cameras.photograph(rig.physics.look(), camera, size_px)

    assert pixels(png).shape == (size_px, size_px, 3)
    assert colours_in(png) <= set(RGB.values())


def test_the_front_view_shows_the_table_and_all_that_stands_on_it(front: Frame) -> None:
    seen = {thing.colour for thing in LAYOUT.things if thing.name != "hidden_cube"}

    assert {RGB[name] for name in ("table", "background", "purple", *seen)} <= colours_in(front.png)
    assert RGB["green"] not in colours_in(front.png)
    assert front.step == 7


@pytest.mark.parametrize("name", ["red_cube", "blue_cube", "button", "target", "peg"])
def test_a_thing_is_seen_where_its_middle_is_projected(front: Frame, name: str) -> None:
    thing = LAYOUT.thing(name)
    assert front.calibration is not None
    found = pixel_of((*thing.pose[:2], thing.size[2]), front.calibration)
    assert found is not None

    column, row = (round(each) for each in found)

    colour = "purple" if name == "peg" and column < 0 else thing.colour
    assert tuple(pixels(front.png)[row, column]) in {RGB[colour], RGB["purple"]}


@pytest.mark.parametrize("camera", ["front", "wrist"])
def test_depth_and_calibration_give_the_point_back(rig: Rig, cameras: Cameras, camera: str) -> None:
    view = cameras.view(rig.physics.look(), camera, 0)
    rgb, depth_mm = pixels(view.png), pixels(view.depth_png)
    assert view.calibration is not None
    rows, columns = np.nonzero((rgb == RGB["table"]).all(axis=2))
    assert depth_mm.dtype == np.uint16

    for index in range(0, len(rows), len(rows) // 20):
        row, column = int(rows[index]), int(columns[index])
        point = at_depth((column, row), depth_mm[row, column] / 1000, view.calibration)
        assert point is not None
        assert point[2] == pytest.approx(0.0, abs=0.003)
        cut = at_height((column, row), 0.0, view.calibration)
        assert cut == pytest.approx(point, abs=0.004)
        assert pixel_of(cut, view.calibration) == pytest.approx((column, row), abs=0.2)


def test_past_the_table_there_is_no_depth(front: Frame) -> None:
    assert front.calibration is not None
    depth_mm = pixels(front.depth_png)

    sky = (pixels(front.png) == RGB["background"]).all(axis=2)

    assert (depth_mm[sky] == 0).all()
    assert (depth_mm[~sky] > 0).all()
    assert at_depth((0, 0), 0.0, front.calibration) is None
    assert at_height((256, 0), 5.0, front.calibration) is None


def test_the_size_changes_the_calibration_and_not_the_point(rig: Rig, cameras: Cameras) -> None:
    look = rig.physics.look()
    large, small = (cameras.calibration(look, "front", size_px) for size_px in (512, 256))

    assert (large.fx_px, small.fx_px) == pytest.approx((256.0, 128.0))
    for pixel in ((10, 500), (300, 200)):
        half = tuple((each + 0.5) / 2 - 0.5 for each in pixel)
        assert at_height(pixel, 0.0, large) == pytest.approx(at_height(half, 0.0, small), abs=1e-3)


def test_a_moment_that_was_kept_is_drawn_as_it_was(rig: Rig, cameras: Cameras) -> None:
    before = rig.physics.look()
    first = cameras.photograph(before, "front", 256)
    rig.physics.change((Change("red_cube", colour="highlight"), Change("blue_cube", gone=True)))
    lit = rig.physics.look()
    rig.physics.change(())

    assert RGB["highlight"] in colours_in(cameras.photograph(lit, "front", 256))
    assert RGB["blue"] not in colours_in(cameras.photograph(lit, "front", 256))
    assert cameras.photograph(before, "front", 256) == first
    assert cameras.photograph(rig.physics.look(), "front", 256) == first


def test_without_the_arm_what_it_hides_is_seen(rig: Rig, cameras: Cameras) -> None:
    look = rig.physics.look(without_arm=True)

    assert not {RGB["arm"], RGB["finger"]} & colours_in(cameras.photograph(look, "front", 256))
    assert RGB["arm"] in colours_in(cameras.photograph(rig.physics.look(), "front", 256))


@pytest.mark.parametrize("name", ["red_cube", "blue_cube", "cup", "button", "stick", "hook"])
def test_what_is_pointed_at_is_what_is_meant(rig: Rig, cameras: Cameras, name: str) -> None:
    thing, look = LAYOUT.thing(name), rig.physics.look(without_arm=True)

    pixel = pointing_at(cameras, look, thing.pose[:3])

    assert pixel is not None
    column, row = (round(each) for each in pixel)
    assert tuple(pixels(cameras.photograph(look, "front"))[row, column]) == RGB[thing.colour]


def test_what_stands_before_a_thing_is_pointed_over(rig: Rig, cameras: Cameras) -> None:
    """A cube between it and the camera hides its middle and not its top."""
    rig.physics.change((Change("blue_cube", Pose(0.05, 0.178, 0.085)),))
    look = rig.physics.look(without_arm=True)
    rig.physics.change(())
    cup = LAYOUT.thing("cup")

    pixel = pointing_at(cameras, look, cup.pose[:3])

    assert pixel is not None
    column, row = (round(each) for each in pixel)
    assert tuple(pixels(cameras.photograph(look, "front"))[row, column]) == RGB["container"]
    middle = pixel_of(cup.pose[:3], cameras.calibration(look, "front"))
    assert middle is not None
    assert row < round(middle[1])


def test_nothing_is_pointed_at_off_the_image(rig: Rig, cameras: Cameras) -> None:
    assert pointing_at(cameras, rig.physics.look(), (0.45, 0.0, 2.0)) is None
