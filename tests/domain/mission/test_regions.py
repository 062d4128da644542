"""Which restricted region a place lies in."""

import pytest
from msgspec.structs import replace

from backend.domain.mission.regions import restricted_region
from backend.domain.mission.site import Region
from tests.domain.scripted import SITE

YARD = replace(
    SITE,
    regions=(
        Region(name="lawn", polygon_m=((0, 0), (9, 0), (9, 9), (0, 9))),
        Region(name="pond", polygon_m=((2, 2), (6, 2), (6, 6), (4, 4), (2, 6)), restricted=True),
        Region(name="gate", polygon_m=((5, 1), (7, 1), (7, 3), (5, 3)), restricted=True),
    ),
)

TABLE = {
    "on the lawn, which is open": (1.0, 1.0, None),
    "in the pond": (3.0, 3.0, "pond"),
    "in the notch of the pond": (4.0, 5.5, None),
    "on its edge": (2.0, 3.0, "pond"),
    "on its corner": (2.0, 2.0, "pond"),
    "where two overlap: the first": (5.5, 2.5, "pond"),
    "in the gate": (6.5, 1.5, "gate"),
    "outside the site": (20.0, 20.0, None),
}


@pytest.mark.parametrize(("x_m", "y_m", "name"), TABLE.values(), ids=TABLE.keys())
def test_restricted_regions(x_m: float, y_m: float, name: str | None) -> None:
    region = restricted_region(YARD, x_m, y_m)

    assert (None if region is None else region.name) == name
