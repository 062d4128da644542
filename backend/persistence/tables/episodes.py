"""What was ordered, and what each episode has come to."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, Table, Text

from backend.persistence.tables.metadata import episode_key, json, metadata

orders = Table(
    "orders",
    metadata,
    episode_key(),
    json("request"),
    Column("ordered_by", Text, nullable=False),
    Column("utc", Text, nullable=False),
    Column("wanted", Boolean, nullable=False),
)
"""`request` is what the runner is started with. `wanted` False: no runner is to be started for it any
more."""

episodes = Table(
    "episodes",
    metadata,
    episode_key(),
    Column("seq", Integer, nullable=False),
    Column("met_s", Double, nullable=False),
    Column("updated_utc", Text, nullable=False),
    Column("mission", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("world", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("robot", Text, nullable=False),
    Column("planner", Text, nullable=False),
    Column("memory", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("code_version", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("need_rank", Integer, nullable=False),
    Column("need", Text, nullable=False),
    Column("conn", Text),
    Column("outcome", Text),
    Column("message", Text, nullable=False),
    Column("delivered", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("money_usd", Double, nullable=False),
    Column("context_units", Integer, nullable=False),
    Column("replans", Integer, nullable=False),
    Column("stale_visits", Integer, nullable=False),
    Column("plans", Integer, nullable=False),
    Column("dispatches", Integer, nullable=False),
    Index(None, "need_rank"),
    info={"current": True},
)
"""`need` says in words what waits for a person, `need_rank` how urgently (0: nothing); `phase` what goes on
now."""
