"""Operators' intents and what became of them."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from backend.persistence.tables.metadata import json, metadata

intents = Table(
    "intents",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=True),
    Column("intent_id", Text, nullable=False),
    Column("episode", Text, ForeignKey("heads.episode", ondelete="CASCADE"), nullable=False),
    Column("actor", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("kind", Text, nullable=False),
    json("action"),
    Column("stopping", Boolean, nullable=False),
    Column("not_after_s", Double, nullable=False),
    Column("put_s", Double, nullable=False),
    Column("status", Text, nullable=False),
    Column("applied", Boolean),
    Column("code", Text),
    Column("message", Text),
    Column("remedy", Text),
    Column("settled_seq", Integer),
    Column("settled_s", Double),
    UniqueConstraint("episode", "intent_id"),
    Index(None, "episode", "status"),
    Index(None, "episode", "actor", "put_s"),
)
"""`status`: undecided, settled, withdrawn. `settled_seq` is the journal's head after the transaction that
settled it."""
