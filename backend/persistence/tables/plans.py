"""Plans and approvals, a row for each change, so that a cursor cuts them anywhere; planner exchanges."""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, Table, Text

from backend.persistence.tables.metadata import anchor, json, metadata

plans = Table(
    "plans",
    metadata,
    *anchor(),
    Column("number", Integer),
    Column("change", Text, nullable=False),
    Column("author", Text),
    json("steps", nullable=True),
    Column("rationale", Text),
    Column("digest", Text),
    Column("based_on_seq", Integer),
    Column("target", Text),
    json("dependencies", nullable=True),
    json("findings", nullable=True),
    json("cause", nullable=True),
    Column("message", Text, nullable=False),
)
"""`change`: requested, proposed, refused, invalidated, completed. `number` is None for what never became a
plan."""

approvals = Table(
    "approvals",
    metadata,
    *anchor(),
    Column("approval_id", Text, nullable=False),
    Column("change", Text, nullable=False),
    Column("plan_number", Integer),
    Column("first_step", Integer),
    Column("last_step", Integer),
    json("pins", nullable=True),
    Column("pins_digest", Text),
    Column("expires_s", Double),
    Column("by", Text),
    Column("reason", Text, nullable=False),
    json("cause", nullable=True),
)
"""`change` is the status that the approval took."""

exchanges = Table(
    "exchanges",
    metadata,
    *anchor(),
    Column("decision", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("api", Text, nullable=False),
    Column("request_digest", Text, nullable=False),
    Column("input_tokens", Integer),
    Column("cached_tokens", Integer),
    Column("output_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("total_tokens", Integer),
    Column("cost_usd", Double),
    Column("latency_s", Double),
)
"""Request and response stand in the event of the same seq."""
