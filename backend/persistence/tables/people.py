"""What people saw and how they like their console: neither is part of an episode."""

from __future__ import annotations

from sqlalchemy import Column, Double, ForeignKey, Table, Text

from backend.persistence.tables.metadata import metadata

acknowledgements = Table(
    "acknowledgements",
    metadata,
    Column("episode", Text, ForeignKey("heads.episode", ondelete="CASCADE"), primary_key=True),
    Column("concern", Text, primary_key=True),
    Column("by", Text, nullable=False),
    Column("at_s", Double, nullable=False),
)
"""`concern`: the key of one occurrence, such as `approval:a-14`. Who saw it first stays. `at_s` is on the
database's clock."""

preferences = Table(
    "preferences",
    metadata,
    Column("user", Text, ForeignKey("users.name", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
