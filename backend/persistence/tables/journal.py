"""The journal proper: the head of each episode with its lease, the events, and snapshots of the fold."""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, Table, Text

from backend.persistence.tables.metadata import anchor, episode_key, metadata

heads = Table(
    "heads",
    metadata,
    Column("episode", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("chain", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("holder", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("expires_s", Double, nullable=False),
)
"""`seq`, `chain` and `content` are those of the last event; 0 and empty before the first. `expires_s`,
`epoch`, `holder` and `address` are the runner's lease, on the database's clock."""

robots = Table(
    "robots",
    metadata,
    Column("robot", Text, primary_key=True),
    Column("episode", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("expires_s", Double, nullable=False),
)
"""Which episode commands a robot. The epoch never falls, whichever episode holds it."""

events = Table(
    "events",
    metadata,
    *anchor(),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("actor", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("payload_digest", Text, nullable=False),
    Column("meta", Text),
    Column("utc", Text, nullable=False),
    Column("chain", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("redacted", Text),
)
"""`payload` holds the very bytes that were hashed, unless `redacted` says when and by whom they were
thinned."""

snapshots = Table(
    "snapshots",
    metadata,
    episode_key(),
    Column("seq", Integer, primary_key=True),
    Column("state_version", Integer, primary_key=True),
    Column("state", Text, nullable=False),
)
"""A cache of folds: may be emptied at any time."""
