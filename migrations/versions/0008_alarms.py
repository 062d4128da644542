"""Alarms that came and went before anybody saw them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "alarms",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("condition", sa.Text, nullable=False),
        sa.Column("tone", sa.Text, nullable=False),
        sa.Column("icon", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("raised_s", sa.Double, nullable=False),
        sa.Column("returned_s", sa.Double, nullable=True),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_alarms_episode", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("episode", "key", name="pk_alarms"),
    )
