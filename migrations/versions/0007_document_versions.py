"""Every version of a mission or site is kept, with who wrote it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "document_versions",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("utc", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", "version", name="pk_document_versions"),
    )
    op.execute(
        "INSERT INTO document_versions (kind, name, version, body, author, utc)"
        " SELECT kind, name, version, body, 'unknown', utc FROM documents"
    )
    op.drop_table("documents")
