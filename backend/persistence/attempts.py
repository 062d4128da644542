"""Tries at the sign-in, counted in the database: one count for all web processes, across their restarts."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, Engine, delete, select, update

from backend.domain.access.attempts import FORGET_S, Kind, Tries, refuse_attempt
from backend.domain.refusal import Refusal
from backend.persistence.connect import now_s, writing
from backend.persistence.plain import audited
from backend.persistence.statements import insert_missing, upsert
from backend.persistence.tables.accounts import attempts

LONGEST_KEY = 200


class SqlAttempts:
    """For any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, keys: Mapping[Kind, str]) -> Refusal | None:
        """Counts the attempt as failed before anything is looked at, so that many at once get no further
        than one after another; `succeeded` takes that back."""
        with writing(self._engine) as connection:
            clock_s = now_s(connection)
            tries = {kind: _tries(connection, kind, key) for kind, key in keys.items()}
            refusal = refuse_attempt(tries, clock_s)
            if refusal is not None:
                return refusal
            for kind, key in keys.items():
                failures = tries[kind].counted(clock_s) + 1
                row = {"kind": kind, "key": key[:LONGEST_KEY], "failures": failures, "last_s": clock_s}
                connection.execute(upsert(connection, attempts), row)
            connection.execute(delete(attempts).where(attempts.c.last_s < clock_s - FORGET_S))
            return None

    def failed(self, keys: Mapping[Kind, str]) -> None:
        """Leaves a row in the audit table: somebody tries names or passwords."""
        with writing(self._engine) as connection:
            audited(
                connection,
                "anyone",
                "sign_in.failed",
                keys.get("account", "")[:LONGEST_KEY],
                None,
                dict(keys),
            )

    def succeeded(self, keys: Mapping[Kind, str]) -> None:
        with writing(self._engine) as connection:
            for kind, key in keys.items():
                left = 0 if kind == "account" else max(0, _tries(connection, kind, key).failures - 1)
                mine = (attempts.c.kind == kind) & (attempts.c.key == key[:LONGEST_KEY])
                connection.execute(update(attempts).where(mine).values(failures=left))


def _tries(connection: Connection, kind: Kind, key: str) -> Tries:
    # The row is there before it is locked, so that the first of many tries at once is counted too.
    first = {"kind": kind, "key": key[:LONGEST_KEY], "failures": 0, "last_s": 0.0}
    connection.execute(insert_missing(connection, attempts), first)
    mine = (attempts.c.kind == kind) & (attempts.c.key == key[:LONGEST_KEY])
    query = select(attempts.c.failures, attempts.c.last_s).where(mine).with_for_update()
    return Tries(**connection.execute(query).mappings().one())
