"""The durable ledger: SQLite with synchronous FULL, so that what it took survives a kill and a power cut."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from robot_bridge.ledger import KEPT_EVIDENCE, Dispatch, LedgerError, Message, Stop

SCHEMA_VERSION = 2
HISTORY = "CREATE TABLE history (n INTEGER PRIMARY KEY, row TEXT NOT NULL) STRICT;"
"""Since version 2."""
SCHEMA = f"""
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE dispatch (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, step TEXT NOT NULL,
    state TEXT NOT NULL, executions INTEGER NOT NULL, begun_s REAL NOT NULL, outcome TEXT
) STRICT;
CREATE INDEX dispatch_running ON dispatch (place) WHERE state = 'running';
CREATE TABLE stop (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, actor TEXT NOT NULL,
    latched INTEGER NOT NULL, confirmed INTEGER NOT NULL
) STRICT;
CREATE TABLE report (n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, message TEXT NOT NULL) STRICT;
{HISTORY}
"""
DISPATCH = "SELECT id, epoch, step, state, executions, begun_s, outcome FROM dispatch"
STOP = "SELECT id, actor, latched, confirmed FROM stop"


def open_ledger(home: Path) -> SqliteLedger:
    """The ledger in `home`, made anew when there is none or it is damaged.

    A file beside it remembers its id. When that file names a ledger that is gone, the new one is `lost`.
    Raises LedgerError when the ledger cannot be opened or was written by a newer version.
    """
    home.mkdir(parents=True, exist_ok=True)
    path, mark = home / "ledger.sqlite", home / "ledger.id"
    expected = mark.read_text("ascii").strip() if mark.exists() else None
    if path.exists() and not _is_whole(path):
        for part in (path, *home.glob("ledger.sqlite-*")):
            part.rename(_free_name(part))
        expected = expected or "damaged"
    ledger = SqliteLedger(path)
    if expected is not None and ledger.id != expected:
        ledger.remember_loss()
    mark.write_text(ledger.id, "ascii")
    return ledger


class SqliteLedger:
    """Every write is durable when it returns; LedgerError says that it was not taken."""

    def __init__(self, path: Path | str) -> None:
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._prepare(path)
        except sqlite3.Error as error:
            raise LedgerError(f"The ledger {path} cannot be opened: {error}.") from error
        self.id = self._fact("id") or ""
        self.lost = self._fact("lost") is not None

    def close(self) -> None:
        self._db.close()

    def remember_loss(self) -> None:
        self._keep_fact("lost", "1")
        self.lost = True

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def highest_epoch(self) -> int:
        return int(self._fact("epoch") or 0)

    def raise_epoch(self, epoch: int) -> None:
        if epoch > self.highest_epoch():
            self._keep_fact("epoch", str(epoch))

    def dispatch(self, dispatch_id: str) -> Dispatch | None:
        return _dispatch(self._row(f"{DISPATCH} WHERE id = ?", dispatch_id))

    def running(self) -> Dispatch | None:
        return _dispatch(self._row(f"{DISPATCH} WHERE state = 'running'"))

    def begin(self, dispatch_id: str, epoch: int, step: Message, met_s: float) -> None:
        self._execute(
            "INSERT INTO dispatch (id, epoch, step, state, executions, begun_s)"
            " VALUES (?, ?, ?, 'running', 1, ?)"
            " ON CONFLICT (id) DO UPDATE SET executions = executions + 1, state = 'running'",
            *(dispatch_id, epoch, json.dumps(step), met_s),
        )

    def end(self, dispatch_id: str, outcome: Message) -> None:
        self._execute(
            "UPDATE dispatch SET state = 'ended', outcome = ? WHERE id = ?", json.dumps(outcome), dispatch_id
        )

    def bury(self, dispatch_id: str, epoch: int, outcome: Message) -> None:
        self._execute(
            "INSERT INTO dispatch (id, epoch, step, state, executions, begun_s, outcome)"
            " VALUES (?, ?, '{}', 'ended', 0, ?, ?)",
            *(dispatch_id, epoch, outcome["ended_s"], json.dumps(outcome)),
        )

    def executions(self) -> dict[str, int]:
        return dict(self._execute("SELECT id, executions FROM dispatch ORDER BY place").fetchall())

    def stop(self, stop_id: str) -> Stop | None:
        row = self._row(f"{STOP} WHERE id = ?", stop_id)
        return None if row is None else _stop(row)

    def stop_ids(self) -> set[str]:
        return {row[0] for row in self._execute("SELECT id FROM stop")}

    def latched(self) -> tuple[Stop, ...]:
        return tuple(_stop(row) for row in self._execute(f"{STOP} WHERE latched ORDER BY place"))

    def latch(self, stop_id: str, actor: str) -> None:
        self._execute(
            "INSERT INTO stop (id, actor, latched, confirmed) VALUES (?, ?, 1, 0)"
            " ON CONFLICT (id) DO UPDATE SET latched = 1, confirmed = 0",
            *(stop_id, actor),
        )

    def confirm(self, stop_id: str) -> None:
        self._execute("UPDATE stop SET confirmed = 1 WHERE id = ?", stop_id)

    def release(self, stop_id: str) -> None:
        self._execute("UPDATE stop SET latched = 0 WHERE id = ?", stop_id)

    def report(self, kind: str, met_s: float, body: Message) -> Message:
        text = json.dumps({"kind": kind, "met_s": met_s, **body})
        n = self._execute("INSERT INTO report (kind, message) VALUES (?, ?)", kind, text).lastrowid
        if kind == "evidence":
            self._execute("DELETE FROM report WHERE kind = 'evidence' AND n <= ?", (n or 0) - KEPT_EVIDENCE)
        return {"report": n, "kind": kind, "met_s": met_s, **body}

    def kept_reports(self, after: int) -> list[Message]:
        rows = self._execute("SELECT n, message FROM report WHERE n > ? ORDER BY n", after)
        return [{"report": n, **json.loads(text)} for n, text in rows]

    def last_report(self) -> int:
        row = self._row("SELECT seq FROM sqlite_sequence WHERE name = 'report'")
        return 0 if row is None else int(row[0])

    def acknowledge(self, through: int) -> None:
        self._execute("DELETE FROM report WHERE n <= ?", through)

    def save_world(self, state: Message) -> None:
        self._keep_fact("world", json.dumps(state))

    def load_world(self) -> Message | None:
        text = self._fact("world")
        return None if text is None else json.loads(text)

    def keep_history(self, rows: list[Any]) -> None:
        for row in rows:
            self._execute("INSERT INTO history (row) VALUES (?)", json.dumps(row))

    def history(self) -> list[Any]:
        return [json.loads(row) for (row,) in self._execute("SELECT row FROM history ORDER BY n")]

    def _prepare(self, path: Path | str) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise LedgerError(
                f"The ledger {path} has format {version}, written by a newer version; this one knows format"
                f" {SCHEMA_VERSION}. Start that version, or give another home."
            )
        if version < SCHEMA_VERSION:
            missing = SCHEMA if version == 0 else HISTORY
            self._db.executescript(f"BEGIN IMMEDIATE;{missing}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
        self._db.execute("INSERT OR IGNORE INTO fact VALUES ('id', ?)", (uuid.uuid4().hex,))

    def _fact(self, name: str) -> str | None:
        row = self._row("SELECT value FROM fact WHERE name = ?", name)
        return None if row is None else str(row[0])

    def _keep_fact(self, name: str, value: str) -> None:
        self._execute(
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            value,
        )

    def _row(self, statement: str, *values: Any) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._execute(statement, *values).fetchone()
        return row

    def _execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        try:
            return self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise LedgerError(f"The ledger took nothing: {error}.") from error


def _dispatch(row: tuple[Any, ...] | None) -> Dispatch | None:
    if row is None:
        return None
    dispatch_id, epoch, step, state, executions, begun_s, outcome = row
    ended = None if outcome is None else json.loads(outcome)
    return Dispatch(dispatch_id, epoch, json.loads(step), state, executions, begun_s, ended)


def _stop(row: tuple[Any, ...]) -> Stop:
    return Stop(row[0], row[1], bool(row[2]), bool(row[3]))


def _is_whole(path: Path) -> bool:
    try:
        db = sqlite3.connect(path)
        try:
            return bool(db.execute("PRAGMA quick_check").fetchone()[0] == "ok")
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise LedgerError(f"The ledger {path} cannot be read: {error}.") from error
        return False


def _free_name(path: Path) -> Path:
    number = 1
    while (free := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return free
