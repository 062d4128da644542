"""Brings a database to this version's tables, and refuses one from a newer version."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from backend.assets import asset
from backend.persistence.connect import reading, writing
from backend.persistence.errors import DatabaseNewer, DatabaseOutdated

_UPGRADE_LOCK = 7_253_901


def upgrade(engine: Engine) -> str | None:
    """Runs the migrations that are missing, in one transaction; the revision it was at before, None where it
    was empty.

    Of several processes at once one does it and the others wait. Raises DatabaseNewer and leaves the database
    alone.
    """
    with writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})"))
        before = _revision(connection)
        _refuse_newer(engine, before)
        if before != newest():
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        return before


def check(engine: Engine) -> None:
    """Raises DatabaseNewer or DatabaseOutdated unless the database is at exactly this version's tables."""
    with reading(engine) as connection:
        found = _revision(connection)
    _refuse_newer(engine, found)
    if found != newest():
        raise DatabaseOutdated(
            f"The database {_shown(engine)} is {'empty' if found is None else f'at revision {found}'}; "
            f"this version needs {newest()}.",
            field="database_url",
            remedy="Run: quarterdeck db upgrade",
        )


def revision(engine: Engine) -> str | None:
    """The database's revision; None where no migration ever ran."""
    with reading(engine) as connection:
        return _revision(connection)


def newest() -> str:
    """The revision that this version's tables are at."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise FileNotFoundError("no migrations are installed")
    return head


def _refuse_newer(engine: Engine, found: str | None) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if found is not None and found not in known:
        raise DatabaseNewer(
            f"The database {_shown(engine)} was written by a newer Quarterdeck: it is at revision {found}, "
            f"and this version knows up to {newest()}.",
            field="database_url",
            remedy="Install that newer version, or name another database or home.",
        )


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _shown(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=True)


def _config() -> Config:
    config = Config(asset("alembic.ini"))
    config.set_main_option("script_location", str(asset("migrations")).replace("%", "%%"))
    return config
