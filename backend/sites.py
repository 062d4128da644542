"""Sites as pages and command line read, draw and write them, and the maps that they are drawn on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from backend.domain.mission.floor import Floor
from backend.domain.mission.site import Region, Station
from backend.domain.mission.survey import Survey
from backend.floors import exported, id_of, imported, stored
from backend.library import NAMED, Shelf, plainly, refused
from backend.persistence.plain import (
    Document,
    DocumentKind,
    all_documents,
    document,
    put_document,
    versions_of,
)
from backend.shelf import floor_of
from backend.surveys import drawn_text, read_survey, with_fields
from backend.web.documents import DocumentRefused, Kept
from backend.web.errors import NotThere
from backend.web.pages.documents import Fact
from backend.web.pages.parts import FieldError
from backend.written import WrittenError
from robot_bridge.ros.mapfile import MapFile

SITE = """\
# What people know of a place and the robot's map does not. Lengths in metres, in the map's frame.
name: {name}
title: My yard
frame_id: map

# Regions have a name and their corners; the robot may not go into a restricted one.
regions:
  - name: wet floor
    restricted: true
    polygon_m: [[2.6, 2.6], [3.4, 2.6], [3.4, 3.4], [2.6, 3.4]]

# The planner is told these, with the rules that the bridge declares.
rules:
  - Keep to the left of the conveyor.
"""
BARE = "name: {name}\ntitle: {title}\nframe_id: map\n"
RESERVED = ("new", "maps")


class SiteShelf(Shelf):
    kind: DocumentKind = "site"

    def newest(self) -> Sequence[Kept]:
        return [self._site(each) for each in all_documents(self.engine, "site")]

    def kept(self, name: str, version: int | None = None) -> Kept:
        return self._site(self._there(name, version))

    def versions(self, name: str) -> Sequence[Kept]:
        return [plainly(each) for each in versions_of(self.engine, "site", name)]

    def draft(self, like: str) -> str:
        if not like:
            return SITE.format(name="my-yard")
        text = self.kept(like).text
        return NAMED.sub(lambda found: found[0].replace(found[1], f"{found[1]}-2"), text, count=1)

    def survey(self, name: str, version: int | None = None) -> Survey | None:
        found = self._there(name, version)
        try:
            return read_survey(found.body, found.name, found.version, floor_of(self.engine))
        except WrittenError:
            return None

    def draw(
        self,
        name: str,
        regions: tuple[Region, ...],
        stations: tuple[Station, ...],
        shown_version: int,
        by: str,
    ) -> str:
        """Writes the next version with these regions and stations. Raises as `save`."""
        text = drawn_text(self._there(name, None).body, regions, stations)
        return self.save(name, text, shown_version, by)

    def upload(self, name: str, text: bytes, file: str, picture: bytes, by: str) -> str:
        try:
            return self.take_map(name, text, file, lambda told: picture, by)
        except WrittenError as error:
            field = "picture" if error.field == "image" else "map"
            where = f"{error.field} " if error.field else ""
            raise DocumentRefused(
                FieldError(field=field, message=f"{where}{error.problem}.", remedy=error.remedy)
            ) from error
        except DocumentRefused as refused:
            raise DocumentRefused(replace(refused.error, field="name")) from refused

    def take_map(
        self, name: str, text: bytes, file: str, picture: Callable[[MapFile], bytes], by: str
    ) -> str:
        """`picture` is asked for what the YAML names. Raises WrittenError where the map is wrong, and as
        `save`."""
        floor = imported(text, file, picture)
        self.check_name(name)
        there = document(self.engine, "site", name)
        title = re.sub(r"[-_]", " ", name).capitalize()
        body, version = (
            (there.body, there.version)
            if there is not None
            else (BARE.format(name=name, title=json.dumps(title)), 0)
        )
        if document(self.engine, "floor", id_of(floor)) is None:
            put_document(self.engine, "floor", id_of(floor), stored(floor), by, shown_version=0)
        return self.save(name if version else "", with_fields(body, {"floor": id_of(floor)}), version, by)

    def map_files(self, name: str, version: int | None, image: str) -> tuple[str, bytes]:
        """map_server's YAML, and its picture called `image`. Raises NotThere."""
        survey = self.survey(name, version)
        floor = survey.floor if survey is not None else None
        if floor is None:
            raise NotThere(f"Site {name} has no surveyed map", remedy="Import one of map_server's.")
        return exported(floor, image)

    def read(self, name: str, text: str, version: int) -> object:
        return read_survey(text, name, version, floor_of(self.engine))

    def check_name(self, name: str) -> None:
        super().check_name(name)
        if name in RESERVED:
            words = " and ".join(RESERVED)
            raise refused(f"The name “{name}” will not do.", f"Write another word than {words}.")

    def _there(self, name: str, version: int | None) -> Document:
        found = self.stored(name, version)
        if found is None:
            of = f" has no version {version}" if version is not None else " is not kept here"
            raise NotThere(f"Site {name}{of}", remedy="The list names those there are.")
        return found

    def _site(self, found: Document) -> Kept:
        kept = plainly(found)
        try:
            survey = read_survey(found.body, found.name, found.version, floor_of(self.engine))
        except WrittenError as error:
            return replace(kept, error=str(error))
        return replace(kept, title=survey.title, summary=_summary(survey), facts=_facts(survey))


def _summary(survey: Survey) -> str:
    closed = sum(region.restricted for region in survey.regions)
    floor = survey.floor
    mapped = f"A map of {floor.width} × {floor.height} cells; " if floor is not None else ""
    drawn = f"{len(survey.stations)} stations; " if survey.stations else ""
    return (
        f"{mapped}{len(survey.regions)} regions, {closed} of them closed; {drawn}{len(survey.rules)} rules."
    )


def _facts(survey: Survey) -> tuple[Fact, ...]:
    regions = [
        Fact(
            label="Closed region" if region.restricted else "Region",
            value=region.name,
            meaning=" ".join(f"({x_m:g}, {y_m:g})" for x_m, y_m in region.polygon_m) + " m",
        )
        for region in survey.regions
    ]
    stations = [
        Fact(
            label="Station",
            value=station.id,
            meaning=f"({station.pose.x_m:g}, {station.pose.y_m:g}) m, takes "
            + (", ".join(station.accepts) or "what is assigned to it"),
        )
        for station in survey.stations
    ]
    rules = [Fact(label="Rule", value=rule, meaning="The planner is told") for rule in survey.rules]
    frame = Fact(
        label="Frame", value=survey.frame_id, meaning="The map that it is drawn on must be in this frame"
    )
    return (frame, *_floor_fact(survey.floor), *regions, *stations, *rules)


def _floor_fact(floor: Floor | None) -> tuple[Fact, ...]:
    if floor is None:
        return ()
    size = f"{floor.width * floor.cell_m:g} × {floor.height * floor.cell_m:g} m"
    at = f"from ({floor.x_m:g}, {floor.y_m:g}) m, turned {floor.yaw_rad:g} rad"
    return (Fact(label="Map", value=f"{size} in cells of {floor.cell_m:g} m", meaning=at),)
