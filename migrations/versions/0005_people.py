"""Who has acknowledged what needs a person, and how each person likes the console."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "acknowledgements",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("concern", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("at_s", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_acknowledgements_episode", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("episode", "concern", name="pk_acknowledgements"),
    )
    op.create_table(
        "preferences",
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.name"], name="fk_preferences_user", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user", "name", name="pk_preferences"),
    )
