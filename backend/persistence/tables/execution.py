"""What was executed and measured, what was noted, which frames were kept, where the robot was."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, Integer, Table, Text

from backend.persistence.tables.metadata import anchor, episode_key, json, metadata

execution_log = Table(
    "execution_log",
    metadata,
    *anchor(),
    Column("line", Integer, nullable=False),
    Column("dispatch_id", Text, nullable=False),
    Column("skill", Text, nullable=False),
    Column("command", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("started_s", Double, nullable=False),
    Column("ended_s", Double, nullable=False),
    json("measured"),
)

notes = Table(
    "notes",
    metadata,
    *anchor(),
    Column("decision", Integer, nullable=False),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
)

frames = Table(
    "frames",
    metadata,
    *anchor(),
    Column("n", Integer, primary_key=True),
    Column("dispatch_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("width_px", Integer, nullable=False),
    Column("height_px", Integer, nullable=False),
    Column("camera", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("share", Double),
    Column("returned", Boolean, nullable=False),
    json("watch", nullable=True),
)
"""Withheld frames too. `n` 0 is the view before the action."""

telemetry = Table(
    "telemetry",
    metadata,
    episode_key(),
    Column("robot", Text, primary_key=True),
    Column("met_s", Double, primary_key=True),
    Column("utc", Text, nullable=False),
    Column("x_m", Double, nullable=False),
    Column("y_m", Double, nullable=False),
    Column("yaw_rad", Double, nullable=False),
    Column("frame_id", Text, nullable=False),
    Column("speed_m_s", Double),
    Column("held", Text),
    json("extra", nullable=True),
)
"""Decimated on writing; not part of the journal and not made again from it."""
