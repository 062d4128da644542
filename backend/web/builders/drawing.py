"""A site's map as its page draws it, and what a drawing that was sent comes to."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from backend.domain.geometry import Pose
from backend.domain.mission.site import Region, Station
from backend.domain.mission.survey import Survey
from backend.web.builders.ground import site_ground
from backend.web.documents import DocumentRefused
from backend.web.pages.documents import Drawing, Drawn, DrawnRegion, DrawnStation, SiteMap
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError, Link

STEP_M = 0.1
"""How far an arrow key moves a corner where no map says how fine it is."""
COARSEST_M = 0.5


def site_map(
    survey: Survey,
    version: int,
    *,
    newest: int,
    may_draw: bool,
    typed: str = "",
    errors: Sequence[FieldError] = (),
) -> SiteMap:
    """`version` is shown, `newest` counts; of an older one nothing is drawn."""
    name = survey.name
    return SiteMap(
        source=url("sites", name, "map.json", version=version),
        may_draw=may_draw and version == newest,
        shown_version=newest,
        typed=typed,
        errors=tuple(errors),
        export=Link(label="Save for map_server", href=url("sites", name, "map.zip", version=version))
        if survey.floor is not None
        else None,
    )


def drawing(survey: Survey, version: int) -> Drawing:
    """Corners move by cells of the map, as far as these are of use to a hand."""
    floor = survey.floor
    return Drawing(
        ground=site_ground(survey, version),
        drawn=Drawn(
            regions=tuple(
                DrawnRegion(name=each.name, polygon_m=each.polygon_m, restricted=each.restricted)
                for each in survey.regions
            ),
            stations=tuple(
                DrawnStation(
                    id=each.id,
                    x_m=each.pose.x_m,
                    y_m=each.pose.y_m,
                    yaw_rad=each.pose.yaw_rad,
                    accepts=each.accepts,
                )
                for each in survey.stations
            ),
        ),
        step_m=STEP_M if floor is None else min(COARSEST_M, max(floor.cell_m, 0.01)),
    )


def taken(text: str, frame_id: str) -> tuple[tuple[Region, ...], tuple[Station, ...]]:
    """What the form sent, in the site's frame. Raises DocumentRefused."""
    try:
        drawn = msgspec.json.decode(text, type=Drawn)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise DocumentRefused(
            FieldError(
                field="drawn", message=f"This is no drawing: {error}.", remedy="Load the page and draw again."
            )
        ) from error
    regions = tuple(
        Region(name=each.name, polygon_m=each.polygon_m, restricted=each.restricted) for each in drawn.regions
    )
    stations = tuple(
        Station(id=each.id, pose=Pose(each.x_m, each.y_m, each.yaw_rad, frame_id), accepts=each.accepts)
        for each in drawn.stations
    )
    return regions, stations
