"""How much is stored, by kind and by mission, as each database measures its own tables."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from backend.domain.refusal import Refusal
from backend.domain.retention.room import room_of
from backend.domain.retention.rules import Rules
from backend.domain.retention.told import Gone, MissionUse, Preview, Usage
from backend.persistence.connect import reading
from backend.persistence.frames import FrameStore
from backend.persistence.retention.candidates import candidates
from backend.persistence.retention.letting_go import let_go, preview, unnamed
from backend.persistence.tables import DERIVED

KINDS: Mapping[str, tuple[str, ...]] = {
    "Journals": ("events", "heads", "intents", "orders"),
    "Lists made from journals": tuple(table.name for table in DERIVED),
    "Telemetry": ("telemetry",),
    "Snapshots, a cache": ("snapshots",),
    "Search index, a cache": ("search_",),
    "Annotations": ("annotation_versions",),
    "Evaluations": ("stud", "experiment"),
}
"""Of the database: its tables by the beginning of their names; the rest is told as such."""
REST = "Accounts, documents, audit and the rest"
PICTURES = "Pictures"


def usage(engine: Engine, store: FrameStore, home: Path) -> Usage:
    disk = shutil.disk_usage(home)
    sizes = {each.sha256: each.bytes for each in store.listing()}
    with reading(engine) as connection:
        tables, is_measured = _tables(connection)
        missions = _missions(connection, sizes)
        spare = unnamed(connection, store)
    kinds = [*_kinds(tables), (PICTURES, sum(sizes.values()))]
    return Usage(
        kinds=tuple(sorted(kinds, key=lambda kind: -kind[1])),
        missions=missions,
        pictures=len(sizes),
        unnamed=spare,
        room=room_of(disk.free, disk.total),
        is_measured=is_measured,
    )


def _kinds(tables: Mapping[str, int]) -> list[tuple[str, int]]:
    left, kinds = dict(tables), []
    for name, begins in KINDS.items():
        of_kind = [table for table in left if table.startswith(begins)]
        kinds.append((name, sum(left.pop(table) for table in of_kind)))
    return [*kinds, (REST, sum(left.values()))]


def _missions(connection: Connection, sizes: Mapping[str, int]) -> tuple[MissionUse, ...]:
    found: dict[str, list[int]] = {}
    shown: dict[str, set[str]] = {}
    for each in candidates(connection):
        row = found.setdefault(each.mission, [0, 0])
        row[0], row[1] = row[0] + 1, row[1] + each.bytes
        shown.setdefault(each.mission, set()).update(each.pictures)
    missions = [
        MissionUse(
            mission=name,
            episodes=count,
            bytes=size,
            picture_bytes=sum(sizes.get(sha256, 0) for sha256 in shown[name]),
        )
        for name, (count, size) in found.items()
    ]
    return tuple(sorted(missions, key=lambda each: -(each.bytes + each.picture_bytes)))


def _tables(connection: Connection) -> tuple[dict[str, int], bool]:
    """Bytes by table, its indexes with it; whether the database can tell."""
    if connection.dialect.name == "postgresql":
        query = text(
            "SELECT relname AS name, pg_total_relation_size(oid) AS size FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return {row.name: int(row.size) for row in connection.execute(query)}, True
    measured = text(
        "SELECT coalesce(m.tbl_name, d.name) AS name, sum(d.pgsize) AS size FROM dbstat AS d"
        " LEFT JOIN sqlite_schema AS m ON m.name = d.name WHERE d.aggregate = TRUE GROUP BY 1"
    )
    try:
        return {row.name: int(row.size) for row in connection.execute(measured)}, True
    except OperationalError:  # this SQLite was built without dbstat
        pages = text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return {"database": int(connection.execute(pages).scalar_one())}, False


class SqlStorage:
    """What the console and the command line are given. For any number of threads."""

    def __init__(self, engine: Engine, store: FrameStore, home: Path) -> None:
        self._engine = engine
        self._store = store
        self._home = home

    def usage(self) -> Usage:
        return usage(self._engine, self._store, self._home)

    def preview(self, rules: Rules) -> Preview | Refusal:
        return preview(self._engine, self._store, rules)

    def let_go(self, rules: Rules, shown_digest: str, by: str) -> Gone | Refusal:
        return let_go(self._engine, self._store, rules, shown_digest, by)
