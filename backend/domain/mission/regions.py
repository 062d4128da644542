"""Which restricted region a place lies in. Polygons in metres in the site's frame; an edge is inside."""

from __future__ import annotations

from backend.domain.mission.site import Region, Site


def restricted_region(site: Site, x_m: float, y_m: float) -> Region | None:
    """The first restricted region that holds the place, or None."""
    for region in site.regions:
        if region.restricted and _inside(region.polygon_m, x_m, y_m):
            return region
    return None


def _inside(polygon_m: tuple[tuple[float, float], ...], x_m: float, y_m: float) -> bool:
    """Even-odd rule: a ray to the right crosses the outline an odd number of times."""
    inside = False
    for (ax, ay), (bx, by) in zip(polygon_m, polygon_m[1:] + polygon_m[:1], strict=True):
        cross = (bx - ax) * (y_m - ay) - (by - ay) * (x_m - ax)
        if cross == 0 and min(ax, bx) <= x_m <= max(ax, bx) and min(ay, by) <= y_m <= max(ay, by):
            return True
        if (ay > y_m) != (by > y_m) and x_m < ax + (bx - ax) * (y_m - ay) / (by - ay):
            inside = not inside
    return inside
