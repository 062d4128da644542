"""Where the robots were, twice a second at most. Beside the journal: a lost sample changes no state."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, Engine, select

from backend.persistence.codec import json_text, storable
from backend.persistence.connect import now_s, utc_text, writing
from backend.persistence.statements import insert_missing
from backend.persistence.tables.execution import telemetry
from backend.usecases.reading import TelemetrySample

RATE_HZ = 2.0
MOST_WAITING = 2_400
"""Ten minutes of two robots, kept while the database takes nothing."""


class Decimator:
    """Keeps the first sample of each robot in every 1 / `rate_hz` seconds of mission time."""

    def __init__(self, rate_hz: float = RATE_HZ) -> None:
        self._rate_hz = rate_hz
        self._kept: dict[str, int] = {}

    def keeps(self, robot: str, met_s: float) -> bool:
        slot = math.floor(met_s * self._rate_hz)
        if slot <= self._kept.get(robot, -1):
            return False
        self._kept[robot] = slot
        return True


class TelemetryWriter:
    """Gathers samples of one episode; `flush` writes them in one transaction. For one thread."""

    def __init__(self, engine: Engine, episode: str, *, rate_hz: float = RATE_HZ) -> None:
        self._engine = engine
        self._episode = episode
        self._decimator = Decimator(rate_hz)
        self._waiting: deque[TelemetrySample] = deque(maxlen=MOST_WAITING)

    def add(self, sample: TelemetrySample) -> None:
        """Drops what the rate has no place for, and what is no measurement."""
        if _is_finite(sample) and self._decimator.keeps(sample.robot, sample.met_s):
            self._waiting.append(sample)

    def flush(self) -> int:
        """How many were written. When it raises, the newest `MOST_WAITING` wait for the next call."""
        if not self._waiting:
            return 0
        with writing(self._engine) as connection:
            utc = utc_text(now_s(connection))
            rows = [_row(self._episode, utc, sample) for sample in self._waiting]
            connection.execute(insert_missing(connection, telemetry), rows)
        self._waiting.clear()
        return len(rows)


def _is_finite(sample: TelemetrySample) -> bool:
    numbers = (sample.met_s, sample.x_m, sample.y_m, sample.yaw_rad, sample.speed_m_s or 0.0)
    return all(map(math.isfinite, numbers))


def _row(episode: str, utc: str, sample: TelemetrySample) -> dict[str, Any]:
    extra = None if sample.extra is None else json_text(sample.extra)
    return storable({**asdict(sample), "episode": episode, "utc": utc, "extra": extra})


def samples(
    connection: Connection, episode: str, from_s: float, to_s: float, robot: str | None = None
) -> list[TelemetrySample]:
    columns = [column for column in telemetry.columns if column.name not in ("episode", "utc")]
    query = select(*columns).where(telemetry.c.episode == episode, telemetry.c.met_s.between(from_s, to_s))
    if robot is not None:
        query = query.where(telemetry.c.robot == robot)
    rows = connection.execute(query.order_by(telemetry.c.met_s, telemetry.c.robot)).mappings()
    return [
        TelemetrySample(
            **{**row, "extra": None if row["extra"] is None else msgspec.json.decode(row["extra"])}
        )
        for row in rows
    ]
