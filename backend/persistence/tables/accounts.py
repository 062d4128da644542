"""Who may sign in. Tokens are stored as hashes only."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Integer, Table, Text

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
    Column("scopes", Text, nullable=False, server_default=""),
)
"""`kind`: sign_in (good once), api. `scopes`: of an api token, with blanks between. Times are on the
database's clock."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user", Text, ForeignKey("users.name", ondelete="CASCADE"), nullable=False, index=True),
    Column("digest", Text, nullable=False, index=True),
    Column("previous", Text, index=True),
    Column("previous_until_s", Double),
    Column("next", Text, index=True),
    Column("next_s", Double),
    Column("began_s", Double, nullable=False),
    Column("rotated_s", Double, nullable=False),
    Column("used_s", Double, nullable=False),
    Column("expires_s", Double, nullable=False),
    Column("address", Text, nullable=False),
)
"""Who is signed in where. `digest`: of the cookie in use. `next`: of the one that was sent to take its place
and has not come back yet; `previous`: of the one before, good for a moment longer."""

attempts = Table(
    "sign_in_attempts",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last_s", Double, nullable=False),
)
"""Failed sign-ins. `kind`: account, address."""

replies = Table(
    "replies",
    metadata,
    Column("user", Text, ForeignKey("users.name", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request", Text, nullable=False),
    Column("status", Integer),
    Column("body", Text, nullable=False),
    Column("put_s", Double, nullable=False),
)
"""What the API answered to an Idempotency-Key. `request`: digest of method, address and body."""
