"""Surveyed floors as map_server has them, a YAML and a picture, and as the database keeps them: by digest."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from backend.domain.digests import digest
from backend.domain.mission.floor import FREE, OCCUPIED, UNKNOWN, Floor, FloorError, floor_of, kinds_of
from backend.written import WrittenError
from robot_bridge.ros.mapfile import MapFile, map_fields, map_from, written_map
from robot_bridge.ros.sitemap import OCCUPIED_FROM, MapError, Occupancy

FloorOf = Callable[[str], Floor | None]
"""By its id; None where no such floor is kept."""


def id_of(floor: Floor) -> str:
    """The same cells at the same place have the same id, whoever imported them."""
    return digest(floor)[:16]


def imported(text: bytes, name: str, picture: Callable[[MapFile], bytes]) -> Floor:
    """map_server's YAML `text`, called `name`, and the picture that it asks for. Raises WrittenError naming
    the field."""
    try:
        told = map_fields(text, name)
        occupancy = map_from(told, picture(told))
        kinds = np.full(occupancy.percent.shape, FREE, np.uint8)
        kinds[occupancy.percent >= OCCUPIED_FROM] = OCCUPIED
        kinds[occupancy.percent < 0] = UNKNOWN
        return floor_of(kinds, *occupancy[1:])
    except MapError as error:
        problem, _, remedy = str(error).removeprefix(f"{name}: ").partition(". ")
        said = problem.removeprefix(f"{error.field} ").removeprefix(f"{name} ")
        raise WrittenError(name, error.field, said.rstrip("."), remedy or "Mend it there.") from None
    except FloorError as error:
        raise WrittenError(name, error.field, error.problem, error.remedy) from None


def exported(floor: Floor, image: str) -> tuple[str, bytes]:
    """map_server's YAML, and its picture, a PGM called `image`. Raises FloorError."""
    percent = np.array([0, 100, -1], np.int8)[kinds_of(floor)]
    return written_map(Occupancy(percent, floor.cell_m, floor.x_m, floor.y_m, floor.yaw_rad), image)


def stored(floor: Floor) -> str:
    return msgspec.json.encode(floor).decode()


def read(body: str) -> Floor:
    """What `stored` wrote."""
    return msgspec.json.decode(body, type=Floor)
