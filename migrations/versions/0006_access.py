"""Sessions of their own, whose cookie is renewed; what a token may; tries at the sign-in; answers to
Idempotency-Keys. Who was signed in signs in anew."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("DELETE FROM tokens WHERE kind = 'session'")
    op.add_column("tokens", sa.Column("scopes", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("previous", sa.Text),
        sa.Column("previous_until_s", sa.Double),
        sa.Column("next", sa.Text),
        sa.Column("next_s", sa.Double),
        sa.Column("began_s", sa.Double, nullable=False),
        sa.Column("rotated_s", sa.Double, nullable=False),
        sa.Column("used_s", sa.Double, nullable=False),
        sa.Column("expires_s", sa.Double, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.ForeignKeyConstraint(["user"], ["users.name"], name="fk_sessions_user", ondelete="CASCADE"),
    )
    for name in ("user", "digest", "previous", "next"):
        op.create_index(f"ix_sessions_{name}", "sessions", [name])
    op.create_table(
        "sign_in_attempts",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name="pk_sign_in_attempts"),
    )
    op.create_table(
        "replies",
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("put_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("user", "key", name="pk_replies"),
        sa.ForeignKeyConstraint(["user"], ["users.name"], name="fk_replies_user", ondelete="CASCADE"),
    )
