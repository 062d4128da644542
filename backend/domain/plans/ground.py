"""What a plan is grounded in: the skills, the place, and what is believed at the moment of judging."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord
from backend.domain.mission.site import Site
from backend.domain.plans.catalogue import Catalogue


class Ground(Struct, frozen=True, kw_only=True):
    """`assignments` maps a class to its station, the site's `accepts` merged in.

    `exposed` holds the entities that the plan's author was shown; None where the author sees all of memory.
    `arrived` is the entity or station that the robot last went to and reached, if it still stands there.
    """

    catalogue: Catalogue
    site: Site
    records: Mapping[str, EntityRecord]
    held: str | None
    assignments: Mapping[str, str]
    exposed: frozenset[str] | None
    robot: Pose
    arrived: str | None = None
