"""Recordings of measured episodes in the database: the port Recordings, on SQLite and Postgres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from sqlalchemy import Engine, insert, select
from sqlalchemy.engine import RowMapping

from backend.domain.episode.events import EpisodeOpened, Recorded
from backend.persistence.codec import json_text
from backend.persistence.connect import reading, writing
from backend.persistence.errors import EventUnwritable
from backend.persistence.events import every_entry
from backend.persistence.heads import ordered
from backend.persistence.journal import write_whole
from backend.persistence.results import add_rows
from backend.persistence.tables.studies import study_recordings
from backend.usecases.ordering import request_of
from backend.usecases.recordings import Recording, Trajectory
from backend.usecases.results import EpisodeResult

_rows = study_recordings.c


class DatabaseRecordings:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def keep(self, run: int, row: EpisodeResult, recording: Recording, journal: Sequence[Recorded]) -> bool:
        with writing(self._engine) as connection:
            if not add_rows(connection, run, [row]):
                return False
            if journal:
                opened = journal[0].event
                if not isinstance(opened, EpisodeOpened):
                    raise EventUnwritable("The journal does not begin with episode.opened.", field="events")
                request = request_of(recording.episode, opened.mission, opened.planner, opened.seed)
                ordered(connection, recording.episode, request, f"evaluation run {run}", wanted=False)
                write_whole(connection, recording.episode, journal)
            values = {
                "run": run,
                "arm": recording.arm,
                "seed": recording.seed,
                "episode": recording.episode,
                "content": recording.content,
                "trajectory": json_text(recording.trajectory),
            }
            connection.execute(insert(study_recordings), values)
            return True

    def one(self, run: int, arm: int, seed: int) -> Recording | None:
        query = select(study_recordings).where(_rows.run == run, _rows.arm == arm, _rows.seed == seed)
        with reading(self._engine) as connection:
            row = connection.execute(query).mappings().one_or_none()
        return None if row is None else _recording(row)

    def all(self, run: int) -> Iterator[Recording]:
        query = select(study_recordings).where(_rows.run == run).order_by(_rows.arm, _rows.seed)
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings().all()
        return map(_recording, rows)

    def journal(self, episode: str) -> Iterator[Recorded]:
        return (entry.recorded for entry in every_entry(self._engine, episode))


def _recording(row: RowMapping) -> Recording:
    return Recording(
        arm=row["arm"],
        seed=row["seed"],
        episode=row["episode"],
        content=row["content"],
        trajectory=msgspec.json.decode(row["trajectory"], type=Trajectory),
    )
