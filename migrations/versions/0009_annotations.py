"""Annotations with every version of each, on moments, records and spans, with tags."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "annotation_versions",
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("until_seq", sa.Integer),
        sa.Column("entity", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("editor", sa.Text, nullable=False),
        sa.Column("created_utc", sa.Text, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.Column("is_removed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("episode", "id", "version", name="pk_annotation_versions"),
        sa.ForeignKeyConstraint(
            ["episode"], ["heads.episode"], name="fk_annotation_versions_episode", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_annotation_versions_episode_seq", "annotation_versions", ["episode", "seq"])
    op.execute(
        "INSERT INTO annotation_versions (id, version, episode, seq, entity, text, tags, author, editor,"
        " created_utc, utc, is_removed)"
        " SELECT 'first-' || id, 1, episode, seq, '', text, '', author, author, utc, utc, false"
        " FROM annotations"
    )
    op.drop_table("annotations")
