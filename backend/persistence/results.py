"""Evaluation results in the database: the port Results, on SQLite and Postgres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, Engine, func, insert, select, tuple_, update
from sqlalchemy.engine import RowMapping

from backend.domain.digests import digest
from backend.persistence.codec import json_text
from backend.persistence.connect import now_s, reading, utc_text, writing
from backend.persistence.statements import insert_missing
from backend.persistence.tables.studies import studies, study_episodes
from backend.usecases.results import EpisodeResult, Run, Study

PAGE = 5_000

_rows = study_episodes.c
_RESULT = tuple([column for column in study_episodes.columns if column.name != "run"])


class DatabaseResults:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def start(self, study: Study, code_version: str, by: str = "") -> Run:
        with writing(self._engine) as connection:
            values = {
                "kind": study.kind,
                "name": study.name,
                "study": json_text(study),
                "digest": digest(study),
                "code_version": code_version,
                "started_by": by,
                "started_utc": utc_text(now_s(connection)),
            }
            made = connection.execute(insert(studies).values(values).returning(studies.c.id)).scalar_one()
            return _one(connection, made)

    def unfinished(self, study: Study, code_version: str) -> Run | None:
        mine = (
            (studies.c.digest == digest(study))
            & (studies.c.code_version == code_version)
            & studies.c.finished_utc.is_(None)
        )
        with reading(self._engine) as connection:
            found = _found(connection, mine, limit=1)
        return found[0] if found else None

    def add(self, run: int, rows: Sequence[EpisodeResult]) -> int:
        if not rows:
            return 0
        with writing(self._engine) as connection:
            return add_rows(connection, run, rows)

    def hear(self, run: int) -> None:
        with writing(self._engine) as connection:
            _heard(connection, run)

    def finish(self, run: int) -> Run:
        with writing(self._engine) as connection:
            this = (studies.c.id == run) & studies.c.finished_utc.is_(None)
            utc = utc_text(now_s(connection))
            connection.execute(update(studies).where(this).values(finished_utc=utc))
            return _one(connection, run)

    def run(self, run: int) -> Run | None:
        with reading(self._engine) as connection:
            found = _found(connection, studies.c.id == run, limit=1)
        return found[0] if found else None

    def runs(self, *, limit: int = 100) -> list[Run]:
        with reading(self._engine) as connection:
            return _found(connection, None, limit=limit)

    def done(self, run: int) -> Iterator[tuple[int, int]]:
        for row in self._paged(run, None, (_rows.arm, _rows.seed)):
            yield row["arm"], row["seed"]

    def episodes(self, run: int, *, arm: int | None = None) -> Iterator[EpisodeResult]:
        for row in self._paged(run, arm, _RESULT):
            yield _result(row)

    def episode(self, run: int, arm: int, seed: int) -> EpisodeResult | None:
        one = (_rows.run == run) & (_rows.arm == arm) & (_rows.seed == seed)
        with reading(self._engine) as connection:
            row = connection.execute(select(*_RESULT).where(one)).mappings().one_or_none()
        return None if row is None else _result(row)

    def count(self, run: int, arm: int) -> int:
        query = select(func.count()).where((_rows.run == run) & (_rows.arm == arm))
        with reading(self._engine) as connection:
            return connection.execute(query).scalar_one()

    def failures_first(self, run: int, arm: int, *, offset: int, limit: int) -> list[EpisodeResult]:
        query = select(*_RESULT).where((_rows.run == run) & (_rows.arm == arm))
        query = query.order_by(_rows.success, _rows.seed).offset(offset).limit(limit)
        with reading(self._engine) as connection:
            return [_result(row) for row in connection.execute(query).mappings()]

    def _paged(
        self, run: int, arm: int | None, columns: Sequence[ColumnElement[Any]]
    ) -> Iterator[RowMapping]:
        """A page is a view of its own, so that no transaction stands open while the rows are worked on."""
        last: tuple[int, int] | None = None
        while True:
            query = select(*columns).where(_rows.run == run).order_by(_rows.arm, _rows.seed).limit(PAGE)
            if arm is not None:
                query = query.where(_rows.arm == arm)
            if last is not None:
                query = query.where(tuple_(_rows.arm, _rows.seed) > last)
            with reading(self._engine) as connection:
                page = connection.execute(query).mappings().all()
            yield from page
            if len(page) < PAGE:
                return
            last = page[-1]["arm"], page[-1]["seed"]


def add_rows(connection: Connection, run: int, rows: Sequence[EpisodeResult]) -> int:
    """How many of them were new."""
    values = [
        {**asdict(row), "run": run, "replans": json_text(row.replans), "extra": json_text(row.extra)}
        for row in rows
    ]
    _heard(connection, run)
    missing = insert_missing(connection, study_episodes).returning(_rows.arm)
    return len(connection.execute(missing, values).all())


def _heard(connection: Connection, run: int) -> None:
    values = {"heard_utc": utc_text(now_s(connection))}
    connection.execute(update(studies).where(studies.c.id == run).values(values))


def _found(connection: Connection, condition: ColumnElement[bool] | None, *, limit: int) -> list[Run]:
    counted = select(func.count()).where(_rows.run == studies.c.id).scalar_subquery()
    query = select(studies, counted.label("done")).order_by(studies.c.id.desc()).limit(limit)
    if condition is not None:
        query = query.where(condition)
    return [_run(row) for row in connection.execute(query).mappings()]


def _one(connection: Connection, run: int) -> Run:
    return _found(connection, studies.c.id == run, limit=1)[0]


def _result(row: RowMapping) -> EpisodeResult:
    decoded = {name: msgspec.json.decode(row[name]) for name in ("replans", "extra")}
    return EpisodeResult(**{**row, **decoded})


def _run(row: RowMapping) -> Run:
    """One whose study another version wrote in a form that is not known here is still a run."""
    unreadable = ""
    try:
        study = msgspec.json.decode(row["study"], type=Study)
    except msgspec.DecodeError as error:
        unreadable = str(error)
        study = Study(kind=row["kind"], name=row["name"], arms=(), first_seed=0, seeds=0)
    return Run(
        id=row["id"],
        study=study,
        digest=row["digest"],
        code_version=row["code_version"],
        started_utc=row["started_utc"],
        finished_utc=row["finished_utc"],
        done=row["done"],
        started_by=row["started_by"],
        heard_utc=row["heard_utc"],
        unreadable=unreadable,
    )
