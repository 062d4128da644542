"""What people know of a site and a robot's map does not: named regions, some of them closed, and rules.

It is laid over the site that a bridge declares when an episode opens. The map, the stations and the distances
stay the bridge's: they are measured, this is said.
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.mission.regions import restricted_region
from backend.domain.mission.site import Region, Site
from backend.domain.refusal import Refusal

MOST_REGIONS, MOST_CORNERS, MOST_RULES = 100, 200, 100
LONGEST_RULE = 1_000
FARTHEST_M = 1_000_000.0


class Survey(Struct, frozen=True, kw_only=True):
    """`version` counts its edits in the console from 1; 0: it is written in the mission's own file."""

    name: str
    title: str = ""
    frame_id: str = "map"
    regions: tuple[Region, ...] = ()
    rules: tuple[str, ...] = ()
    version: int = 0


class Flaw(Struct, frozen=True):
    """The first thing wrong with a survey: `field`, what is wrong with it, and what would be right."""

    field: str
    problem: str
    remedy: str


def flaw_of(survey: Survey) -> Flaw | None:
    if not survey.name.strip():
        return Flaw("name", "is empty", "Give it one.")
    for field, items, most in (
        ("regions", survey.regions, MOST_REGIONS),
        ("rules", survey.rules, MOST_RULES),
    ):
        if len(items) > most:
            return Flaw(field, f"has {len(items)} entries", f"Write at most {most}.")
    for index, rule in enumerate(survey.rules):
        if not 0 < len(rule.strip()) <= LONGEST_RULE:
            return Flaw(f"rules[{index}]", f"has {len(rule)} characters", f"Write 1 to {LONGEST_RULE:,}.")
    seen: set[str] = set()
    for index, region in enumerate(survey.regions):
        flaw = _region_flaw(region, f"regions[{index}]", seen)
        if flaw is not None:
            return flaw
        seen.add(region.name)
    return None


def surveyed(site: Site, survey: Survey) -> Site | Refusal:
    """The site with the survey laid over it, or why the two do not go together."""
    if survey.frame_id != site.frame_id:
        return Refusal(
            "survey_frame",
            f"Site {survey.name} is drawn in frame {survey.frame_id}, the robot's map in {site.frame_id}.",
            f"Draw it in {site.frame_id}, or choose another site.",
        )
    named = {region.name for region in site.regions}
    twice = next((region.name for region in survey.regions if region.name in named), None)
    if twice is not None:
        return Refusal(
            "survey_region", f"The site has a region {twice} already.", "Name the survey's otherwise."
        )
    laid = replace(
        site,
        regions=(*site.regions, *survey.regions),
        rules=(*site.rules, *survey.rules),
        survey=survey.name,
        version=survey.version or site.version,
    )
    for station in site.stations:
        closed = restricted_region(laid, station.pose.x_m, station.pose.y_m)
        if closed is not None:
            return Refusal(
                "survey_station",
                f"Station {station.id} lies in {closed.name}, where the robot may not go.",
                "Draw the region around it, or open it.",
            )
    return laid


def _region_flaw(region: Region, field: str, seen: set[str]) -> Flaw | None:
    if not region.name.strip() or region.name in seen:
        return Flaw(f"{field}.name", f"is {region.name!r}", "Give each region a name of its own.")
    corners = region.polygon_m
    if not 3 <= len(corners) <= MOST_CORNERS:
        return Flaw(f"{field}.polygon_m", f"has {len(corners)} corners", f"Give 3 to {MOST_CORNERS}.")
    for x_m, y_m in corners:
        if not all(math.isfinite(metres) and abs(metres) <= FARTHEST_M for metres in (x_m, y_m)):
            return Flaw(f"{field}.polygon_m", f"has a corner ({x_m:g}, {y_m:g})", "Give metres on the map.")
    return None
