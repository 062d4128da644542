"""What-ifs in the database: the sandbox's port Experiments, on SQLite and Postgres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, insert, select, text, update
from sqlalchemy.engine import RowMapping

from backend.domain.refusal import Refusal
from backend.persistence.codec import json_text
from backend.persistence.connect import now_s, reading, writing
from backend.persistence.tables.experiments import experiments
from backend.sandbox.change import Asked
from backend.sandbox.estimate import Estimate, refuse_estimate
from backend.sandbox.purse import Allowance, Spending, left_of
from backend.sandbox.results import DAY_S, Experiment, Found, Stage, spent_of

_ONE_AT_A_TIME = 7_318_004
"""Two that begin at once must not both be given what is left. SQLite's writers queue up anyway."""

_rows = experiments.c
_BRIEF = tuple([column for column in experiments.columns if column.name != "found"])


class SqlExperiments:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, episode: str, asked: Asked, estimate: Estimate, by: str, day: Allowance) -> int | Refusal:
        with writing(self._engine) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_ONE_AT_A_TIME})"))
            refusal = refuse_estimate(estimate, left_of(day, _spent(connection)))
            if refusal is not None:
                return refusal
            at_s = now_s(connection)
            values = {
                "episode": episode,
                "by": by,
                "stage": "running",
                "started_s": at_s,
                "heard_s": at_s,
                "told": "",
                "asked": json_text(asked),
                "estimate": json_text(estimate),
                "spent": json_text(Spending()),
            }
            made = connection.execute(insert(experiments).values(values).returning(_rows.id))
            return int(made.scalar_one())

    def hear(self, number: int, told: str, spent: Spending) -> None:
        self._change(number, {"told": told, "spent": json_text(spent)})

    def end(self, number: int, stage: Stage, told: str, spent: Spending, found: Found | None) -> None:
        kept = None if found is None else json_text(found)
        self._change(number, {"stage": stage, "told": told, "spent": json_text(spent), "found": kept})

    def one(self, episode: str, number: int) -> Experiment | None:
        this = (_rows.episode == episode) & (_rows.id == number)
        with reading(self._engine) as connection:
            row = connection.execute(select(experiments).where(this)).mappings().one_or_none()
        return None if row is None else _read(row)

    def all(self, episode: str) -> Sequence[Experiment]:
        query = select(*_BRIEF).where(_rows.episode == episode).order_by(_rows.id.desc())
        with reading(self._engine) as connection:
            return [_read(row) for row in connection.execute(query).mappings()]

    def spent(self) -> Spending:
        with reading(self._engine) as connection:
            return _spent(connection)

    def _change(self, number: int, values: dict[str, Any]) -> None:
        with writing(self._engine) as connection:
            heard = {**values, "heard_s": now_s(connection)}
            connection.execute(update(experiments).where(_rows.id == number).values(heard))


def _spent(connection: Connection) -> Spending:
    at_s = now_s(connection)
    query = select(*_BRIEF).where(_rows.started_s > at_s - DAY_S)
    return spent_of([_read(row) for row in connection.execute(query).mappings()], at_s)


def _read(row: RowMapping) -> Experiment:
    found = row.get("found")
    return Experiment(
        id=row["id"],
        episode=row["episode"],
        by=row["by"],
        asked=msgspec.json.decode(row["asked"], type=Asked),
        estimate=msgspec.json.decode(row["estimate"], type=Estimate),
        stage=row["stage"],
        started_s=row["started_s"],
        heard_s=row["heard_s"],
        told=row["told"],
        spent=msgspec.json.decode(row["spent"], type=Spending),
        found=None if found is None else msgspec.json.decode(found, type=Found),
    )
