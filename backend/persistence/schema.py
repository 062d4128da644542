"""Brings a database to this version's tables, and refuses one from a newer version.

Which version it is at is asked at every start, by commands that are to be quick too: so without Alembic,
which is imported where there is something to migrate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from backend.assets import asset
from backend.persistence.connect import reading, writing
from backend.persistence.errors import DatabaseNewer, DatabaseOutdated

if TYPE_CHECKING:
    from alembic.config import Config

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
            from alembic import command

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
    return _revisions()[-1]


def _revisions() -> list[str]:
    """Oldest first: each migration's file is named after its revision, and each follows the one before."""
    found = sorted(
        each.name.partition("_")[0] for each in (asset("migrations") / "versions").glob("[0-9]*_*.py")
    )
    if not found:
        raise FileNotFoundError("no migrations are installed")
    return found


def _refuse_newer(engine: Engine, found: str | None) -> None:
    if found is not None and found not in _revisions():
        raise DatabaseNewer(
            f"The database {_shown(engine)} was written by a newer Quarterdeck: it is at revision {found}, "
            f"and this version knows up to {newest()}.",
            field="database_url",
            remedy="Install that newer version, or name another database or home.",
        )


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _shown(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=True)


def _config() -> Config:
    from alembic.config import Config

    config = Config(asset("alembic.ini"))
    config.set_main_option("script_location", str(asset("migrations")).replace("%", "%%"))
    return config
