"""The overhead camera: the picture shows the true scene, where `map_to_pixel` says."""

import io

import pytest
from PIL import Image

from robot_bridge.grid import camera
from robot_bridge.grid.layout import NOWHERE, Layout, Scene, layout
from robot_bridge.grid.scenarios import SCENARIOS, Cell
from robot_bridge.grid.world import GridWorld
from robot_bridge.recording import Recorder, evenly
from robot_bridge.world import Step
from tests.bridge.support import navigate, run, small_world

LAYOUT = layout(SCENARIOS["reveal-5"], frozenset({(4, 4)}))
SCENE = Scene((2, 2), 0.0, None, ((6, 1), (7, 7)), (-1, -1))


def picture(scene: Scene, of: Layout = LAYOUT) -> Image.Image:
    return Image.open(io.BytesIO(camera.render(of, ("bottle", "can"), scene))).convert("RGB")


def pixel(cell: Cell) -> tuple[int, int]:
    """Where `map_to_pixel` puts the middle of a cell."""
    to_pixel = camera.map_to_pixel(LAYOUT)
    pose = LAYOUT.poses[cell]
    x, y = (
        offset + scale * metre
        for scale, offset, metre in zip(
            to_pixel["scale_px_per_m"], to_pixel["offset_px"], pose[:2], strict=True
        )
    )
    return round(x), round(y)


def beside(cell: Cell) -> tuple[int, int]:
    x, y = pixel(cell)
    return x + 5, y


@pytest.mark.parametrize(
    ("what", "at", "colour"),
    [
        ("a bottle's rim", beside((6, 1)), camera.CONTAINER["bottle"]),
        ("a can's side", beside((7, 7)), camera.CONTAINER["can"]),
        ("the robot", pixel((2, 2)), camera.ROBOT),
        ("an obstacle", pixel((4, 4)), camera.OBSTACLE_TOP),
        ("the station at the origin, below left", pixel((0, 0)), camera.STATION[0]),
        ("the other station", pixel((9, 9)), camera.STATION[1]),
        ("bare floor", pixel((5, 5)), camera.FLOOR),
    ],
)
def test_it_shows(what: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    assert picture(SCENE).getpixel(at) == colour, what


def test_it_is_512_px_square() -> None:
    assert picture(SCENE).size == (512, 512)


def test_the_robot_s_nose_points_where_it_heads() -> None:
    x, y = pixel((2, 2))
    ahead = round(512 / 10 * 0.22)

    assert picture(SCENE).getpixel((x + ahead, y)) == camera.ROBOT_FRONT
    assert picture(SCENE._replace(heading_rad=1.5707963)).getpixel((x, y - ahead)) == camera.ROBOT_FRONT


def test_a_held_container_rides_on_the_robot_and_a_delivered_one_stands_at_its_station() -> None:
    held = picture(SCENE._replace(held=1, cells=((6, 1), NOWHERE)))
    delivered = picture(SCENE._replace(cells=((6, 1), NOWHERE), delivered_to=(-1, 1)))
    x, y = pixel((2, 2))

    assert held.getpixel(beside((7, 7))) == camera.FLOOR
    assert held.getpixel((x + 17, y)) == camera.CONTAINER["can"]
    assert delivered.getpixel(beside((9, 9))) == camera.CONTAINER["can"]


def test_containers_that_share_a_cell_stand_beside_each_other() -> None:
    shared = picture(SCENE._replace(cells=((6, 1), (6, 1))))
    x, y = pixel((6, 1))

    assert shared.getpixel(beside((6, 1))) == camera.CONTAINER["bottle"]
    assert shared.getpixel((x + round(51.2 * 0.31) + 5, y)) == camera.CONTAINER["can"]


@pytest.mark.parametrize(
    ("seen", "kept"),
    [(0, []), (1, [0]), (16, list(range(16))), (17, [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16])],
)
def test_at_most_sixteen_evenly_spaced_the_last_always(seen: int, kept: list[int]) -> None:
    assert [step for step, _ in evenly([(step, SCENE) for step in range(seen)], 16)] == kept


@pytest.mark.parametrize(
    ("steps", "kept"),
    [
        pytest.param(0, [10, 10], id="no step: before and after"),
        pytest.param(3, [10, 13], id="shorter than the stride"),
        pytest.param(4, [10, 14], id="the last is one of the fourth"),
        pytest.param(9, [10, 14, 18, 19], id="a stride and a rest"),
        pytest.param(
            200, [10, 22, 34, 46, 58, 74, 86, 98, 110, 122, 134, 146, 162, 174, 186, 198, 210], id="thinned"
        ),
    ],
)
def test_a_recording_has_the_view_before_every_fourth_step_and_the_last(steps: int, kept: list[int]) -> None:
    recorder = Recorder(("overhead",), 10, SCENE)
    for step in range(11, 10 + steps):
        recorder.see(step, lambda: SCENE)

    frames = recorder.frames(10 + steps, SCENE, lambda scene, camera: b"png")

    assert [frame.step for frame in frames] == kept
    assert {frame.camera for frame in frames} == {"overhead"}


def test_an_action_is_recorded_when_its_step_asks_for_cameras_and_only_then() -> None:
    world = small_world()

    quiet = run(world, navigate(2, 1))
    recorded = run(world, Step("grasp", {"target": "bottle_01"}, cameras=("overhead",)))

    assert quiet.frames == ()
    assert [frame.step for frame in recorded.frames] == [3, 4]
    assert recorded.frames[0].png != recorded.frames[1].png


def test_the_same_scene_gives_the_same_bytes() -> None:
    first, second = (GridWorld(SCENARIOS["reveal-5"], 5) for _ in range(2))
    step = Step("explore", {"cell": [6, 3]}, cameras=("overhead",))

    assert run(first, step).frames == run(second, step).frames
