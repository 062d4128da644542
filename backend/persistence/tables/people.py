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

alarms = Table(
    "alarms",
    metadata,
    Column("episode", Text, ForeignKey("heads.episode", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("condition", Text, nullable=False),
    Column("tone", Text, nullable=False),
    Column("icon", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("raised_s", Double, nullable=False),
    Column("returned_s", Double),
)
"""Alarms that hold, and those that nobody has seen although they are over; a row goes when it is both over
and seen. `key` is what `acknowledgements` calls `concern`; the two times are epoch seconds."""

preferences = Table(
    "preferences",
    metadata,
    Column("user", Text, ForeignKey("users.name", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
