"""map_server's files: as map_server reads them, and written so that they are read again."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from msgspec.structs import replace
from PIL import Image

from backend.domain.mission.site import GridMap
from robot_bridge.ros.config import read_robot
from robot_bridge.ros.files import robot_file
from robot_bridge.ros.goals import refusal_of
from robot_bridge.ros.mapfile import map_fields, read_map, write_map
from robot_bridge.ros.setup import floor_of
from robot_bridge.ros.sitemap import MapError, Occupancy, site_map
from robot_bridge.world import Step
from tests.bridge.ros.test_ros_robot_file import with_change


def a_map(folder: Path, shades: list[list[int]], extra: str = "") -> Path:
    Image.fromarray(np.array(shades, np.uint8)).save(folder / "yard.pgm")
    file = folder / "yard.yaml"
    file.write_text(
        "image: yard.pgm\nresolution: 0.05\norigin: [-1.0, 2.0, 0.5]\n"
        f"occupied_thresh: 0.65\nfree_thresh: 0.196\n{extra}"
    )
    return file


def test_the_top_row_of_the_picture_is_the_last_of_the_map(tmp_path: Path) -> None:
    found = read_map(a_map(tmp_path, [[0, 254], [205, 254]], "negate: 0\n"))

    assert found.percent.tolist() == [[-1, 0], [100, 0]]
    assert (found.cell_m, found.x_m, found.y_m, found.yaw_rad) == (0.05, -1.0, 2.0, 0.5)


@pytest.mark.parametrize(
    ("extra", "shades", "percent"),
    [
        ("negate: 1\n", [[0, 254]], [[0, 100]]),
        ("negate: 0\nmode: raw\n", [[0, 77, 200]], [[0, 77, -1]]),
        ("negate: 0\nmode: scale\n", [[0, 254, 150]], [[100, 0, 47]]),
    ],
)
def test_negated_raw_and_scaled(
    tmp_path: Path, extra: str, shades: list[list[int]], percent: list[list[int]]
) -> None:
    assert read_map(a_map(tmp_path, shades, extra)).percent.tolist() == percent


@given(
    arrays(np.int8, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.sampled_from([-1, 0, 100]))
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_again(tmp_path: Path, percent: np.ndarray) -> None:
    occupancy = Occupancy(percent, 0.1, 0.5, -0.5, 0.25)

    write_map(occupancy, tmp_path / "again.yaml")

    again = read_map(tmp_path / "again.yaml")
    assert again.percent.tolist() == percent.tolist()
    assert again[1:] == occupancy[1:]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1", "is no map_server file: Object missing required field"),
        ("image: none.pgm\nresolution: 0.1\norigin: [0, 0, 0]", "none.pgm cannot be read"),
        ("image: x.pgm\nresolution: 0\norigin: [0, 0, 0]", "resolution is 0"),
        ("image: x.pgm\nresolution: 1\norigin: [0, .nan, 0]", "origin is no pose"),
        ("image: x.pgm\nresolution: 1\norigin: [0, 0]", "is no map_server file: Expected"),
        ("image: x.pgm\nresolution: 1\norigin: [0, 0, 0]\nfree_thresh: 0.9", "free_thresh is 0.9"),
        ("image: x.pgm\nresolution: 1\norigin: [0, 0, 0]\nmode: fancy", "mode is 'fancy'"),
    ],
)
def test_what_is_no_map_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "yard.yaml"
    file.write_text(text)

    with pytest.raises(MapError, match=told):
        read_map(file)


def test_a_robot_s_site_may_be_such_a_map(tmp_path: Path) -> None:
    a_map(tmp_path, [[0] * 40] * 40, "negate: 0\n")
    (tmp_path / "yard.yaml").write_text(
        (tmp_path / "yard.yaml").read_text().replace("[-1.0, 2.0, 0.5]", "[0, 0, 0]")
    )

    floor = floor_of(read_robot(with_change(tmp_path, "site.map_file", "yard.yaml")), tmp_path)

    assert floor is not None
    assert (floor["width"], floor["height"], len(floor["occupied"])) == (5, 5, 25)


def test_what_nobody_has_looked_at_is_said_apart_from_what_is_free() -> None:
    percent = np.zeros((4, 4), np.int8)
    percent[0:2, 2:4] = -1
    percent[3, 3] = 100

    found = site_map(Occupancy(percent, 0.5, -0.25, -0.25), 0.5)

    assert found["unknown"] == [[2, 0], [2, 1], [3, 0], [3, 1]]
    assert found["occupied"] == [[3, 3]]


FIELDS = [
    ("image: x.pgm\norigin: [0, 0, 0]", "resolution"),
    ("image: x.pgm\nresolution: thin\norigin: [0, 0, 0]", "resolution"),
    ("image: x.pgm\nresolution: 1\norigin: [0, 0]", "origin"),
    ("image: x.pgm\nresolution: 1\norigin: [0, 0, 0]\nnegate: 2", "negate"),
    ("image: x.pgm\nresolution: 1\norigin: [0, 0, 0]\noccupied_thresh: 0.1", "free_thresh"),
]


@pytest.mark.parametrize(("text", "field"), FIELDS)
def test_the_field_at_fault_is_named_for_a_form(text: str, field: str) -> None:
    with pytest.raises(MapError) as told:
        map_fields(text.encode(), "yard.yaml")

    assert told.value.field == field


def test_what_map_server_s_own_parser_takes_is_taken() -> None:
    told = map_fields(b"image: x.pgm\nresolution: 5e-2\norigin: [0, 0, 0]\nnegate: true", "yard.yaml")

    assert (told.resolution, told.negate) == (0.05, 1)


def test_a_map_made_while_driving_lies_on_all_sides_of_where_it_was_begun() -> None:
    percent = np.full((8, 8), -1, np.int8)
    percent[2:6, 1:5] = 0
    percent[5, 1] = 100

    found = site_map(Occupancy(percent, 0.5, -2.25, -2.25), 0.5)

    assert (found["first"], found["width"], found["height"]) == ([-3, -2], 4, 4)
    assert (found["occupied"], found["unknown"]) == ([[-3, 1]], [])
    grid = msgspec.convert(found, GridMap)
    assert (grid.columns, grid.rows) == (range(-3, 1), range(-2, 2))


def test_a_map_that_begins_at_the_origin_says_nothing_of_it() -> None:
    assert "first" not in site_map(Occupancy(np.zeros((2, 2), np.int8), 0.5, -0.25, -0.25), 0.5)


CELLS = [((-3.0, -2.0), None), ((-4.0, 0.0), "a column from -3 to 0, a row from -2 to 1"), ((0.0, 1.0), None)]


@pytest.mark.parametrize(("cell", "told"), CELLS)
def test_no_cell_outside_the_map_is_driven_to(cell: tuple[float, float], told: str | None) -> None:
    robot = read_robot(robot_file("simulated-rover", None))
    wide = replace(robot, limits=replace(robot.limits, workspace_m=None))
    floor = {"width": 4, "height": 4, "cell_m": 0.5, "first": [-3, -2]}
    refusal = refusal_of(wide, Step("explore", {"cell": list(cell)}), floor)

    assert told is None if refusal is None else told in refusal.remedy
