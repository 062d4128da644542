"""Evaluation runs, and one row an episode of theirs.

Bare episodes have no journal here: it can be made again. What a model answered cannot, so that such an
episode is also one of the console's.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
)

from backend.persistence.tables.metadata import json, metadata

studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    json("study"),
    Column("digest", Text, nullable=False),
    Column("code_version", Text, nullable=False),
    Column("started_utc", Text, nullable=False),
    Column("finished_utc", Text),
    Column("started_by", Text, nullable=False, server_default=""),
    Column("heard_utc", Text, nullable=False, server_default=""),
    Index(None, "digest"),
)
"""`study` holds arms and seeds in full, `digest` its identity: an interrupted run is found again by it.
`heard_utc`: when episodes of it were last stored."""

study_episodes = Table(
    "study_episodes",
    metadata,
    Column("run", Integer, ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True),
    Column("arm", Integer, primary_key=True),
    Column("seed", BigInteger, primary_key=True),
    Column("success", Boolean, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("context", BigInteger, nullable=False),
    Column("planner_calls", Integer, nullable=False),
    Column("stale_visits", Integer, nullable=False),
    Column("delivered", Integer, nullable=False),
    Column("path_m", Double, nullable=False),
    json("replans"),
    json("extra"),
)

study_recordings = Table(
    "study_recordings",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("arm", Integer, primary_key=True),
    Column("seed", BigInteger, primary_key=True),
    Column("episode", Text, ForeignKey("heads.episode"), nullable=False),
    Column("content", Text, nullable=False),
    json("trajectory"),
    ForeignKeyConstraint(
        ["run", "arm", "seed"],
        ["study_episodes.run", "study_episodes.arm", "study_episodes.seed"],
        name="fk_study_recordings_run_arm_seed",
        ondelete="CASCADE",
    ),
)
"""`episode` holds journal and exchanges, `content` is the content digest of what was played."""
