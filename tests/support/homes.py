"""Homes with a database in place, copied from one that was migrated once: that takes most of a second."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from backend.bootstrap import DATABASE, open_engine, ready_engine
from backend.config import Settings, load_settings


def new_home(home: Path, **given: Any) -> tuple[Settings, Engine]:
    """Its settings and its database. `given`: settings, a `database_url` that is there already among them."""
    home.mkdir(parents=True, exist_ok=True)
    settings = load_settings(home=home, **given)
    if not settings.database_url:
        shutil.copy(_template(), home / DATABASE)
    return settings, open_engine(settings)


@cache
def _template() -> Path:
    home = Path(tempfile.mkdtemp(prefix="quarterdeck-template-"))
    engine = ready_engine(load_settings(home=home))
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return home / DATABASE
