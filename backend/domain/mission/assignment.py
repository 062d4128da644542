"""Which station takes which class:
fixed by the site, or settled when the first container of a class is revealed.

At the reveal a class goes to the nearest station still free, ties to the station listed first; every later
container of that class goes to the same one (ADM-Planner, section V-D).
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.domain.geometry import Pose
from backend.domain.mission.site import Site


def fixed_assignments(site: Site) -> dict[str, str]:
    """Class -> station id, as far as the site fixes it."""
    return {cls: station.id for station in site.stations for cls in station.accepts}


def assign_at_reveal(site: Site, assignments: Mapping[str, str], cls: str, pose: Pose) -> str | None:
    """The station for a class just revealed at `pose`; None where it has one, or where none is left."""
    if site.assignment != "at_reveal" or cls in assignments:
        return None
    taken = set(assignments.values())
    free = [station for station in site.stations if station.id not in taken]
    if not free:
        return None
    return min(free, key=lambda station: site.metric.distance_m(station.pose, pose)).id
