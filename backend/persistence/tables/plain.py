"""Plain tables: what people edit outside a journal, and the one audit table that records each such edit."""

from sqlalchemy import Column, Integer, Table, Text

from backend.persistence.tables.metadata import json, metadata

document_versions = Table(
    "document_versions",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("body", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("utc", Text, nullable=False),
)
"""Missions and sites as their authors wrote them, each version for good. `kind`: mission, site. Versions
count edits from 1."""

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("utc", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    json("before", nullable=True),
    json("after", nullable=True),
)
"""`action`: `document.put`, `user.added`, …; `subject`: what it was done to."""
