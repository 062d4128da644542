"""Who may sign in. Tokens are stored as hashes only."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Table, Text

from backend.persistence.tables.metadata import metadata

users = Table(
    "users",
    metadata,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("password_hash", Text),
    Column("active", Boolean, nullable=False),
    Column("utc", Text, nullable=False),
)
"""`role`: viewer, operator, admin. Without a password hash the account signs in by link or token alone."""

tokens = Table(
    "tokens",
    metadata,
    Column("token_digest", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user", Text, ForeignKey("users.name", ondelete="CASCADE"), nullable=False, index=True),
    Column("label", Text, nullable=False),
    Column("created_s", Double, nullable=False),
    Column("expires_s", Double, nullable=False),
    Column("used_s", Double),
)
"""`kind`: sign_in (good once), session, api. Times are on the database's clock."""
