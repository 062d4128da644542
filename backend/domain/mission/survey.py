"""What people know of a site and a robot's map does not: a surveyed floor, named regions, some of them
closed, stations, and rules.

It is laid over the site that a bridge declares when an episode opens. The grid and the distances stay the
bridge's: they are measured, this is said. Stations are taken where the bridge goes by the places it is sent.
"""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.mission.floor import Floor, FloorError, kinds_of
from backend.domain.mission.regions import restricted_region
from backend.domain.mission.site import Region, Site, Station
from backend.domain.refusal import Refusal

MOST_REGIONS, MOST_CORNERS, MOST_RULES, MOST_STATIONS = 100, 200, 100, 100
LONGEST_RULE = 1_000
LONGEST_ID = 100
FARTHEST_M = 1_000_000.0


class Survey(Struct, frozen=True, kw_only=True):
    """`version` counts its edits in the console from 1; 0: it is written in the mission's own file.

    `floor`: what is shown under the map, finer than the robot's own grid.
    """

    name: str
    title: str = ""
    frame_id: str = "map"
    regions: tuple[Region, ...] = ()
    stations: tuple[Station, ...] = ()
    rules: tuple[str, ...] = ()
    floor: Floor | None = None
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
        ("stations", survey.stations, MOST_STATIONS),
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
    return _stations_flaw(survey) or _floor_flaw(survey.floor)


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
    if survey.stations and not site.takes_stations:
        return Refusal(
            "survey_stations",
            f"Site {survey.name} draws stations, and this robot goes to its own only.",
            "Take the stations out of the site, or choose another robot.",
        )
    drawn = {station.id for station in survey.stations}
    laid = replace(
        site,
        stations=(*(each for each in site.stations if each.id not in drawn), *survey.stations),
        regions=(*site.regions, *survey.regions),
        rules=(*site.rules, *survey.rules),
        survey=survey.name,
        version=survey.version or site.version,
    )
    for station in laid.stations:
        closed = restricted_region(laid, station.pose.x_m, station.pose.y_m)
        if closed is not None:
            return Refusal(
                "survey_station",
                f"Station {station.id} lies in {closed.name}, where the robot may not go.",
                "Draw the region around it, or open it.",
            )
    return laid


def _stations_flaw(survey: Survey) -> Flaw | None:
    seen: set[str] = set()
    for index, station in enumerate(survey.stations):
        field, pose = f"stations[{index}]", station.pose
        if not station.id.strip() or station.id in seen or len(station.id) > LONGEST_ID:
            return Flaw(f"{field}.id", f"is {station.id[:80]!r}", "Give each station an id of its own.")
        if not all(math.isfinite(each) and abs(each) <= FARTHEST_M for each in (pose.x_m, pose.y_m)):
            return Flaw(f"{field}.pose", f"is ({pose.x_m:g}, {pose.y_m:g})", "Give metres on the map.")
        if not (math.isfinite(pose.yaw_rad) and abs(pose.yaw_rad) <= FARTHEST_M):
            return Flaw(f"{field}.pose.yaw_rad", f"is {pose.yaw_rad:g}", "Give radians.")
        if pose.frame_id != survey.frame_id:
            remedy = f"Write {survey.frame_id}, as frame_id says."
            return Flaw(f"{field}.pose.frame_id", f"is {pose.frame_id[:80]!r}", remedy)
        seen.add(station.id)
    return None


@lru_cache(maxsize=32)
def _floor_flaw(floor: Floor | None) -> Flaw | None:
    """Kept, since lists of sites read each of them again and again."""
    try:
        if floor is not None:
            kinds_of(floor)
    except FloorError as error:
        return Flaw(f"floor.{error.field}", error.problem, error.remedy)
    return None


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
