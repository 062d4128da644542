"""What-ifs of episodes. Apart from every table of an episode's own: nothing in it ever happened."""

from __future__ import annotations

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, Table, Text

from backend.persistence.tables.metadata import json, metadata

experiments = Table(
    "experiments",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("episode", Text, ForeignKey("heads.episode", ondelete="CASCADE"), nullable=False),
    Column("by", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("started_s", Double, nullable=False),
    Column("heard_s", Double, nullable=False),
    Column("told", Text, nullable=False),
    json("asked"),
    json("estimate"),
    json("spent"),
    json("found", nullable=True),
    Index(None, "episode"),
    Index(None, "started_s"),
)
"""`asked`, `estimate`, `spent`, `found`: as `backend.sandbox.results` has them. `started_s`, `heard_s`: epoch
seconds on the database's clock."""
