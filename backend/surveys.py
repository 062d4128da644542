"""What people know of a site, as YAML: the fields of `Survey`; docs/how-to/write-a-mission.md has them.

Its floor stands there by id alone: the cells are kept beside it. Stations have the short form `{id, x_m,
y_m}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import yaml
from msgspec.structs import replace

from backend.domain.mission.floor import Floor
from backend.domain.mission.site import Region, Station
from backend.domain.mission.survey import Survey, flaw_of
from backend.floors import FloorOf
from backend.written import WrittenError, read_fields, read_value

_KEY = re.compile(r"[A-Za-z_]\w*\s*:")


def no_floor(floor_id: str) -> Floor | None:
    return None


def read_survey(text: str, name: str, version: int, floor_of: FloorOf = no_floor) -> Survey:
    """Raises WrittenError naming the field and the remedy."""
    place = f"{name}, version {version}" if version else name
    fields = read_fields(text.encode("utf-8", "surrogatepass"), place, "a site")
    survey = read_value(_long_forms(fields, place, floor_of), Survey, place, "a site")
    if survey.name != name:
        raise WrittenError(place, "name", f"is {survey.name!r}", f"Write {name!r}.")
    flaw = flaw_of(survey)
    if flaw is not None:
        raise WrittenError(place, flaw.field, flaw.problem, flaw.remedy)
    return replace(survey, version=version)


def drawn_text(text: str, regions: tuple[Region, ...], stations: tuple[Station, ...]) -> str:
    """The text with other regions and stations; the rest of it, comments too, stays as it is written."""
    told = [
        {
            "name": each.name,
            **({"restricted": True} if each.restricted else {}),
            "polygon_m": [list(corner) for corner in each.polygon_m],
        }
        for each in regions
    ]
    stood = [
        {
            "id": each.id,
            "x_m": each.pose.x_m,
            "y_m": each.pose.y_m,
            **({"yaw_rad": each.pose.yaw_rad} if each.pose.yaw_rad else {}),
            **({"accepts": list(each.accepts)} if each.accepts else {}),
        }
        for each in stations
    ]
    return with_fields(text, {"regions": told, "stations": stood})


def with_fields(text: str, values: Mapping[str, Any]) -> str:
    """The YAML text with these top-level fields set; an empty list takes its field out.

    Line by line, so that comments stay. A text that is not written so, `{name: yard}` on one line, is written
    anew.
    """
    written = text
    for key, value in values.items():
        written = _with_field(written, key, value)
    wanted = {key: value for key, value in values.items() if value != []}
    try:
        kept = {key: value for key, value in yaml.safe_load(text).items() if key not in values}
        if yaml.safe_load(written) == {**kept, **wanted}:
            return written
    except (yaml.YAMLError, AttributeError):
        return written  # it is no YAML to begin with, and whoever reads it says where
    return yaml.safe_dump({**kept, **wanted}, sort_keys=False, allow_unicode=True)


def _with_field(text: str, key: str, value: Any) -> str:
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if re.match(rf"{re.escape(key)}\s*:", line)), None)
    made = [] if value == [] else _dumped(key, value)
    if start is None:
        return "\n".join([*lines, *(["", *made] if made else [])]) + "\n"
    end = next((n for n in range(start + 1, len(lines)) if _KEY.match(lines[n])), len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return "\n".join([*lines[:start], *made, *lines[end:]]) + "\n"


def _dumped(key: str, value: Any) -> list[str]:
    """A list with an entry a line, as people write it."""
    if not isinstance(value, list):
        return yaml.safe_dump({key: value}, allow_unicode=True).splitlines()
    entries = [
        yaml.safe_dump(each, sort_keys=False, allow_unicode=True, default_flow_style=True, width=1_000_000)
        for each in value
    ]
    return [f"{key}:", *(f"  - {entry.strip()}" for entry in entries)]


def _long_forms(fields: dict[str, Any], place: str, floor_of: FloorOf) -> dict[str, Any]:
    frame = fields.get("frame_id", "map")
    if isinstance(fields.get("stations"), list):
        fields["stations"] = [_station(each, frame) for each in fields["stations"]]
    named = fields.get("floor")
    if isinstance(named, str):
        floor = floor_of(named)
        if floor is None:
            raise WrittenError(
                place,
                "floor",
                f"is {named[:80]!r}, and no such map is kept here",
                "Import it, or take it out.",
            )
        fields["floor"] = msgspec.to_builtins(floor)
    return fields


def _station(told: Any, frame: Any) -> Any:
    """`{id, x_m, y_m, yaw_rad}`, as a robot's file has it, stands in the site's frame."""
    if not isinstance(told, dict) or "pose" in told:
        return told
    pose = {"x_m": told.get("x_m"), "y_m": told.get("y_m"), "yaw_rad": told.get("yaw_rad", 0.0)}
    rest = {key: value for key, value in told.items() if key not in pose}
    return {**rest, "pose": {**pose, "frame_id": frame}}
