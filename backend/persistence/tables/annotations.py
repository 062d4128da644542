"""What people wrote beside episodes: every version of every annotation, for good."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text

from backend.persistence.tables.metadata import episode_key, metadata

annotation_versions = Table(
    "annotation_versions",
    metadata,
    episode_key(),
    Column("id", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("until_seq", Integer),
    Column("entity", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("editor", Text, nullable=False),
    Column("created_utc", Text, nullable=False),
    Column("utc", Text, nullable=False),
    Column("is_removed", Boolean, nullable=False),
    Index(None, "episode", "seq"),
)
"""`id` is the same wherever the annotation is taken in a bundle. `author` wrote the first version, `editor`
this one. `tags` with blanks between. The newest version counts."""
