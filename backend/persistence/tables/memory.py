"""Dynamic memory: current records, every judgement with its reason, and what retrieval made of each."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, Index, Integer, Table, Text

from backend.persistence.tables.metadata import anchor, episode_key, json, metadata

entity_records = Table(
    "entity_records",
    metadata,
    episode_key(),
    Column("entity", Text, primary_key=True),
    Column("created_order", Integer, nullable=False),
    Column("cls", Text, nullable=False),
    Column("x_m", Double, nullable=False),
    Column("y_m", Double, nullable=False),
    Column("yaw_rad", Double, nullable=False),
    Column("frame_id", Text, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("status", Text, nullable=False),
    Column("stamp_s", Double, nullable=False),
    Column("source", Text, nullable=False),
    Column("class_seq", Integer, nullable=False),
    Column("pose_seq", Integer, nullable=False),
    Column("status_seq", Integer, nullable=False),
    Column("belief_seq", Integer, nullable=False),
    json("failed_pose", nullable=True),
    Column("failed_s", Double),
    Column("supported", Boolean, nullable=False),
    info={"current": True},
)

entity_audit = Table(
    "entity_audit",
    metadata,
    *anchor(),
    Column("n", Integer, primary_key=True),
    Column("entity", Text, nullable=False),
    Column("field", Text),
    json("old", nullable=True),
    json("new", nullable=True),
    Column("verdict", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("source", Text),
    Column("sensed_by", Text),
    Column("stamp_s", Double),
    Column("confidence", Double),
    Column("times", Integer, nullable=False),
    Index(None, "episode", "entity"),
)
"""One row for each field an event changed; one without a field for a judgement that changed none. `verdict`
is the judgement's, `outcome` where a measured skill outcome changed the record, `corrected` where a person
did; `disputed` and `settled` are what a source says against a person's word."""

retrievals = Table(
    "retrievals",
    metadata,
    *anchor(),
    Column("n", Integer, primary_key=True),
    Column("decision", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("entity", Text, nullable=False),
    Column("score", Double, nullable=False),
    Column("weight", Double, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("decay", Double, nullable=False),
    Column("nearness", Double, nullable=False),
    Column("distance_m", Double, nullable=False),
    Column("age_s", Double, nullable=False),
    Column("rank", Integer),
    Column("left_out", Text),
)
"""One row a record at each call to the planner, factor by factor."""
