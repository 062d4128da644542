"""Evaluation runs and their episodes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("code_version", sa.Text, nullable=False),
        sa.Column("started_utc", sa.Text, nullable=False),
        sa.Column("finished_utc", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
    )
    op.create_index("ix_studies_digest", "studies", ["digest"])
    op.create_table(
        "study_episodes",
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("arm", sa.Integer, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("success", sa.Boolean, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("context", sa.BigInteger, nullable=False),
        sa.Column("planner_calls", sa.Integer, nullable=False),
        sa.Column("stale_visits", sa.Integer, nullable=False),
        sa.Column("delivered", sa.Integer, nullable=False),
        sa.Column("path_m", sa.Double, nullable=False),
        sa.Column("replans", sa.Text, nullable=False),
        sa.Column("extra", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["studies.id"], name="fk_study_episodes_run", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run", "arm", "seed", name="pk_study_episodes"),
    )
