"""A table's site and skills, as its world declares them, for tests of what a planner may ask there."""

from __future__ import annotations

from typing import Any

import msgspec

from backend.domain.geometry import Metric, Pose
from backend.domain.mission.site import GridMap, Site
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.ground import Ground
from robot_bridge.tabletop.catalogue import CATALOGUES

DIRECT = msgspec.convert(CATALOGUES["direct"], Catalogue)
DELEGATE = msgspec.convert(CATALOGUES["delegate"], Catalogue)
SITE = Site(
    name="table",
    map=GridMap(width=10, height=10, cell_m=0.1),
    metric=Metric("euclidean", 0.1, 0.01),
    stations=(),
)


def ground(catalogue: Catalogue = DIRECT) -> Ground:
    return Ground(
        catalogue=catalogue, site=SITE, records={}, held=None, assignments={}, exposed=None, robot=Pose(0, 0)
    )


def reply(skill: str, arguments: dict[str, Any], watch: Any = None) -> bytes:
    step = {"skill": skill, "arguments": arguments, "watch": watch}
    return msgspec.json.encode({"rationale": "", "note": "", "steps": [step]})


def part(skill: str, check: Any = None, **arguments: Any) -> dict[str, Any]:
    return {"skill": skill, "arguments": arguments, "check": check}
