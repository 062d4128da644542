"""Which station takes which class, fixed by the site or settled at the reveal."""

import pytest
from msgspec.structs import replace

from backend.domain.geometry import Pose
from backend.domain.mission.assignment import assign_at_reveal, fixed_assignments
from backend.domain.mission.site import Site, Station
from tests.domain.scripted import BOTTLES, CANS, SITE

OPEN = replace(
    SITE,
    assignment="at_reveal",
    stations=(
        Station(id="west", pose=Pose(0, 0)),
        Station(id="east", pose=Pose(8, 0)),
        Station(id="north", pose=Pose(4, 8)),
    ),
)


def test_a_site_fixes_what_its_stations_accept() -> None:
    both = Station(id="mixed", pose=Pose(3, 3), accepts=("jar", "crate"))

    assert fixed_assignments(SITE) == {"can": CANS, "bottle": BOTTLES}
    assert fixed_assignments(replace(SITE, stations=(both,))) == {"jar": "mixed", "crate": "mixed"}
    assert fixed_assignments(OPEN) == {}


REVEALS = {
    "the nearest free station": (OPEN, {}, "can", Pose(7, 1), "east"),
    "the nearest is taken": (OPEN, {"bottle": "east"}, "can", Pose(7, 1), "west"),
    "as near: the one listed first": (OPEN, {}, "can", Pose(4, 0), "west"),
    "the class has one already": (OPEN, {"can": "north"}, "can", Pose(7, 1), None),
    "none is left": (OPEN, {"a": "west", "b": "east", "c": "north"}, "can", Pose(7, 1), None),
    "a site that fixes them": (SITE, {"bottle": BOTTLES}, "jar", Pose(7, 1), None),
}


@pytest.mark.parametrize(("site", "taken", "cls", "pose", "station"), REVEALS.values(), ids=REVEALS.keys())
def test_a_class_gets_its_station_at_the_reveal(
    site: Site, taken: dict[str, str], cls: str, pose: Pose, station: str | None
) -> None:
    assert assign_at_reveal(site, taken, cls, pose) == station
