"""What people know of a site: checked by itself, and laid over what a bridge declares."""

import math

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Pose
from backend.domain.mission.floor import Floor
from backend.domain.mission.regions import restricted_region
from backend.domain.mission.site import Region, Site, Station
from backend.domain.mission.survey import Survey, flaw_of, surveyed
from backend.domain.refusal import Refusal
from tests.support.drill import SITE

WET = Region(name="wet floor", polygon_m=((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0)), restricted=True)
SURVEY = Survey(name="yard", regions=(WET,), rules=("Keep left.",), version=3)


def test_it_adds_regions_and_rules_and_names_its_version() -> None:
    laid = surveyed(SITE, SURVEY)

    assert isinstance(laid, Site)
    assert (laid.regions, laid.rules) == ((*SITE.regions, WET), (*SITE.rules, "Keep left."))
    assert (laid.name, laid.survey, laid.version) == (SITE.name, "yard", 3)
    assert (laid.map, laid.stations, laid.metric) == (SITE.map, SITE.stations, SITE.metric)
    assert restricted_region(laid, 3.0, 3.0) == WET


def test_one_written_in_a_mission_s_own_file_keeps_the_bridge_s_version() -> None:
    laid = surveyed(replace(SITE, version=7), replace(SURVEY, version=0))

    assert isinstance(laid, Site)
    assert laid.version == 7


AROUND_A_STATION = replace(WET, polygon_m=((-1.0, 6.0), (1.0, 6.0), (1.0, 8.0), (-1.0, 8.0)))
APART = [
    pytest.param(replace(SURVEY, frame_id="odom"), "drawn in frame odom", id="another frame"),
    pytest.param(
        replace(SURVEY, regions=(AROUND_A_STATION,)), "Station station_west lies in", id="a closed station"
    ),
]


@pytest.mark.parametrize(("survey", "says"), APART)
def test_the_two_must_go_together(survey: Survey, says: str) -> None:
    refused = surveyed(SITE, survey)

    assert isinstance(refused, Refusal)
    assert says in refused.message
    assert refused.remedy


def test_a_region_is_not_drawn_over_another_of_its_name() -> None:
    refused = surveyed(replace(SITE, regions=(WET,)), SURVEY)

    assert isinstance(refused, Refusal)


STATION = Station(id="station_north", pose=Pose(1.0, 1.0))
OPEN_SITE = replace(SITE, takes_stations=True)


def test_stations_are_added_and_moved_where_the_robot_goes_by_the_places_it_is_sent() -> None:
    moved = replace(SITE.stations[0], pose=Pose(7.0, 7.0))
    laid = surveyed(OPEN_SITE, replace(SURVEY, stations=(STATION, moved)))

    assert isinstance(laid, Site)
    assert laid.station("station_north") == STATION
    assert laid.station(moved.id) == moved
    assert len(laid.stations) == len(SITE.stations) + 1


def test_a_robot_with_stations_of_its_own_takes_none() -> None:
    refused = surveyed(SITE, replace(SURVEY, stations=(STATION,)))

    assert isinstance(refused, Refusal)
    assert "draws stations, and this robot goes to its own only" in refused.message


def test_a_station_is_not_drawn_into_a_closed_region() -> None:
    refused = surveyed(OPEN_SITE, replace(SURVEY, stations=(replace(STATION, pose=Pose(3.0, 3.0)),)))

    assert isinstance(refused, Refusal)
    assert "Station station_north lies in wet floor" in refused.message


STATION_FLAWS = [
    pytest.param(replace(STATION, id=" "), "stations[0].id", id="no id"),
    pytest.param(replace(STATION, pose=Pose(math.nan, 0.0)), "stations[0].pose", id="nowhere"),
    pytest.param(
        replace(STATION, pose=Pose(0.0, 0.0, math.inf)), "stations[0].pose.yaw_rad", id="no heading"
    ),
    pytest.param(
        replace(STATION, pose=Pose(0.0, 0.0, 0.0, "odom")), "stations[0].pose.frame_id", id="another frame"
    ),
]


@pytest.mark.parametrize(("station", "field"), STATION_FLAWS)
def test_what_is_wrong_with_a_station_is_named(station: Station, field: str) -> None:
    flaw = flaw_of(replace(SURVEY, stations=(station,)))

    assert flaw is not None
    assert (flaw.field, bool(flaw.remedy)) == (field, True)


def test_a_damaged_floor_is_named() -> None:
    flaw = flaw_of(replace(SURVEY, floor=Floor(width=2, height=2, cell_m=0.5, cells="?")))

    assert flaw is not None
    assert flaw.field == "floor.cells"


def region(**changes: object) -> Survey:
    return replace(SURVEY, regions=(replace(WET, **changes),))


FLAWS = [
    pytest.param(replace(SURVEY, name=" "), "name", id="no name"),
    pytest.param(region(name=""), "regions[0].name", id="a region without a name"),
    pytest.param(replace(SURVEY, regions=(WET, WET)), "regions[1].name", id="two of one name"),
    pytest.param(region(polygon_m=((0.0, 0.0), (1.0, 1.0))), "regions[0].polygon_m", id="two corners"),
    pytest.param(region(polygon_m=((0.0, 0.0),) * 201), "regions[0].polygon_m", id="too many corners"),
    pytest.param(
        region(polygon_m=((0.0, 0.0), (1.0, math.nan), (2.0, 0.0))), "regions[0].polygon_m", id="nowhere"
    ),
    pytest.param(
        region(polygon_m=((0.0, 0.0), (1.0, math.inf), (2.0, 0.0))), "regions[0].polygon_m", id="for ever"
    ),
    pytest.param(
        region(polygon_m=((0.0, 0.0), (1e9, 0.0), (2.0, 0.0))), "regions[0].polygon_m", id="too far"
    ),
    pytest.param(replace(SURVEY, rules=("  ",)), "rules[0]", id="an empty rule"),
    pytest.param(replace(SURVEY, rules=("x" * 1001,)), "rules[0]", id="a manual"),
    pytest.param(replace(SURVEY, rules=("x",) * 101), "rules", id="too many rules"),
]


@pytest.mark.parametrize(("survey", "field"), FLAWS)
def test_what_is_wrong_names_its_field_and_the_remedy(survey: Survey, field: str) -> None:
    flaw = flaw_of(survey)

    assert flaw is not None
    assert flaw.field == field
    assert flaw.remedy


def test_what_is_right_has_no_flaw() -> None:
    assert flaw_of(SURVEY) is None
    assert flaw_of(Survey(name="bare")) is None


def test_a_place_that_no_station_stands_in_may_be_closed() -> None:
    assert all(restricted_region(SITE, *place(station.pose)) is None for station in SITE.stations)
    assert isinstance(surveyed(SITE, SURVEY), Site)


def place(pose: Pose) -> tuple[float, float]:
    return pose.x_m, pose.y_m
