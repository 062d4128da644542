"""What-ifs, and what they spent."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "experiments",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("started_s", sa.Double, nullable=False),
        sa.Column("heard_s", sa.Double, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("estimate", sa.Text, nullable=False),
        sa.Column("spent", sa.Text, nullable=False),
        sa.Column("found", sa.Text),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_experiments_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_experiments"),
    )
    op.create_index("ix_experiments_episode", "experiments", ["episode"])
    op.create_index("ix_experiments_started_s", "experiments", ["started_s"])
