"""Of measured episodes that a model planned: trajectory, content digest, the console's episode."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "study_recordings",
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("arm", sa.Integer, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("trajectory", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["episode"], ["heads.episode"], name="fk_study_recordings_episode"),
        sa.ForeignKeyConstraint(
            ["run", "arm", "seed"],
            ["study_episodes.run", "study_episodes.arm", "study_episodes.seed"],
            name="fk_study_recordings_run_arm_seed",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run", "arm", "seed", name="pk_study_recordings"),
    )
